//! The bot. Plays Schwarzmarkt.

use arena_client::schwarzmarkt::{Decision, Match, MoveType, Schwarzmarkt};
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
    type Game = Schwarzmarkt;

    /// Returns a legal move: the trade of most goods, or else any, by chance.
    fn decide(&mut self, decision: &Decision) -> Choice {
        let trades = decision.moves_of(&[MoveType::Trade]);
        match trades.max_by_key(|trade| trade.goods.len()) {
            Some(largest) => largest.into(),
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
