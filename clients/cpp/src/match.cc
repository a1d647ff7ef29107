#include "arena/match.h"

#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>

#include <stdexcept>

#include "arena/byzanz.h"
#include "arena/decision.h"
#include "arena/schwarzmarkt.h"
#include "src/convert.h"
#include "src/texts.h"

namespace arena {
namespace {

std::optional<int> at_seat(const std::vector<int>& values, int seat) {
  const auto place = static_cast<std::size_t>(seat);
  return place < values.size() ? std::optional<int>(values[place]) : std::nullopt;
}

}  // namespace

std::string to_string(Fault fault) {
  switch (fault) {
    case Fault::Timeout:
      return "timeout";
    case Fault::IllegalMove:
      return "illegal_move";
    case Fault::ProtocolError:
      return "protocol_error";
    case Fault::Flood:
      return "flood";
    case Fault::Crash:
      return "crash";
    case Fault::OutOfMemory:
      return "out_of_memory";
    case Fault::Disconnect:
      return "disconnect";
    case Fault::NoStart:
      return "no_start";
    case Fault::OutOfProcesses:
      return "out_of_processes";
    case Fault::OutOfDisk:
      return "out_of_disk";
    case Fault::Unknown:
      break;
  }
  return "unknown";
}

Match::Match(const v1::MatchStarted& message)
    : message_(std::make_unique<v1::MatchStarted>(message)), rng_(message.bot_seed()) {
  for (const auto& seat : message.seats()) seats_.push_back({seat.bot(), seat.version()});
}

Match::~Match() = default;

const std::string& Match::id() const { return message_->match_id(); }

const std::string& Match::game() const { return message_->game(); }

int Match::seat() const { return static_cast<int>(message_->seat()); }

int Match::max_faults() const { return static_cast<int>(message_->time_control().max_faults()); }

Limit Match::move_time() const {
  const auto& control = message_->time_control();
  return control.has_move_time() ? Limit(to_duration(control.move_time())) : std::nullopt;
}

Limit Match::bank() const {
  const auto& control = message_->time_control();
  return control.has_bank() ? Limit(to_duration(control.bank())) : std::nullopt;
}

const google::protobuf::Struct& Match::options() const {
  if (!options_) {
    auto options = std::make_unique<google::protobuf::Struct>();
    const std::string& json = message_->options_json();
    if (!json.empty() && !google::protobuf::util::JsonStringToMessage(json, options.get()).ok()) {
      throw std::runtime_error("the options of " + to_string(*this) + " are no JSON object");
    }
    options_ = std::move(options);
  }
  return *options_;
}

std::unique_ptr<Decision> Match::decision(std::shared_ptr<const v1::Decision> message) const {
  return std::make_unique<Decision>(*this, std::move(message));
}

std::string to_string(const Match& match) {
  return "<" + inert(match.game()) + " match " + inert(match.id()) + ", seat " +
         std::to_string(match.seat()) + " of " + std::to_string(match.seats().size()) + ">";
}

std::unique_ptr<Match> make_match(const v1::MatchStarted& message) {
  if (message.game() == "byzanz") return std::make_unique<byzanz::Match>(message);
  if (message.game() == "schwarzmarkt") return std::make_unique<schwarzmarkt::Match>(message);
  return std::make_unique<Match>(message);
}

Outcome::Outcome(const Match& of, const v1::MatchEnded& from)
    : match(of),
      message(from),
      scores(from.scores().begin(), from.scores().end()),
      ranks(from.ranks().begin(), from.ranks().end()),
      faults(to_faults(from.faults())),
      void_reason(from.void_reason()) {
  for (const int fault : from.forfeits()) {
    forfeits.push_back(fault == 0 ? std::nullopt : std::optional<Fault>(to_fault(fault)));
  }
}

std::optional<int> Outcome::score() const { return at_seat(scores, match.seat()); }

std::optional<int> Outcome::rank() const { return at_seat(ranks, match.seat()); }

}  // namespace arena
