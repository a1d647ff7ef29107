/// What is told to the author of a bot, in words.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "arena/settings.h"
#include "src/status.h"

namespace arena::v1 {
class Rejected;
}  // namespace arena::v1

namespace arena {

/// The version of the protocol this library speaks.
inline constexpr int kProtocol = 1;

/// Returns why the arena refused a session, and what to do.
std::string refusal(const Status& status, const std::string& address);

/// Returns what to check when no arena answers.
std::string silence_hint(const std::string& details, const Settings& settings);

/// Returns the warning about an answer that was not used.
std::string rejection(const v1::Rejected& rejected);

/// Returns what a status says; its name if it says nothing.
std::string reason_of(const Status& status);

/// Returns a text from elsewhere so that it can do nothing to a terminal.
std::string inert(std::string_view text);

/// Whether a text is valid UTF-8.
bool is_utf8(std::string_view text);

/// Returns the number of characters of a text in UTF-8.
std::size_t length_of(std::string_view text);

/// Returns the beginning of a text, of so many bytes at most, never cut within a character.
std::string_view cut_bytes(std::string_view text, std::size_t bytes);

/// Returns the beginning of a text, of so many characters at most.
std::string_view cut_characters(std::string_view text, std::size_t characters);

/// Returns seconds as people write them: "30", "0.3".
std::string seconds_text(double seconds);

/// Writes a line for the author of the bot to stderr.
void report(const std::string& text);

}  // namespace arena
