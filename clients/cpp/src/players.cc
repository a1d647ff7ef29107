#include "src/players.h"

#include <cxxabi.h>

#include <algorithm>
#include <utility>

#include "src/texts.h"
#include "src/trace.h"

namespace arena {
namespace {

/// Returns the name of the function that a job calls.
std::string name_of(Job::Kind kind, const BotClass& bot_class) {
  switch (kind) {
    case Job::Kind::Start:
      return bot_class.class_name;
    case Job::Kind::Decide:
      return "decide";
    case Job::Kind::End:
      return "ended";
    case Job::Kind::Drop:
      break;
  }
  return "~" + bot_class.class_name;
}

}  // namespace

void Job::run(const BotClass& bot_class) {
  const ThrowWatch watch;
  try {
    call(bot_class);
  } catch (const IllegalChoice& illegal) {
    failure = std::make_shared<IllegalChoice>(illegal);
  } catch (const std::exception& error) {
    fail(bot_class, type_name(typeid(error)) + ": " + error.what(), watch.trace());
  } catch (...) {
    const std::type_info* type = abi::__cxa_current_exception_type();
    fail(bot_class, type != nullptr ? type_name(*type) : "something unknown", watch.trace());
  }
}

void Job::call(const BotClass& bot_class) {
  switch (kind) {
    case Kind::Start:
      player->bot = bot_class.make(*player->match);
      break;
    case Kind::Decide:
      decide();
      break;
    case Kind::End:
      player->bot->ended(Outcome(*player->match, *ended));
      player->bot.reset();
      break;
    case Kind::Drop:
      player->bot.reset();
      break;
  }
}

void Job::decide() {
  const auto decision = player->match->decision(asked);
  index = decision->index_of(player->bot->answer(*decision));
  note = std::move(decision->note);
  if (!is_utf8(note)) throw std::invalid_argument("the note of a decision must be UTF-8");
}

void Job::fail(const BotClass& bot_class, const std::string& cause, const std::string& trace) {
  failure =
      std::make_shared<BotFailed>(bot_class.class_name + "::" + name_of(kind, bot_class) +
                                      "() failed in " + to_string(*player->match) + ": " + cause,
                                  cause, trace);
}

Players::Players(const BotClass& bot_class, Report report)
    : bot_class_(bot_class), report_(std::move(report)) {}

void Players::connected(const v1::Limits& limits, bool resumed) {
  ++link_;
  max_note_bytes_ = limits.max_note_bytes();
  ready_.Clear();  // what is still open will be asked again
  if (!resumed) drop_matches();
}

void Players::start(const v1::MatchStarted& message) {
  auto& player = players_[message.match_id()];
  if (player) return;
  player = std::make_shared<Player>();
  player->match = make_match(message);
  queue(Job::Kind::Start, player);
}

void Players::ask(const std::shared_ptr<const v1::PlayResponse>& response) {
  for (const v1::Decision& message : response->decisions().decisions()) {
    const auto found = players_.find(message.match_id());
    if (found == players_.end()) continue;  // its match has ended in the meantime
    Player& player = *found->second;
    player.link = link_;
    if (message.decision_id() > player.asked) {
      player.asked = message.decision_id();
      player.answer.reset();
      queue(Job::Kind::Decide, found->second);
      jobs_.back()->asked = {response, &message};
      ++player.open;
      ++open_;
    } else if (message.decision_id() == player.asked && player.answer) {
      add_ready(*player.answer);  // it got lost with the last connection
    }
  }
}

void Players::end(const std::shared_ptr<const v1::PlayResponse>& response,
                  const v1::MatchEnded& message) {
  const auto found = players_.find(message.match_id());
  if (found == players_.end()) return;
  const auto player = std::move(found->second);
  players_.erase(found);
  player->is_over = true;
  open_ -= player->open;
  const auto is_late = [&player](const auto& job) {
    return job->player == player && job->kind == Job::Kind::Decide;
  };
  jobs_.erase(std::remove_if(jobs_.begin(), jobs_.end(), is_late), jobs_.end());
  auto& ready = *ready_.mutable_answers()->mutable_answers();
  const auto is_needless = [&player](const v1::Answer& answer) {
    return answer.match_id() == player->match->id();
  };
  ready.erase(std::remove_if(ready.begin(), ready.end(), is_needless), ready.end());
  queue(Job::Kind::End, player);
  jobs_.back()->ended = {response, &message};
}

void Players::forget_decisions() {
  for (const auto& [id, player] : players_) player->is_over = true;
  const auto is_decision = [](const auto& job) { return job->kind == Job::Kind::Decide; };
  jobs_.erase(std::remove_if(jobs_.begin(), jobs_.end(), is_decision), jobs_.end());
  open_ = 0;
  ready_.Clear();
}

void Players::drop_matches() {
  forget_decisions();
  for (const auto& [id, player] : players_) queue(Job::Kind::Drop, player);
  players_.clear();
}

std::unique_ptr<Job> Players::next() {
  if (is_closed_) return nullptr;
  const auto is_free = [](const auto& job) { return !job->player->is_busy; };
  const auto found = std::find_if(jobs_.begin(), jobs_.end(), is_free);
  if (found == jobs_.end()) return nullptr;
  auto job = std::move(*found);
  jobs_.erase(found);
  job->player->is_busy = true;
  ++running_;
  return job;
}

Failure Players::finish(Job& job) {
  --running_;
  job.player->is_busy = false;
  const bool is_illegal = dynamic_cast<const IllegalChoice*>(job.failure.get()) != nullptr;
  if (job.player->is_over && is_illegal) return nullptr;  // nobody needs that choice any more
  if (job.kind == Job::Kind::Decide && !job.failure && !job.player->is_over) keep_answer(job);
  return job.failure;
}

Players::Clock::time_point Players::flush_at() const {
  if (ready_.answers().answers_size() == 0) return Clock::time_point::max();
  return open_ == 0 ? Clock::time_point::min() : ready_since_ + kFlushAfter;
}

v1::PlayRequest Players::take_ready() { return std::exchange(ready_, {}); }

void Players::queue(Job::Kind kind, const std::shared_ptr<Player>& player) {
  jobs_.push_back(std::make_unique<Job>(kind, player));
}

void Players::keep_answer(Job& job) {
  cut_note(job.note);
  Player& player = *job.player;
  --player.open;
  --open_;
  v1::Answer answer;
  answer.set_match_id(job.asked->match_id());
  answer.set_decision_id(job.asked->decision_id());
  answer.set_move_index(static_cast<std::uint32_t>(job.index));
  answer.set_note(job.note);
  // One asked over a lost connection is kept only: it will be asked again over the new one.
  if (player.link == link_) add_ready(answer);
  if (player.asked == answer.decision_id()) player.answer = std::move(answer);
}

void Players::add_ready(const v1::Answer& answer) {
  if (ready_.answers().answers_size() == 0) ready_since_ = Clock::now();
  *ready_.mutable_answers()->add_answers() = answer;
}

void Players::cut_note(std::string& note) {
  if (max_note_bytes_ == 0 || note.size() <= max_note_bytes_) return;
  report_("warning: a note of " + std::to_string(note.size()) + " bytes was cut to " +
          std::to_string(max_note_bytes_));
  note.resize(cut_bytes(note, max_note_bytes_).size());
}

}  // namespace arena
