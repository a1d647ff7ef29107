/// Bots that tests play with.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "arena/client.h"

namespace arena::testing {

/// Always chooses the first legal move.
class First : public Bot {
 public:
  static constexpr auto name = "first";
  static constexpr auto version = "3";
  static constexpr int max_matches = 64;
  inline static const std::vector<std::string> games = {"byzanz", "schwarzmarkt"};

  Choice decide(Decision&) override { return 0; }
};

/// What the objects of a recording bot were asked and told, in order.
struct Record {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::string> calls;  // such as "made a", "asked a/1", "ended a", "dropped a"

  void add(const std::string& call) {
    const std::lock_guard lock(mutex);
    calls.push_back(call);
    changed.notify_all();
  }
  /// Waits for a call, as long as tests have patience.
  void wait_for(const std::string& call) {
    std::unique_lock lock(mutex);
    changed.wait_for(lock, std::chrono::seconds(15),
                     [&] { return std::find(calls.begin(), calls.end(), call) != calls.end(); });
  }
  std::vector<std::string> all() {
    const std::lock_guard lock(mutex);
    return calls;
  }
};

/// Notes what happens to it; decides as a test says.
class Recording : public Bot {
 public:
  using Decide = std::function<Choice(Decision&)>;

  Recording(const Match& match, Record& record, Decide decide)
      : id_(match.id()), record_(record), decide_(std::move(decide)) {
    record_.add("made " + id_);
  }
  ~Recording() override { record_.add("dropped " + id_); }

  Choice decide(Decision& decision) override {
    record_.add("asked " + id_ + "/" + std::to_string(decision.id()));
    return decide_(decision);
  }
  void ended(const Outcome& outcome) override { record_.add("ended " + outcome.match.id()); }

 private:
  std::string id_;
  Record& record_;
  Decide decide_;
};

/// Returns a bot class that records, and chooses move 1 unless the test says otherwise.
inline BotClass recording(
    Record& record, Recording::Decide decide = [](Decision&) { return 1; }) {
  BotClass bot = describe<First>();
  bot.class_name = "Recording";
  bot.make = [&record, decide](const Match& match) {
    return std::make_unique<Recording>(match, record, decide);
  };
  return bot;
}

}  // namespace arena::testing
