/// Schwarzmarkt for bots: goods, cards, moves and what a seat sees.
///
/// Rules cited are those of the rules page. Groups of goods are in rising order, equal ones
/// repeated.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arena/bot.h"

namespace arena::v1 {
class SchwarzmarktEvent;
class SchwarzmarktMaterial;
class SchwarzmarktMove;
class SchwarzmarktObservation;
}  // namespace arena::v1

namespace arena::schwarzmarkt {

/// A good. Unknown is one that the seat may not see.
enum class Good { Unknown, Potatoes, Butter, Sugar, Coffee, Flour };

/// What a text card does (S5).
enum class Effect { OldDebt = 1, NewGoods, ScarceGoods, Foraging, Protection, Raid, SlowTrade };

/// What the seat to act decides about.
enum class Phase { Unknown, Play, Find, Exchange, Return, Over };

/// What a move does.
enum class MoveType { Unknown, Play, Find, Bury, Trade, Step, Hold, Return };

std::string to_string(Good good);
std::string to_string(Effect effect);
std::string to_string(Phase phase);
std::string to_string(MoveType type);

using Goods = std::vector<Good>;

/// Returns how many of the goods held a demand wants.
int wanted(const Goods& held, const Goods& demand);

/// A type of black-market card.
struct Card {
  int number = -1;               ///< its place in the material; -1: not known there
  std::string name = "unknown";  ///< such as "offer:potatoes-2,butter-2" or "raid"
  int copies = 0;                ///< how many of it there are
  Goods demand;                  ///< the goods an offer wants; empty for text cards
  std::optional<Effect> effect;  ///< what a text card does; nothing for offers

  /// Whether it opens an exchange round.
  bool is_offer() const { return !demand.empty(); }
};

/// What is printed: track, black-market cards and goods of this match.
class Material {
 public:
  explicit Material(const v1::SchwarzmarktMaterial& message);

  std::vector<int> prices;  ///< what a good is paid, by space of the track
  std::vector<int> steps;   ///< how far the marker may go, by space
  std::vector<Card> cards;  ///< the types of black-market cards
  Goods goods;              ///< all goods of the deck

  /// The last space of the track.
  int last_space() const { return static_cast<int>(prices.size()) - 1; }
  /// The card of a number; one that is not known for a number beyond the list.
  const Card& card(std::size_t number) const;
};

/// A legal move. Valid while its match is.
struct Move {
  Move(std::size_t place, const v1::SchwarzmarktMove& message, const Material& material);

  std::size_t index;  ///< its place among the legal moves
  MoveType type;
  const Card* card;           ///< the card played or buried; null for all other moves
  std::optional<int> target;  ///< the seat a card is played at
  Goods goods;                ///< traded, laid aside for foraging, found or returned
  int spaces;                 ///< how far the marker goes; 0 unless it is a step

  /// The move as the rules write it, such as "trade potatoes butter".
  std::string text() const;
};

/// Goods the seat knows to have come to a hidden place.
struct Known {
  Goods goods;
  int unseen;  ///< up to so many of them may be gone; 0: all are there
};

/// What is known about a seat.
struct Seat {
  int number;     ///< which seat, from 0
  int hand_size;  ///< how many goods it holds
  int luxury;     ///< its wealth: the score
  bool has_traded;
  std::vector<Known> known;  ///< what the observing seat knows of its goods
};

/// A text card about the next or the running exchange round.
struct OpenCard {
  const Card* card;
  std::optional<int> target;
};

/// All the seat may know now. Complete: no memory is needed. Valid while its match is.
struct Observation {
  Observation(const v1::SchwarzmarktObservation& message, const Material& material);

  int seat;  ///< the own seat
  Phase phase;
  int game_round;                       ///< 1 or 2
  int start;                            ///< the seat that plays, or played last, a card
  int marker;                           ///< the space of the track where the marker stands, from 0
  int price;                            ///< what a good is paid there
  const Card* offer;                    ///< the card being exchanged; null when no round runs
  const Card* resolving;                ///< the text card that is taking effect; null: none
  Goods goods;                          ///< the own goods
  std::vector<const Card*> cards;       ///< the own black-market cards
  Goods demand;                         ///< the goods still wanted
  Goods traded;                         ///< in this exchange round, in the order of trading
  std::vector<OpenCard> open_cards;     ///< in order of play
  std::vector<Seat> seats;              ///< by seat
  int goods_pile_size;                  ///< how many goods are in the pile
  int black_market_pile_size;           ///< how many black-market cards are in the pile
  std::vector<Known> pile_known;        ///< goods known to be in the goods pile
  std::vector<const Card*> seen_cards;  ///< shown so far in the match, each type once
  int cards_dealt_with;                 ///< how many were played or buried in this game round
  int idle_rounds;                      ///< exchange rounds in a row without a trade (S6.4)

  /// The own seat.
  const Seat& own() const { return seats.at(static_cast<std::size_t>(seat)); }
  /// The other seats, clockwise from the own one.
  std::vector<const Seat*> others() const;
};

/// A match of Schwarzmarkt.
class Match : public arena::Match {
 public:
  explicit Match(const v1::MatchStarted& message);
  const Material& material() const { return material_; }
  std::unique_ptr<arena::Decision> decision(
      std::shared_ptr<const v1::Decision> message) const override;

 private:
  Material material_;
};

/// A decision of Schwarzmarkt.
class Decision : public arena::Decision {
 public:
  template <class Message>
  Decision(const Match& match, const Message& message) : arena::Decision(match, message) {}

  const Match& match() const { return static_cast<const Match&>(arena::Decision::match()); }
  /// All legal moves: cards as in the material; trades, then steps or hold.
  const std::vector<Move>& legal_moves() const;
  /// The legal moves of some types, in their order.
  std::vector<Move> moves_of(std::initializer_list<MoveType> types) const;
  /// All the seat may know now.
  const Observation& observation() const;
  /// What happened since the seat's last decision, oldest first (include arena/messages.h).
  std::vector<const v1::SchwarzmarktEvent*> events() const;

 protected:
  std::string text_of(std::size_t index) const override;

 private:
  mutable std::vector<Move> moves_;
  mutable std::optional<Observation> observation_;
};

}  // namespace arena::schwarzmarkt

namespace arena {

/// A bot that plays Schwarzmarkt.
class SchwarzmarktBot : public GameBot<schwarzmarkt::Match, schwarzmarkt::Decision> {
 public:
  inline static const std::vector<std::string> games = {"schwarzmarkt"};
};

}  // namespace arena
