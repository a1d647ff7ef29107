/// A bot as a program: settings, signals, messages on stderr and exit codes.
#pragma once

#include <string>
#include <vector>

#include "arena/bot.h"
#include "arena/settings.h"

namespace arena {

/// Plays until the arena says goodbye or a signal comes; returns the exit code.
/// Throws Error if it ended in another way.
int play(const BotClass& bot, const Settings& settings);

/// Plays with settings from the environment and from flags; reports on stderr. Returns the exit
/// code, or ends the process with it where decide() does not return.
int run(const BotClass& bot, const std::vector<std::string>& flags);

/// Plays with objects of a bot class, one per match.
template <class BotT>
int play(const Settings& settings) {
  return play(describe<BotT>(), settings);
}

/// Plays with objects of a bot class, one per match: what main() returns. 0 after a goodbye or
/// SIGTERM, 1 the bot's own code failed, 2 bad usage or refused, 3 the arena cannot be reached,
/// 130 Ctrl-C. `run<MyBot>()` looks at no flags.
template <class BotT>
int run(int argc = 0, char** argv = nullptr) {
  return run(describe<BotT>(), std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
}

}  // namespace arena
