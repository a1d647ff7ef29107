//! Chooses any legal move. Plays every game.

use arena_client::{AnyGame, Bot, Choice, Decision, Program};

/// Knows nothing but how many legal moves there are.
struct RandomBot;

impl Bot for RandomBot {
    type Game = AnyGame;

    fn decide(&mut self, decision: &Decision) -> Choice {
        decision.game_match().rng().below(decision.legal_count()).into()
    }
}

fn main() {
    Program::new("random", |_| RandomBot).version("1").max_matches(64).run()
}
