//! The bot. Plays every game.

use arena_client::{AnyGame, Bot, Choice, Decision, Match, Program};

#[cfg(test)]
mod my_bot_test;

/// One object plays one match: what it keeps belongs to that match.
struct MyBot;

impl MyBot {
    /// Called when a match starts.
    fn new(_: &Match) -> Self {
        Self
    }
}

impl Bot for MyBot {
    type Game = AnyGame;

    /// Returns the index of a legal move: here any, by chance.
    fn decide(&mut self, decision: &Decision) -> Choice {
        let rng = decision.game_match().rng();
        rng.below(decision.legal_count()).into()
    }
}

fn main() {
    let program = Program::new("{{name}}", MyBot::new);
    program.version("1").run()
}
