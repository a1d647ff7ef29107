#include "arena/program.h"

#include <signal.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>

#include "arena/errors.h"
#include "src/session.h"
#include "src/signals.h"
#include "src/texts.h"

namespace arena {
namespace {

constexpr int kInterrupted = 130;  // what shells give for Ctrl-C

/// Plays a session that leaves when a signal comes; returns the exit code.
int play_session(Session& session) {
  std::atomic<int> code{0};
  const Signals signals([&](int number) {
    if (number == SIGINT) code = kInterrupted;
    session.stop(number == SIGINT ? "stopped by SIGINT" : "stopped by SIGTERM");
  });
  session.play();
  return code;
}

/// Plays a session; reports how it failed and returns the exit code.
int report_session(Session& session) {
  try {
    return play_session(session);
  } catch (const BotFailed& failure) {
    if (!failure.trace().empty()) {
      std::fprintf(stderr, "%s\n%s", failure.cause().c_str(), failure.trace().c_str());
    }
    report(failure.what());
    return failure.exit_code();
  } catch (const Error& error) {
    report(error.what());
    return error.exit_code();
  }
}

std::shared_ptr<Session> open_session(const BotClass& bot, const Settings& settings) {
  check_bot(bot);
  return std::make_shared<Session>(bot, settings, report);
}

}  // namespace

int play(const BotClass& bot, const Settings& settings) {
  return play_session(*open_session(bot, settings));
}

int run(const BotClass& bot, const std::vector<std::string>& flags) {
  setenv("GRPC_VERBOSITY", "NONE", 0);  // what it has to say, errors say too
  std::shared_ptr<Session> session;
  try {
    const auto settings = read_settings(flags, process_environment);
    if (!settings) {
      std::cout << settings_help() << std::flush;
      return 0;
    }
    session = open_session(bot, *settings);
  } catch (const Error& error) {
    report(error.what());
    return error.exit_code();
  }
  const int code = report_session(*session);
  if (session->is_thinking()) {
    // Its thread cannot be stopped, and must not see how all around it is destroyed.
    std::cout.flush();
    std::fflush(nullptr);
    std::_Exit(code);
  }
  return code;
}

}  // namespace arena
