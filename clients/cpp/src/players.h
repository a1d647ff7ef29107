/// The bot objects of a session, what they have been asked, and what they answered.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "arena/bot.h"
#include "arena/errors.h"
#include "arena/messages.h"

namespace arena {

/// Takes a line for the author.
using Report = std::function<void(const std::string&)>;

/// How the author's code failed, a BotFailed or an IllegalChoice; null if it did not.
using Failure = std::shared_ptr<const BotFailed>;

/// One match: the bot object that plays it and the last decision it was asked.
struct Player {
  std::unique_ptr<Match> match;
  std::unique_ptr<AnyBot> bot;
  std::uint32_t asked = 0;           // the id of the last decision; ids rise
  std::optional<v1::Answer> answer;  // the answer to it, once there is one
  int link = 0;                      // the connection it was asked over last
  int open = 0;                      // decisions that wait or are thought about
  bool is_busy = false;              // its code is running
  bool is_over = false;
};

/// One call of the author's code. run() needs no lock: no two jobs of a match are out at once.
class Job {
 public:
  enum class Kind { Start, Decide, End, Drop };

  Job(Kind kind, std::shared_ptr<Player> player) : kind(kind), player(std::move(player)) {}
  /// Calls the author's code; notes what it answered or how it failed.
  void run(const BotClass& bot_class);

  Kind kind;
  std::shared_ptr<Player> player;
  std::shared_ptr<const v1::Decision> asked;    // for Decide
  std::shared_ptr<const v1::MatchEnded> ended;  // for End
  std::size_t index = 0;
  std::string note;
  Failure failure;

 private:
  void call(const BotClass& bot_class);
  void decide();
  void fail(const BotClass& bot_class, const std::string& cause, const std::string& trace);
};

/// All matches of a session. Knows nothing of the network or of threads: its owner has a lock, and
/// runs the jobs outside of it.
class Players {
 public:
  using Clock = std::chrono::steady_clock;
  /// Answers that are found wait no longer than this for others of their batch.
  static constexpr std::chrono::milliseconds kFlushAfter{50};

  Players(const BotClass& bot_class, Report report);

  /// A new connection has been welcomed. Unless it resumes, all matches are lost.
  void connected(const v1::Limits& limits, bool resumed);
  /// A match begins; one that is known already goes on.
  void start(const v1::MatchStarted& message);
  /// Queues decisions. One that was asked before is never decided twice.
  void ask(const std::shared_ptr<const v1::PlayResponse>& response);
  /// A match has ended: its bot object is to be told, and dropped.
  void end(const std::shared_ptr<const v1::PlayResponse>& response, const v1::MatchEnded& message);
  /// Forgets all decisions; what else waits, such as ended(), is still to be done.
  void forget_decisions();
  /// Drops all matches. Their objects are destroyed where jobs are run.
  void drop_matches();
  /// Gives out no more jobs.
  void close() { is_closed_ = true; }

  /// Returns the next job, in the order they came, of a match that is not busy; null if there is
  /// none.
  std::unique_ptr<Job> next();
  /// Notes what a job has found; returns how it failed.
  Failure finish(Job& job);

  /// Whether no job is out, and none will be given out.
  bool is_idle() const { return running_ == 0 && (is_closed_ || jobs_.empty()); }
  /// When answers are to be sent: at once if nothing is open that might give more; never if there
  /// are none.
  Clock::time_point flush_at() const;
  /// Returns the answers found since the last call, as one message; perhaps none.
  v1::PlayRequest take_ready();

 private:
  void queue(Job::Kind kind, const std::shared_ptr<Player>& player);
  void keep_answer(Job& job);
  void add_ready(const v1::Answer& answer);
  void cut_note(std::string& note);

  const BotClass& bot_class_;
  Report report_;
  std::map<std::string, std::shared_ptr<Player>> players_;
  std::deque<std::unique_ptr<Job>> jobs_;
  v1::PlayRequest ready_;
  Clock::time_point ready_since_{};
  int open_ = 0;     // decisions that wait or are thought about, of all matches that run
  int running_ = 0;  // jobs that are out
  int link_ = 0;
  std::size_t max_note_bytes_ = 0;
  bool is_closed_ = false;
};

}  // namespace arena
