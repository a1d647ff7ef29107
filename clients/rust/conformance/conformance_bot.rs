//! Plays as CONFORMANCE says, for the tests of clients/conformance (see clients/README.md).

use std::env;
use std::thread::sleep;
use std::time::Duration;

use arena_client::{AnyGame, Bot, Choice, Decision, Match, Outcome, Program};

/// One object a match, as every bot.
struct ConformanceBot {
    behaviour: String,
    asked: u32,
}

impl ConformanceBot {
    fn new(_: &Match) -> Self {
        let behaviour = variable("CONFORMANCE").unwrap_or_default();
        assert!(behaviour != "fail_on_start", "the author's mistake");
        Self { behaviour, asked: 0 }
    }
}

impl Bot for ConformanceBot {
    type Game = AnyGame;

    fn decide(&mut self, decision: &Decision) -> Choice {
        self.asked += 1;
        let game_match = decision.game_match();
        match self.behaviour.as_str() {
            "last" => {
                if let Some(last) = decision.legal_moves().last() {
                    decision.set_note(last.to_string());
                    return last.into();
                }
            }
            "count" => decision.set_note(self.asked.to_string()),
            "seed" => decision.set_note(hex(&game_match.message().bot_seed)),
            "slow" => {
                println!("deciding {} {}", game_match.id(), decision.id());
                sleep(Duration::from_millis(number("CONFORMANCE_DELAY_MS", 1000)));
                println!("decided {} {}", game_match.id(), decision.id());
            }
            "note" => decision.set_note("é".repeat(2000)),
            "illegal" => return decision.legal_count().into(),
            "fail" => panic!("the author's mistake"),
            _ => {}
        }
        0.into()
    }

    fn ended(&mut self, outcome: &Outcome) {
        assert!(self.behaviour != "fail_on_end", "the author's mistake");
        let id = outcome.game_match().id();
        match (outcome.rank(), outcome.score()) {
            (Some(rank), Some(score)) => println!("ended {id} rank {rank} score {score}"),
            _ => println!("ended {id} void"),
        }
    }
}

fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|text| !text.is_empty())
}

fn number(name: &str, default: u64) -> u64 {
    let number = |text: String| text.parse().unwrap_or_else(|_| panic!("{name}: {text:?}"));
    variable(name).map_or(default, number)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn main() {
    let games = variable("CONFORMANCE_GAMES").unwrap_or_default();
    Program::new("conformance", ConformanceBot::new)
        .version("1")
        .games(games.split_whitespace())
        .max_matches(number("CONFORMANCE_MAX_MATCHES", 8) as u32)
        .workers(number("CONFORMANCE_WORKERS", 1) as usize)
        .run()
}
