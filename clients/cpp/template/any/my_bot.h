#pragma once

#include "arena/client.h"

// Plays every game. One object is made per match: keep in it what you like.
class MyBot : public arena::Bot {
 public:
  static constexpr auto name = "{{name}}";
  static constexpr auto version = "1";

  // Returns one of decision.legal_moves(), or its index.
  arena::Choice decide(arena::Decision& decision) override {
    return match().rng().below(decision.legal_count());
  }
};
