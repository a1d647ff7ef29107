/// A decision: what decide() gets, and how what it returns becomes the place of a legal move.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "arena/match.h"

namespace arena {

/// One legal move of any game.
class Move {
 public:
  Move(std::size_t place, std::string text) : index(place), text_(std::move(text)) {}

  std::size_t index;  ///< its place among the legal moves
  /// The move as the rules write it; for an unknown game its index.
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// What decide() returns: a legal move or its index. Made by itself from either.
class Choice {
 public:
  template <class Index, std::enable_if_t<std::is_integral_v<Index>, int> = 0>
  Choice(Index index) : index_(clamped(index)) {
    static_assert(!std::is_same_v<Index, bool>, "decide() returns a legal move or its index");
  }
  template <class AnyMove, class = decltype(std::declval<const AnyMove&>().text())>
  Choice(const AnyMove& move) : index_(clamped(move.index)), text_(move.text()) {}

  std::int64_t index() const { return index_; }
  /// The text of a chosen move; empty if only its index was given.
  const std::string& text() const { return text_; }

 private:
  template <class Index>
  static std::int64_t clamped(Index index) {
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    if (index > 0 && static_cast<std::uint64_t>(index) > static_cast<std::uint64_t>(kMost)) {
      return kMost;
    }
    return static_cast<std::int64_t>(index);
  }

  std::int64_t index_;
  std::string text_;
};

/// A question to a seat. All but the note is read only, and made when it is first looked at.
/// Valid while its match is.
class Decision {
 public:
  Decision(const Match& match, std::shared_ptr<const v1::Decision> message);
  Decision(const Match& match, const v1::Decision& message);
  virtual ~Decision();
  Decision(const Decision&) = delete;
  Decision& operator=(const Decision&) = delete;

  /// Set it to keep a text beside the move in the replay.
  std::string note;

  /// The number of the question within the match, from 1, rising.
  std::uint32_t id() const;
  const Match& match() const { return match_; }
  /// How many legal moves there are, at least 2. Costs less than legal_moves().size().
  std::size_t legal_count() const;
  /// All moves the seat may make, each once, in the game's fixed order.
  const std::vector<Move>& legal_moves() const;
  /// The misbehaviours of seats since this seat's last decision, its own among them.
  std::vector<SeatFault> faults() const;
  /// What this decision may take before the bank is touched.
  Limit move_time() const;
  /// What is left in the bank.
  Limit bank() const;
  /// The message it came in.
  const v1::Decision& message() const { return *message_; }

  /// Returns the place of a chosen move. Throws IllegalChoice if it is neither a legal move nor the
  /// place of one. A move kept from an earlier decision counts if it is legal now.
  std::size_t index_of(const Choice& choice) const;

 protected:
  /// Returns the text of a legal move. The index may be beyond the moves that the game knows.
  virtual std::string text_of(std::size_t index) const;

 private:
  std::string refusal(const Choice& choice) const;

  const Match& match_;
  std::shared_ptr<const v1::Decision> message_;
  mutable std::vector<Move> moves_;
};

}  // namespace arena
