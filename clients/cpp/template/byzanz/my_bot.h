#pragma once

#include "arena/client.h"

using namespace arena::byzanz;

// Plays Byzanz. One object is made per match: keep in it what you like.
class MyBot : public arena::ByzanzBot {
 public:
  static constexpr auto name = "{{name}}";
  static constexpr auto version = "1";

  // Returns one of decision.legal_moves(), or its index.
  arena::Choice decide(Decision& decision) override {
    // Sell what scores most, as soon as anything can be sold.
    const auto sales = decision.moves_of({MoveType::Sell});
    if (!sales.empty()) return best_of(sales);

    // Bid as long as it costs less than the lot is worth.
    const Observation& seen = decision.observation();
    for (const Move& bid : decision.moves_of({MoveType::Bid})) {
      if (seen.high + bid.value() < value(seen.lot)) return bid;
    }
    return decision.legal_moves().front();
  }

 private:
  static Move best_of(const std::vector<Move>& sales) {
    const Move* best = &sales.front();
    for (const Move& sale : sales) {
      if (sale_points(sale.cards) > sale_points(best->cards)) best = &sale;
    }
    return *best;
  }
};
