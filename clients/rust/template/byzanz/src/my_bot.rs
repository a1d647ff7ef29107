//! The bot. Plays Byzanz.

use arena_client::byzanz::{Byzanz, Decision, Match, MoveType, sale_points};
use arena_client::{Bot, Choice, Program};

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
    type Game = Byzanz;

    /// Returns a legal move: the best sale there is, or else any, by chance.
    fn decide(&mut self, decision: &Decision) -> Choice {
        let sales = decision.moves_of(&[MoveType::Sell]);
        match sales.max_by_key(|sale| sale_points(&sale.cards)) {
            Some(best) => best.into(),
            None => {
                let rng = decision.game_match().rng();
                rng.below(decision.legal_count()).into()
            }
        }
    }
}

fn main() {
    let program = Program::new("{{name}}", MyBot::new);
    program.version("1").run()
}
