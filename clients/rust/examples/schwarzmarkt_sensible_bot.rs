//! Schwarzmarkt: sells all it can at a decent price, and plays the offers that want its goods.

use arena_client::schwarzmarkt::{Decision, Move, MoveType, Observation, Schwarzmarkt, wanted};
use arena_client::{Bot, Choice, Program};

/// Of the last price.
const DECENT: f64 = 1.0 / 4.0;

/// Lets the price rise slowly: a short step leaves the next seat a price it will not like.
struct SensibleBot;

impl Bot for SensibleBot {
    type Game = Schwarzmarkt;

    fn decide(&mut self, decision: &Decision) -> Choice {
        let seen = decision.observation();
        let last_price = decision.game_match().material().prices.last().copied().unwrap_or(0);
        let is_decent = f64::from(seen.price) >= DECENT * f64::from(last_price);
        let values = decision.legal_moves().iter().map(|legal| value(legal, seen, is_decent));
        first_of_best(values).into()
    }
}

/// Returns how good a move looks now.
fn value(chosen: &Move, seen: &Observation, is_decent: bool) -> f64 {
    let held = |good| seen.goods.iter().filter(|&one| one == good).count();
    let held = chosen.goods.iter().map(held).sum::<usize>() as f64; // find what is rare
    match (chosen.move_type, &chosen.card) {
        (MoveType::Trade, _) if is_decent => chosen.goods.len() as f64,
        (MoveType::Trade, _) => -100.0,
        (MoveType::Step, _) => -f64::from(chosen.spaces),
        (_, Some(card)) if card.is_offer() => wanted(&seen.goods, &card.demand) as f64,
        (MoveType::Return, _) => held,
        _ => 0.5 - held,
    }
}

/// Returns the place of the greatest value; of equal ones the first.
fn first_of_best(values: impl Iterator<Item = f64>) -> usize {
    let best = |best: (usize, f64), one: (usize, f64)| if one.1 > best.1 { one } else { best };
    values.enumerate().reduce(best).map_or(0, |(place, _)| place)
}

fn main() {
    Program::new("sensible", |_| SensibleBot).version("1").run()
}
