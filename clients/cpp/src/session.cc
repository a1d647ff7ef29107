#include "src/session.h"

#include <algorithm>
#include <random>
#include <utility>

#include "arena/version.h"
#include "src/texts.h"

namespace arena {
namespace {

using namespace std::chrono_literals;
using Seconds = std::chrono::duration<double>;

constexpr auto kWelcome = 10s;         // for the welcome after the hello
constexpr auto kGrace = 2s;            // for the arena to end the stream after a leave or a goodbye
constexpr Seconds kFirstPause = 50ms;  // between attempts, doubling
constexpr Seconds kLastPause = 1s;
constexpr Seconds kEver = 24h * 365;      // longer than any bot waits, and no overflow
constexpr std::size_t kMaxReason = 1000;  // characters of a leave, by the protocol

/// Whether trying again may help.
bool is_transient(grpc_status_code code) {
  switch (code) {
    case GRPC_STATUS_ABORTED:
    case GRPC_STATUS_CANCELLED:
    case GRPC_STATUS_DATA_LOSS:
    case GRPC_STATUS_DEADLINE_EXCEEDED:
    case GRPC_STATUS_INTERNAL:
    case GRPC_STATUS_OK:  // without a goodbye: something in between closed the stream
    case GRPC_STATUS_UNAVAILABLE:
    case GRPC_STATUS_UNKNOWN:
      return true;
    default:
      return false;
  }
}

std::chrono::steady_clock::time_point after(Seconds time) {
  const auto bounded = std::min(time, kEver);
  return std::chrono::steady_clock::now() +
         std::chrono::duration_cast<std::chrono::steady_clock::duration>(bounded);
}

/// Returns a pause shortened at random, so that not all bots come at once.
Seconds shortened(Seconds pause) {
  static thread_local std::minstd_rand random{std::random_device{}()};
  return pause * (0.5 + 0.5 * static_cast<double>(random()) / std::minstd_rand::max());
}

}  // namespace

Session::Session(BotClass bot, Settings settings, Report report)
    : bot_(std::move(bot)),
      settings_(std::move(settings)),
      report_(std::move(report)),
      players_(bot_, report_),
      pause_(kFirstPause) {}

Session::State Session::state() const {
  const Lock lock(mutex_);
  return state_;
}

bool Session::is_thinking() const {
  const Lock lock(mutex_);
  return !players_.is_idle();
}

void Session::play() {
  start_workers();
  Lock lock(mutex_);
  give_up_at_ = after(settings_.connect_timeout);
  try {
    while (state_ != State::Leaving) {
      const Status status = connect(lock);
      if (state_ != State::Leaving) after_loss(lock, status);
    }
  } catch (...) {
    stop_workers(lock);
    throw;
  }
  stop_workers(lock);
  if (const auto* illegal = dynamic_cast<const IllegalChoice*>(failure_.get())) throw *illegal;
  if (failure_) throw *failure_;
  if (goodbye_ && goodbye_->reason() == v1::Goodbye::REASON_MISBEHAVED) {
    throw Refused("the arena ended the session: " + inert(goodbye_->message()));
  }
}

void Session::stop(const std::string& reason) {
  const Lock lock(mutex_);
  v1::Leave message;
  message.set_reason(reason);
  leave(message);
}

/// Dials once and plays until the stream ends; returns with which status.
Status Session::connect(Lock& lock) {
  ended_with_.reset();
  is_cancelled_ = false;
  cancel_at_ = after(kWelcome);
  stream_ = open_stream(settings_, *this);
  greet();
  while (!ended_with_) {
    sleep(lock);
    keep_time();
  }
  const Status status = *ended_with_;
  auto stream = std::move(stream_);
  lock.unlock();
  stream.reset();  // a channel takes its time to close
  lock.lock();
  const bool was_welcomed = state_ == State::Playing || state_ == State::Leaving;
  if (!was_welcomed && is_cancelled_) return {GRPC_STATUS_UNAVAILABLE, "no welcome in time"};
  return status;
}

void Session::greet() {
  v1::PlayRequest request;
  v1::Hello& hello = *request.mutable_hello();
  hello.set_protocol(kProtocol);
  hello.set_token(settings_.token);
  hello.set_bot(bot_.name);
  hello.set_version(bot_.version);
  hello.set_language("cpp");
  hello.set_sdk(std::string("arena-cpp ") + kVersion);
  for (const std::string& game : bot_.games) hello.add_games(game);
  hello.set_max_matches(static_cast<std::uint32_t>(bot_.max_matches));
  hello.set_batches_matches(true);
  hello.set_resume_token(resume_token_);
  stream_->send(request);
}

void Session::on_message(std::shared_ptr<const v1::PlayResponse> response) {
  {
    const Lock lock(mutex_);
    if (state_ == State::Playing) {
      take_in(response);
    } else if (state_ != State::Leaving && response->has_welcome()) {
      welcome(response->welcome());
    }
  }
  has_work_.notify_all();
}

void Session::on_end(const Status& status) {
  const Lock lock(mutex_);
  ended_with_ = status;
  changed_.notify_one();
}

void Session::welcome(const v1::Welcome& welcome) {
  if (!resume_token_.empty() && !welcome.resumed()) {
    report_("warning: the arena started a new session; the old matches are lost");
  } else if (state_ == State::Resuming) {
    report_("the session was resumed");
  } else {
    report_("playing as " + inert(welcome.bot()) + " at " + settings_.address + " (arena " +
            inert(welcome.arena()) + ")");
  }
  resume_token_ = welcome.resume_token();
  max_message_bytes_ = welcome.limits().max_message_bytes();
  pause_ = kFirstPause;
  players_.connected(welcome.limits(), welcome.resumed());
  cancel_at_ = Clock::time_point::max();
  state_ = State::Playing;
}

/// Notes what the arena says. What this version does not know is ignored.
void Session::take_in(const std::shared_ptr<const v1::PlayResponse>& response) {
  switch (response->message_case()) {
    case v1::PlayResponse::kMatchStarted:
      players_.start(response->match_started());
      break;
    case v1::PlayResponse::kDecisions:
      for (const auto& ended : response->decisions().match_ended()) players_.end(response, ended);
      for (const auto& started : response->decisions().match_started()) players_.start(started);
      players_.ask(response);
      break;
    case v1::PlayResponse::kMatchEnded:
      players_.end(response, response->match_ended());
      break;
    case v1::PlayResponse::kRejected:
      report_(rejection(response->rejected()));
      break;
    case v1::PlayResponse::kGoodbye:
      goodbye_ = response->goodbye();
      report_("the arena says goodbye: " + inert(goodbye_->message()));
      leave(std::nullopt);
      break;
    default:
      break;
  }
  flush();
}

/// Waits for the next attempt, or throws if there should be none.
void Session::after_loss(Lock& lock, const Status& status) {
  // Before the welcome: the arena has no room now. Later: the bot went too far.
  const bool is_full = status.code == GRPC_STATUS_RESOURCE_EXHAUSTED && state_ != State::Playing;
  if (state_ == State::Playing) {
    state_ = State::Resuming;
    give_up_at_ = after(settings_.resume_timeout);
    report_("the connection was lost (" + reason_of(status) + "); trying to resume");
  }
  if (!resume_token_.empty() && status.code == GRPC_STATUS_NOT_FOUND) {
    report_("warning: the session has expired at the arena; its matches are lost");
    resume_token_.clear();
    players_.drop_matches();
    has_work_.notify_all();
    state_ = State::Connecting;
    return;
  }
  // An arena that has not noticed the loss itself takes the old connection for another bot.
  const bool is_own = !resume_token_.empty() && status.code == GRPC_STATUS_ALREADY_EXISTS;
  if (!is_transient(status.code) && !is_own && !is_full) {
    throw Refused(refusal(status, settings_.address));
  }
  const auto resume_at = after(shortened(pause_));
  pause_ = std::min(2 * pause_, kLastPause);
  if (resume_at > give_up_at_) {
    if (is_full) throw Refused(refusal(status, settings_.address));
    throw Unreachable(unreachable(status));
  }
  changed_.wait_until(lock, resume_at, [this] { return state_ == State::Leaving; });
}

std::string Session::unreachable(const Status& status) const {
  const std::string why = " (" + reason_of(status) + ")";
  if (state_ == State::Resuming) {
    return "the arena at " + settings_.address + " went away and did not come back within " +
           seconds_text(settings_.resume_timeout.count()) + " s" + why;
  }
  return "no arena answers at " + settings_.address + why + ": " +
         silence_hint(status.details, settings_);
}

/// Sleeps until something is due or has changed.
void Session::sleep(Lock& lock) {
  wake_at_ = std::min(cancel_at_, after(kEver));
  if (state_ == State::Playing) wake_at_ = std::min(wake_at_, players_.flush_at());
  changed_.wait_until(lock, wake_at_);
}

/// Does what is due.
void Session::keep_time() {
  if (!ended_with_ && Clock::now() >= cancel_at_) {
    stream_->cancel();
    is_cancelled_ = true;
    cancel_at_ = Clock::time_point::max();
  }
  flush();
}

void Session::start_workers() {
  for (int i = 0; i < bot_.workers; ++i) {
    workers_.emplace_back([self = shared_from_this()] { self->work(); });
  }
}

/// Lets the workers end; those that do not in time are left behind.
void Session::stop_workers(Lock& lock) {
  changed_.wait_until(lock, leave_workers_at_, [this] { return players_.is_idle(); });
  const bool are_idle = players_.is_idle();
  state_ = State::Ended;
  players_.close();
  has_work_.notify_all();
  lock.unlock();
  for (std::thread& worker : workers_) are_idle ? worker.join() : worker.detach();
  lock.lock();
}

/// Runs the author's code, job by job.
void Session::work() {
  Lock lock(mutex_);
  while (state_ != State::Ended) {
    auto job = players_.next();
    if (!job) {
      has_work_.wait(lock);
      continue;
    }
    lock.unlock();
    job->run(bot_);
    lock.lock();
    if (const Failure failure = players_.finish(*job)) fail(failure);
    flush();
    if (state_ == State::Leaving) changed_.notify_one();
  }
}

void Session::fail(const Failure& failure) {
  if (!failure_) failure_ = failure;
  players_.close();
  const std::string first_line = failure->cause().substr(0, failure->cause().find('\n'));
  v1::Leave message;
  message.set_reason(std::string(cut_characters(inert(first_line), kMaxReason)));
  message.set_failed(true);
  leave(message);
}

/// Begins to leave; without a message if the arena has said goodbye itself.
void Session::leave(const std::optional<v1::Leave>& message) {
  if (state_ == State::Leaving || state_ == State::Ended) return;
  const bool was_playing = state_ == State::Playing;
  state_ = State::Leaving;
  cancel_at_ = after(kGrace);
  players_.forget_decisions();
  if (message) {
    players_.close();
  } else {
    leave_workers_at_ = cancel_at_;
  }
  if (stream_ != nullptr && was_playing) {
    if (message) {
      v1::PlayRequest request;
      *request.mutable_leave() = *message;
      stream_->send(request);
    }
    stream_->close();
  } else if (stream_ != nullptr) {
    stream_->cancel();
  }
  changed_.notify_one();
}

/// Sends the answers that are due; sees to it that later ones are not forgotten.
void Session::flush() {
  if (state_ != State::Playing || stream_ == nullptr) return;  // no stream: connect() closes it
  const auto flush_at = players_.flush_at();
  if (flush_at <= Clock::now()) {
    send_parts(players_.take_ready());
  } else if (flush_at < wake_at_) {
    wake_at_ = flush_at;
    changed_.notify_one();
  }
}

/// Sends a message with answers, or several if it is too large.
void Session::send_parts(const v1::PlayRequest& request) {
  const auto& answers = request.answers().answers();
  if (max_message_bytes_ == 0 || answers.size() < 2 ||
      request.ByteSizeLong() <= max_message_bytes_) {
    stream_->send(request);
    return;
  }
  v1::PlayRequest first;
  v1::PlayRequest second;
  for (int i = 0; i < answers.size(); ++i) {
    v1::PlayRequest& part = i < answers.size() / 2 ? first : second;
    *part.mutable_answers()->add_answers() = answers[i];
  }
  send_parts(first);
  send_parts(second);
}

}  // namespace arena
