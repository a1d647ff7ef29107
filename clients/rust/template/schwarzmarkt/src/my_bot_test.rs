//! Asks the bot the decisions in samples/, without an arena.

use std::sync::Arc;

use arena_client::Bot;
use arena_client::prost::Message;
use arena_client::schwarzmarkt::{Decision, Good, Match};
use arena_client::v1::{self, PlayResponse, play_response};

use super::MyBot;

/// Returns a match, and the decisions that are asked in it.
fn samples() -> (Arc<Match>, Vec<Decision>) {
    let read = |content: &[u8]| PlayResponse::decode(content).unwrap().message.unwrap();
    let started = read(include_bytes!("../samples/match-started.binpb"));
    let asked = read(include_bytes!("../samples/decisions.binpb"));
    let play_response::Message::MatchStarted(started) = started else {
        panic!("{started:?}")
    };
    let play_response::Message::Decisions(asked) = asked else {
        panic!("{asked:?}")
    };
    let game_match = Arc::new(Match::new(started));
    let decision = |message| Decision::new(Arc::clone(&game_match), message);
    let decisions = asked.decisions.into_iter().map(decision).collect();
    (game_match, decisions)
}

/// Whatever is asked, a legal move is chosen.
#[test]
fn every_choice_is_legal() {
    let (game_match, decisions) = samples();
    let mut bot = MyBot::new(&game_match);
    for decision in decisions {
        let choice = bot.decide(&decision);
        decision.index_of(&choice).unwrap();
    }
}

/// Of the trades in a decision, one that the test makes larger is chosen.
#[test]
fn the_largest_trade_is_made() {
    let (game_match, decisions) = samples();
    let mut message = decisions[0].message().clone();
    let Some(v1::decision::Game::Schwarzmarkt(asked)) = &mut message.game else {
        panic!("{message:?}")
    };
    asked.legal_moves.push(v1::SchwarzmarktMove {
        r#type: v1::schwarzmarkt_move::Type::Trade.into(),
        goods: vec![Good::Potatoes as i32, Good::Butter as i32],
        ..Default::default()
    });
    message.legal_count += 1;

    let decision = Decision::new(game_match.clone(), message);
    let choice = MyBot::new(&game_match).decide(&decision);
    assert_eq!(
        decision.index_of(&choice).unwrap(),
        decision.legal_count() - 1
    );
}
