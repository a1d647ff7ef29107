//! Byzanz: values a hand by the sales it makes or may make, and does what makes it worth most.

use arena_client::byzanz::{
    Byzanz, Counts, Decision, Move, MoveType, Observation, TRADER, by_kind, counts, of_kind,
    sale_points,
};
use arena_client::{Bot, Choice, Program};

/// What an incomplete sale of so many cards is worth, of its best card.
const HOPE: [f64; 3] = [0.0, 0.3, 0.65];

/// Returns about how many points a hand will make.
fn worth(hand: &Counts) -> f64 {
    let mut total = 1.3 * hand[TRADER] as f64;
    for (_, group) in by_kind(hand.elements()) {
        let mut values: Vec<u32> = group.iter().map(|card| card.value()).collect();
        values.sort_unstable_by(|one, other| other.cmp(one));
        let (sales, rest) = (values.len() / 3, values.len() % 3);
        let best = values.get(sales).copied().unwrap_or(0);
        total += f64::from(values[..sales].iter().sum::<u32>()) + HOPE[rest] * f64::from(best);
    }
    total
}

/// Returns what points and hand are worth after a move.
fn after(seen: &Observation, chosen: &Move) -> f64 {
    let gain = match (chosen.move_type, chosen.kind) {
        (MoveType::Done, _) => return 0.0,
        (_, Some(kind)) => of_kind(&seen.market, kind),
        (MoveType::Pass, _) => seen.own().laid.clone(),
        (MoveType::Bid | MoveType::Give, _) => seen.lot.clone(),
        _ => Vec::new(),
    };
    let hand = worth(&(&counts(&[&seen.hand, &gain]) - &counts(&[&chosen.cards])));
    let is_sale = chosen.move_type == MoveType::Sell;
    hand + if is_sale { f64::from(sale_points(&chosen.cards)) } else { 0.0 }
}

/// Looks one move ahead and thinks of nobody else.
struct SensibleBot;

impl Bot for SensibleBot {
    type Game = Byzanz;

    fn decide(&mut self, decision: &Decision) -> Choice {
        let values =
            decision.legal_moves().iter().map(|legal| after(decision.observation(), legal));
        first_of_best(values).into()
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
