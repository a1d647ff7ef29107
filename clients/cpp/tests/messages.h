/// Messages that tests are made of.
#pragma once

#include <cstdint>
#include <string>

#include "arena/messages.h"

namespace arena::testing {

/// Returns the start of a match with the bot in seat 1 of 2.
v1::MatchStarted started(const std::string& match_id, const std::string& game = "byzanz");

/// Returns an auction of Byzanz with three legal moves: pass and two bids.
v1::Decision auction(const std::string& match_id, std::uint32_t id);

/// Returns an exchange round of Schwarzmarkt with two legal moves: trade and step.
v1::Decision exchange(const std::string& match_id, std::uint32_t id);

/// Returns the end of a match: rank 1 with 9 points for the bot.
v1::MatchEnded ended(const std::string& match_id);

/// Returns a message of the golden ones, such as "byzanz-decisions".
v1::PlayResponse golden(const std::string& name);

}  // namespace arena::testing
