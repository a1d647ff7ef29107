/// Why a bot program ends before its time. Each error carries the exit code of the process.
///
///     Error
///     ├── BotFailed            1: the author's own code threw
///     │   └── IllegalChoice    1: decide() returned what is not a legal move; nothing was sent
///     ├── UsageError           2: a setting or a field of the bot class is missing or wrong
///     ├── Refused              2: the arena does not want this session; trying again is no use
///     └── Unreachable          3: no arena answers, or it went away and did not come back in time
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace arena {

/// Base of everything this library throws on purpose.
class Error : public std::runtime_error {
 public:
  Error(const std::string& text, int exit_code) : std::runtime_error(text), exit_code_(exit_code) {}
  int exit_code() const noexcept { return exit_code_; }

 private:
  int exit_code_;
};

/// The author's own code threw.
class BotFailed : public Error {
 public:
  /// `cause` is what the arena is told; `trace` is where it was thrown, as far as is known.
  BotFailed(const std::string& text, std::string cause, std::string trace = {})
      : Error(text, 1), cause_(std::move(cause)), trace_(std::move(trace)) {}
  const std::string& cause() const noexcept { return cause_; }
  const std::string& trace() const noexcept { return trace_; }

 private:
  std::string cause_;
  std::string trace_;
};

/// What decide() returned is not one of the legal moves; nothing was sent.
class IllegalChoice : public BotFailed {
 public:
  explicit IllegalChoice(const std::string& text) : BotFailed(text, "IllegalChoice: " + text) {}
};

/// A setting or a field of the bot class is missing or makes no sense.
class UsageError : public Error {
 public:
  explicit UsageError(const std::string& text) : Error(text, 2) {}
};

/// The arena does not want this session, and trying again would not help.
class Refused : public Error {
 public:
  explicit Refused(const std::string& text) : Error(text, 2) {}
};

/// No arena answers at the address, or it went away and did not come back in time.
class Unreachable : public Error {
 public:
  explicit Unreachable(const std::string& text) : Error(text, 3) {}
};

}  // namespace arena
