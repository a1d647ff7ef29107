/// One session with an arena, over as many connections as it takes.
///
///     CONNECTING --welcome--> PLAYING --goodbye, stop, failure--> LEAVING --end of stream--> ENDED
///                              |   ^
///           connection is lost |   | welcome with resumed
///                              v   |
///                            RESUMING
///
/// CONNECTING and RESUMING give up after their timeout and when the arena refuses. A session that
/// has expired at the arena goes from RESUMING back to CONNECTING, its matches are lost.
///
/// Threads of gRPC bring messages, workers run the author's code and send its answers, the thread
/// that calls play() watches the time. One lock guards all they share; the author's code runs
/// outside of it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "arena/bot.h"
#include "arena/errors.h"
#include "arena/messages.h"
#include "arena/settings.h"
#include "src/players.h"
#include "src/status.h"
#include "src/stream.h"

namespace arena {

/// Plays matches with objects of a bot class until the arena says goodbye.
class Session : public std::enable_shared_from_this<Session>, private Stream::Listener {
 public:
  enum class State { Connecting, Playing, Resuming, Leaving, Ended };

  Session(BotClass bot, Settings settings, Report report);

  /// Plays until the arena says goodbye or stop() is called. To be called once. Throws BotFailed if
  /// the author's code failed (the arena has been told), Refused, or Unreachable.
  void play();
  /// Leaves soon, without waiting for decide(); play() returns then.
  void stop(const std::string& reason);

  State state() const;
  /// Whether code of the author still runs: then its thread goes on after play() has returned.
  bool is_thinking() const;

 private:
  using Clock = std::chrono::steady_clock;
  using Lock = std::unique_lock<std::mutex>;

  void on_message(std::shared_ptr<const v1::PlayResponse> response) override;
  void on_end(const Status& status) override;

  Status connect(Lock& lock);
  void greet();
  void welcome(const v1::Welcome& welcome);
  void take_in(const std::shared_ptr<const v1::PlayResponse>& response);
  void after_loss(Lock& lock, const Status& status);
  std::string unreachable(const Status& status) const;
  void sleep(Lock& lock);
  void keep_time();

  void work();
  void start_workers();
  void stop_workers(Lock& lock);

  void fail(const Failure& failure);
  void leave(const std::optional<v1::Leave>& message);
  void flush();
  void send_parts(const v1::PlayRequest& request);

  const BotClass bot_;
  const Settings settings_;
  const Report report_;
  std::vector<std::thread> workers_;  // used by play() alone

  mutable std::mutex mutex_;          // guards what follows
  std::condition_variable changed_;   // for the thread of play()
  std::condition_variable has_work_;  // for the workers
  State state_ = State::Connecting;
  Players players_;
  std::unique_ptr<Stream> stream_;    // the one that is open
  std::optional<Status> ended_with_;  // how it ended
  bool is_cancelled_ = false;         // it has had its time
  std::string resume_token_;
  std::size_t max_message_bytes_ = 0;
  Clock::time_point give_up_at_{};        // when connecting or resuming has had its time
  Clock::time_point cancel_at_{};         // when the stream has had its
  Clock::time_point leave_workers_at_{};  // when the workers have had theirs
  Clock::time_point wake_at_{};           // until when the thread of play() sleeps
  std::chrono::duration<double> pause_;   // before the next attempt
  std::optional<v1::Goodbye> goodbye_;
  Failure failure_;
};

}  // namespace arena
