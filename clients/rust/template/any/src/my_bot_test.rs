//! Asks the bot the decisions in samples/, without an arena.

use std::sync::Arc;

use arena_client::prost::Message;
use arena_client::v1::{PlayResponse, play_response};
use arena_client::{Bot, Decision, Match};

use super::MyBot;

/// Returns a match of Byzanz, and the decisions that are asked in it.
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
