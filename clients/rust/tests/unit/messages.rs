//! Messages that tests play with.

use prost_types::Duration;

use crate::v1::decision::Game;
use crate::v1::match_started::Material;
use crate::v1::*;

pub const POTATOES: i32 = SchwarzmarktGood::Potatoes as i32;
pub const BUTTER: i32 = SchwarzmarktGood::Butter as i32;
pub const FLOUR: i32 = SchwarzmarktGood::Flour as i32;

/// Returns the start of a match with the bot in seat 1 of 2.
pub fn started(match_id: &str, game: &str) -> MatchStarted {
    let seat = |bot: &str, version: &str| SeatInfo { bot: bot.into(), version: version.into() };
    MatchStarted {
        match_id: match_id.to_owned(),
        game: game.to_owned(),
        options_json: r#"{"deck":"uneven"}"#.to_owned(),
        seat: 1,
        seats: vec![seat("other", "2"), seat("mine", "")],
        time_control: Some(TimeControl {
            move_time: Some(Duration { seconds: 0, nanos: 500_000_000 }),
            bank: Some(Duration { seconds: 10, nanos: 0 }),
            max_faults: 3,
        }),
        bot_seed: (0..32).collect(),
        material: (game == "schwarzmarkt").then(|| Material::Schwarzmarkt(material())),
    }
}

fn material() -> SchwarzmarktMaterial {
    let space = |price, steps| SchwarzmarktSpace { price, steps };
    let card = |name: &str, copies, demand, effect: SchwarzmarktEffect| SchwarzmarktCard {
        name: name.to_owned(),
        copies,
        demand,
        effect: effect.into(),
    };
    SchwarzmarktMaterial {
        track: vec![space(1, 4), space(50, 0)],
        cards: vec![
            card(
                "offer:potatoes-2,butter-2",
                1,
                vec![POTATOES, POTATOES, BUTTER, BUTTER],
                SchwarzmarktEffect::Unspecified,
            ),
            card("old_debt", 2, vec![], SchwarzmarktEffect::OldDebt),
            card("foraging", 1, vec![], SchwarzmarktEffect::Foraging),
        ],
        goods: vec![POTATOES, FLOUR],
    }
}

/// Returns an auction of Byzanz with three legal moves: pass and two bids.
pub fn decision(match_id: &str, number: u32) -> Decision {
    let (spice_2, wine_1) = (ByzanzCard::Spice2 as i32, ByzanzCard::Wine1 as i32);
    let legal = |kind: byzanz_move::Type, cards: &[i32]| ByzanzMove {
        r#type: kind.into(),
        cards: cards.to_vec(),
        kind: 0,
    };
    let seen = ByzanzObservation {
        seat: Some(1),
        hand: vec![spice_2, wine_1],
        seats: vec![ByzanzSeat::default(); 2],
        ..ByzanzObservation::default()
    };
    Decision {
        match_id: match_id.to_owned(),
        decision_id: number,
        legal_count: 3,
        bank: Some(Duration { seconds: 7, nanos: 0 }),
        game: Some(Game::Byzanz(ByzanzDecision {
            observation: Some(seen),
            legal_moves: vec![
                legal(byzanz_move::Type::Pass, &[]),
                legal(byzanz_move::Type::Bid, &[wine_1]),
                legal(byzanz_move::Type::Bid, &[spice_2, wine_1]),
            ],
            events: vec![ByzanzEvent::default()],
        })),
        ..Decision::default()
    }
}
