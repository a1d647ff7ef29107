// Schwarzmarkt: sells all it can at a decent price, and plays the offers that want its goods.

#include <algorithm>

#include "arena/client.h"

using namespace arena::schwarzmarkt;

constexpr double kDecent = 1.0 / 4;  // of the last price

// Lets the price rise slowly: a short step leaves the next seat a price it will not like.
class SensibleBot : public arena::SchwarzmarktBot {
 public:
  static constexpr auto name = "sensible";
  static constexpr auto version = "1";

  // Returns the move that looks best now.
  arena::Choice decide(Decision& decision) override {
    const Observation& seen = decision.observation();
    const bool is_decent = seen.price >= kDecent * match().material().prices.back();
    std::vector<double> values;
    for (const Move& move : decision.legal_moves()) values.push_back(value(move, seen, is_decent));
    return std::max_element(values.begin(), values.end()) - values.begin();
  }

 private:
  static double value(const Move& move, const Observation& seen, bool is_decent) {
    if (move.type == MoveType::Trade) return is_decent ? static_cast<int>(move.goods.size()) : -100;
    if (move.type == MoveType::Step) return -move.spaces;
    if (move.card != nullptr && move.card->is_offer()) return wanted(seen.goods, move.card->demand);
    int held = 0;  // find what is rare
    for (const Good good : move.goods) {
      held += static_cast<int>(std::count(seen.goods.begin(), seen.goods.end(), good));
    }
    return move.type == MoveType::Return ? held : 0.5 - held;
  }
};

int main(int argc, char** argv) { return arena::run<SensibleBot>(argc, argv); }
