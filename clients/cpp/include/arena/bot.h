/// What the author of a bot writes: a class with decide(), one object per match.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <vector>

#include "arena/decision.h"
#include "arena/match.h"

namespace arena {

/// What the bots of all games share. Derive from Bot, ByzanzBot or SchwarzmarktBot instead.
class AnyBot {
 public:
  virtual ~AnyBot() = default;
  AnyBot(const AnyBot&) = delete;
  AnyBot& operator=(const AnyBot&) = delete;

  // A bot class hides these by its own, of the same name.
  static constexpr const char* name = "";     ///< if empty the name of the class
  static constexpr const char* version = "";  ///< shown in replays and leaderboards
  static constexpr int max_matches = 16;      ///< how many matches it takes at once
  static constexpr int workers = 1;           ///< for how many matches decide() may run at once
  inline static const std::vector<std::string> games;  ///< those it plays; empty: every game

  /// Called once when the match has ended; the object is dropped afterwards.
  virtual void ended(const Outcome& /*outcome*/) {}

  /// Answers a decision of the bot's own game.
  virtual Choice answer(Decision& decision) = 0;

 protected:
  AnyBot() = default;
};

/// A bot whose matches and decisions are of the given classes.
template <class MatchT, class DecisionT>
class GameBot : public AnyBot {
 public:
  /// The class of its matches.
  using MatchType = MatchT;
  /// The class of its decisions.
  using DecisionType = DecisionT;

  /// Returns one of decision.legal_moves() or its index.
  virtual Choice decide(DecisionT& decision) = 0;

  /// The match this object plays. A constructor that wants it takes it as its argument.
  const MatchT& match() const {
    if (match_ == nullptr) {
      throw std::logic_error("match() in a constructor: take `const Match&` as its argument");
    }
    return *match_;
  }

  Choice answer(Decision& decision) final { return decide(dynamic_cast<DecisionT&>(decision)); }

 private:
  template <class BotT>
  friend std::unique_ptr<BotT> make_bot(const Match& match);

  const MatchT* match_ = nullptr;
};

/// A bot for any game: it knows how many legal moves there are, and asks which game it is.
class Bot : public GameBot<Match, Decision> {};

/// Makes the object that plays a match, as the arena does: with the match, if its constructor takes
/// one. Throws std::invalid_argument if the match is of another game than the bot's.
template <class BotT>
std::unique_ptr<BotT> make_bot(const Match& match) {
  using MatchT = typename BotT::MatchType;
  const auto* own = dynamic_cast<const MatchT*>(&match);
  if (own == nullptr) throw std::invalid_argument("the bot does not play " + match.game());
  std::unique_ptr<BotT> bot;
  if constexpr (std::is_constructible_v<BotT, const MatchT&>) {
    bot = std::make_unique<BotT>(*own);
  } else {
    bot = std::make_unique<BotT>();
  }
  static_cast<GameBot<MatchT, typename BotT::DecisionType>&>(*bot).match_ = own;
  return bot;
}

/// A bot class as the library uses it.
struct BotClass {
  std::string class_name;
  std::string name;
  std::string version;
  std::vector<std::string> games;
  int max_matches = 1;
  int workers = 1;
  std::function<std::unique_ptr<AnyBot>(const Match&)> make;
};

/// Returns the name of a type as its author wrote it.
std::string type_name(const std::type_info& type);

/// Describes a bot class by its fields.
template <class BotT>
BotClass describe() {
  static_assert(std::is_base_of_v<AnyBot, BotT>, "a bot derives from Bot, ByzanzBot or another");
  BotClass bot;
  bot.class_name = type_name(typeid(BotT));
  bot.name = BotT::name;
  if (bot.name.empty()) bot.name = bot.class_name;
  bot.version = BotT::version;
  bot.games = BotT::games;
  bot.max_matches = BotT::max_matches;
  bot.workers = BotT::workers;
  bot.make = [](const Match& match) { return make_bot<BotT>(match); };
  return bot;
}

/// Throws UsageError if a bot class has a field that the arena would refuse.
void check_bot(const BotClass& bot);

}  // namespace arena
