/// Messages from files, to try a bot without an arena.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "arena/decision.h"
#include "arena/match.h"

namespace arena {

/// Returns the match that a file holds: a PlayResponse with `match_started`, in binary form.
/// Throws std::invalid_argument if there is none.
std::unique_ptr<Match> read_match(const std::string& path);

/// Returns the questions that a file holds: a PlayResponse with `decisions`, in binary form. They
/// are put to the match, whatever its id. Throws std::invalid_argument if there are none.
std::vector<std::unique_ptr<Decision>> read_decisions(const Match& match, const std::string& path);

}  // namespace arena
