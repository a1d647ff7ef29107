// Chooses any legal move. Plays every game.

#include "arena/client.h"

// Knows nothing but how many legal moves there are.
class RandomBot : public arena::Bot {
 public:
  static constexpr auto name = "random";
  static constexpr auto version = "1";
  static constexpr int max_matches = 64;

  arena::Choice decide(arena::Decision& decision) override {
    return match().rng().below(decision.legal_count());
  }
};

int main(int argc, char** argv) { return arena::run<RandomBot>(argc, argv); }
