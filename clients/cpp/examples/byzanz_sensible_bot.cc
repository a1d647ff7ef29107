// Byzanz: values a hand by the sales it makes or may make, and does what makes it worth most.

#include <algorithm>
#include <functional>

#include "arena/client.h"

using namespace arena::byzanz;

constexpr double kHope[] = {0.0, 0.3, 0.65};  // what an incomplete sale is worth, of its best card

// Returns about how many points a hand will make.
double worth(const Counts& hand) {
  double total = 1.3 * hand[kTrader];
  for (const auto& [kind, group] : by_kind(hand.elements())) {
    std::vector<int> values;
    for (const Card card : group) values.push_back(card.value());
    std::sort(values.begin(), values.end(), std::greater<>());
    const std::size_t sales = values.size() / 3, rest = values.size() % 3;
    int sold = 0;
    for (std::size_t i = 0; i < sales; ++i) sold += values[i];
    total += sold + kHope[rest] * (sales < values.size() ? values[sales] : 0);
  }
  return total;
}

// Looks one move ahead and thinks of nobody else.
class SensibleBot : public arena::ByzanzBot {
 public:
  static constexpr auto name = "sensible";
  static constexpr auto version = "1";

  // Returns the move after which points and hand are worth most.
  arena::Choice decide(Decision& decision) override {
    const auto& moves = decision.legal_moves();
    std::vector<double> after;
    for (const Move& move : moves) after.push_back(worth_after(move, decision.observation()));
    return std::max_element(after.begin(), after.end()) - after.begin();
  }

 private:
  static double worth_after(const Move& move, const Observation& seen) {
    if (move.type == MoveType::Done) return 0.0;
    const double hand = worth(counts(seen.hand, gain(move, seen)) - counts(move.cards));
    return hand + (move.type == MoveType::Sell ? sale_points(move.cards) : 0);
  }

  static Cards gain(const Move& move, const Observation& seen) {
    if (move.type == MoveType::Take) return of_kind(seen.market, move.kind);
    if (move.type == MoveType::Pass) return seen.own().laid;
    return move.type == MoveType::Bid || move.type == MoveType::Give ? seen.lot : Cards{};
  }
};

int main(int argc, char** argv) { return arena::run<SensibleBot>(argc, argv); }
