#pragma once

#include "arena/client.h"

using namespace arena::schwarzmarkt;

// Plays Schwarzmarkt. One object is made per match: keep in it what you like.
class MyBot : public arena::SchwarzmarktBot {
 public:
  static constexpr auto name = "{{name}}";
  static constexpr auto version = "1";

  // Returns one of decision.legal_moves(), or its index.
  arena::Choice decide(Decision& decision) override {
    const Observation& seen = decision.observation();

    // Trade as much as possible, once the price is at least a quarter of the last one.
    const bool is_decent = 4 * seen.price >= match().material().prices.back();
    const auto trades = decision.moves_of({MoveType::Trade});
    if (is_decent && !trades.empty()) return largest_of(trades);

    // Else let the price rise, by as little as possible.
    const auto steps = decision.moves_of({MoveType::Step});
    if (!steps.empty()) return steps.front();
    return decision.legal_moves().front();
  }

 private:
  static Move largest_of(const std::vector<Move>& trades) {
    const Move* best = &trades.front();
    for (const Move& trade : trades) {
      if (trade.goods.size() > best->goods.size()) best = &trade;
    }
    return *best;
  }
};
