#include "arena/decision.h"

#include <algorithm>

#include "arena/errors.h"
#include "src/convert.h"

namespace arena {
namespace {

constexpr std::size_t kListed = 40;  // legal moves named in a refusal; a reader wants no more

}  // namespace

Decision::Decision(const Match& match, std::shared_ptr<const v1::Decision> message)
    : match_(match), message_(std::move(message)) {}

Decision::Decision(const Match& match, const v1::Decision& message)
    : Decision(match, std::make_shared<const v1::Decision>(message)) {}

Decision::~Decision() = default;

std::uint32_t Decision::id() const { return message_->decision_id(); }

std::size_t Decision::legal_count() const { return message_->legal_count(); }

const std::vector<Move>& Decision::legal_moves() const {
  if (moves_.empty()) {
    moves_.reserve(legal_count());
    for (std::size_t i = 0; i < legal_count(); ++i) moves_.emplace_back(i, text_of(i));
  }
  return moves_;
}

std::vector<SeatFault> Decision::faults() const { return to_faults(message_->faults()); }

Limit Decision::move_time() const {
  return message_->has_move_time() ? Limit(to_duration(message_->move_time())) : std::nullopt;
}

Limit Decision::bank() const {
  return message_->has_bank() ? Limit(to_duration(message_->bank())) : std::nullopt;
}

std::size_t Decision::index_of(const Choice& choice) const {
  const std::size_t count = legal_count();
  const bool is_place = 0 <= choice.index() && static_cast<std::uint64_t>(choice.index()) < count;
  const auto place = static_cast<std::size_t>(choice.index());
  if (is_place && (choice.text().empty() || choice.text() == text_of(place))) return place;
  if (!choice.text().empty()) {  // perhaps a move kept from an earlier decision
    for (std::size_t i = 0; i < count; ++i) {
      if (choice.text() == text_of(i)) return i;
    }
  }
  throw IllegalChoice(refusal(choice));
}

std::string Decision::text_of(std::size_t index) const { return std::to_string(index); }

std::string Decision::refusal(const Choice& choice) const {
  const std::size_t count = legal_count();
  std::string shown = std::to_string(choice.index());
  if (!choice.text().empty()) shown = "<" + shown + ": " + choice.text() + ">";
  std::string lines = "decide() returned " + shown + ", which is not one of the " +
                      std::to_string(count) + " legal moves:\n";
  for (std::size_t i = 0; i < std::min(count, kListed); ++i) {
    lines += "  " + std::to_string(i) + ": " + text_of(i) + "\n";
  }
  if (count > kListed) lines += "  ... and " + std::to_string(count - kListed) + " more\n";
  return lines + "(decision " + std::to_string(id()) + " of " + to_string(match_) +
         "; return a legal move or its index)";
}

}  // namespace arena
