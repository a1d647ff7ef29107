//! Write a bot for the arena in Rust.
//!
//! ```no_run
//! use arena_client::byzanz::{Byzanz, Decision};
//! use arena_client::{Bot, Choice, Program};
//!
//! struct MyBot;
//!
//! impl Bot for MyBot {
//!     type Game = Byzanz;
//!
//!     fn decide(&mut self, decision: &Decision) -> Choice {
//!         let hand = &decision.observation().hand;
//!         decision.set_note(format!("{} cards", hand.len())); // optional: kept in the replay
//!         (&decision.legal_moves()[0]).into() // or its index: 0.into()
//!     }
//! }
//!
//! fn main() {
//!     Program::new("mine", |_| MyBot).version("1").run()
//! }
//! ```

#![deny(missing_docs, unsafe_code)]

mod bot;
pub mod byzanz;
mod channel;
mod decision;
mod errors;
mod game;
mod matches;
mod panics;
mod player;
mod players;
mod program;
mod rng;
pub mod schwarzmarkt;
mod session;
mod settings;
mod texts;
mod tls;
pub mod v1;
mod workers;

pub use bot::Bot;
pub use decision::{Choice, Decision, Move};
pub use errors::{BotFailed, Error};
pub use game::{AnyGame, AnyMaterial, AnyMove, AnyObservation, Game};
pub use matches::{Fault, Match, Outcome};
pub use program::Program;
pub use prost; // to read and write messages in tests of a bot
pub use rng::Rng;
pub use settings::Settings;

#[cfg(test)]
#[path = "../tests/unit/mod.rs"]
mod tests;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
