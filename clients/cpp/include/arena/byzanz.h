/// Byzanz for bots: cards, moves and what a seat sees. Rules cited are those of the rules page.
///
/// Groups of cards are in rising order, equal cards repeated; counts() counts them.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arena/bot.h"

namespace arena::v1 {
class ByzanzEvent;
class ByzanzMove;
class ByzanzObservation;
}  // namespace arena::v1

namespace arena::byzanz {

/// A kind of cards. Traders are a kind on the market (B4.1).
enum class Kind { Unknown, Cloth, Spice, Wine, Wood, Grain, Olives, Trader };

/// What the seat to act decides about.
enum class Phase { Unknown, Auction, Give, Take, Limit, Final, Over };

/// What a move does.
enum class MoveType { Unknown, Pass, Bid, Give, Take, Sell, Discard, Done };

std::string to_string(Kind kind);
std::string to_string(Phase phase);
std::string to_string(MoveType type);

/// A card, by its number in the protocol, which is also the order of cards.
class Card {
 public:
  /// A card that the seat may not see, or that this version does not know.
  constexpr Card() = default;
  constexpr explicit Card(int number) : number_(1 <= number && number <= 25 ? number : 0) {}

  constexpr int number() const { return number_; }
  /// Its kind; Unknown for a card the seat may not see.
  constexpr Kind kind() const { return static_cast<Kind>((number_ + 3) / 4); }
  /// 1 to 4; 0 for a trader.
  constexpr int value() const { return 1 <= number_ && number_ <= 24 ? (number_ - 1) % 4 + 1 : 0; }
  /// Such as "cloth-1" or "trader".
  std::string name() const;

  friend constexpr bool operator==(Card a, Card b) { return a.number_ == b.number_; }
  friend constexpr bool operator!=(Card a, Card b) { return a.number_ != b.number_; }
  friend constexpr bool operator<(Card a, Card b) { return a.number_ < b.number_; }

 private:
  int number_ = 0;
};

inline constexpr Card kTrader{25};

using Cards = std::vector<Card>;

/// Returns cards by their names in one text, such as "wine-1 trader". Throws std::invalid_argument.
Cards cards(std::string_view names);
/// Returns the sum of the values of cards: what they make as a bid (B3.5).
int value(const Cards& group);
/// Returns what a sale of these cards scores: its best card, 5 for three traders (B5.2).
int sale_points(const Cards& group);
/// Returns the cards of one kind.
Cards of_kind(const Cards& group, Kind kind);
/// Returns cards by their kinds, in the order in which the kinds come first.
std::vector<std::pair<Kind, Cards>> by_kind(const Cards& group);

/// How often each card is in a group, in the order in which they were first counted.
class Counts {
 public:
  int operator[](Card card) const;
  void add(const Cards& group);
  /// All cards, equal ones together.
  Cards elements() const;
  int total() const;
  /// Takes cards away; of which there are too few none is left.
  friend Counts operator-(Counts from, const Counts& what);

 private:
  std::vector<std::pair<Card, int>> counts_;
};

/// Returns how often each card is in groups of cards together.
template <class... Groups>
Counts counts(const Groups&... groups) {
  Counts total;
  (total.add(groups), ...);
  return total;
}

/// A legal move.
struct Move {
  Move(std::size_t place, const v1::ByzanzMove& message);

  std::size_t index;  ///< its place among the legal moves
  MoveType type;
  Cards cards;  ///< those added by a bid, the three of a sale, the one given or discarded
  Kind kind;    ///< the kind taken from the market; Unknown for all other moves

  /// The sum of the values of the cards: what a bid adds.
  int value() const { return byzanz::value(cards); }
  /// The move as the rules write it, such as "bid spice-2 wine-1".
  std::string text() const;
};

/// Cards publicly known to have come into a hand at about the same time.
struct Known {
  Cards cards;
  int unseen;  ///< up to so many of them may be gone; 0: all are there
};

/// What everybody knows about a seat.
struct Seat {
  int number;  ///< which seat, from 0
  int hand_size;
  int points;
  bool passed;    ///< it is out of this auction by passing
  int offer;      ///< the offer card it holds, then it is out of the auctions; 0 for none
  int face_down;  ///< how many cards it has discarded face down
  Cards laid;     ///< the cards of its bid in this auction; they are not in its hand
  Cards kept;     ///< its profit cards
  std::vector<Known> known;  ///< what is known of its hand, the oldest knowledge first
};

/// All the seat may know now. Complete: no memory is needed.
struct Observation {
  explicit Observation(const v1::ByzanzObservation& message);

  int seat;  ///< the own seat
  Phase phase;
  int round;  ///< the number of the round, from 1
  int deck_size;
  int offer;                        ///< the offer card of the running auction; 0 when none runs
  int speaker;                      ///< the seat that spoke first in this auction, or will next
  int high;                         ///< the highest bid in this auction; 0 when there is none
  std::optional<int> leader;        ///< the seat that made it
  std::optional<int> first_passer;  ///< the seat that passed first in this auction
  int takes;                        ///< how many seats had their turn at the market this round
  Cards hand;                       ///< the own hand
  Cards own_discards;               ///< the cards the seat itself discarded face down
  Cards lot;                        ///< up for auction, or won and still to be given from
  Cards market;                     ///< what lies on the market
  Cards out;                        ///< publicly out of the game, profit cards not counted
  std::vector<Seat> seats;          ///< by seat

  /// The own seat.
  const Seat& own() const { return seats.at(static_cast<std::size_t>(seat)); }
  /// The other seats, clockwise from the own one.
  std::vector<const Seat*> others() const;
};

/// What is settled before the first move (B2).
struct Material {
  std::vector<int> offers;  ///< the numbers on the offer cards, highest first
  int rounds;
  int removed;  ///< how many cards were removed unseen
};

/// A match of Byzanz.
class Match : public arena::Match {
 public:
  explicit Match(const v1::MatchStarted& message);
  const Material& material() const { return material_; }
  std::unique_ptr<arena::Decision> decision(
      std::shared_ptr<const v1::Decision> message) const override;

 private:
  Material material_;
};

/// A decision of Byzanz.
class Decision : public arena::Decision {
 public:
  template <class Message>
  Decision(const Match& match, const Message& message) : arena::Decision(match, message) {}

  const Match& match() const { return static_cast<const Match&>(arena::Decision::match()); }
  /// All legal moves: those of the decision first, bids rising in value, then sales.
  const std::vector<Move>& legal_moves() const;
  /// The legal moves of some types, in their order.
  std::vector<Move> moves_of(std::initializer_list<MoveType> types) const;
  /// All the seat may know now.
  const Observation& observation() const;
  /// What happened since the seat's last decision, oldest first (include arena/messages.h).
  std::vector<const v1::ByzanzEvent*> events() const;
  /// How many rounds follow after this one; 0 in the last.
  int rounds_left() const { return match().material().rounds - observation().round; }

 protected:
  std::string text_of(std::size_t index) const override;

 private:
  mutable std::vector<Move> moves_;
  mutable std::optional<Observation> observation_;
};

}  // namespace arena::byzanz

namespace arena {

/// A bot that plays Byzanz.
class ByzanzBot : public GameBot<byzanz::Match, byzanz::Decision> {
 public:
  inline static const std::vector<std::string> games = {"byzanz"};
};

}  // namespace arena
