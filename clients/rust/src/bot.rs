//! What the author of a bot writes: a type with `decide`, one object per match.

use crate::decision::{Choice, Decision};
use crate::errors::Error;
use crate::game::Game;
use crate::matches::Outcome;

/// Characters of names and versions, by the protocol.
const MAX_NAME: usize = 64;

/// A bot: one object plays one match, so that what it keeps belongs to that match.
///
/// The game it is written for decides what it sees: `type Game = Byzanz` (decisions are
/// [`byzanz::Decision`](crate::byzanz::Decision)), `Schwarzmarkt` or
/// [`AnyGame`](crate::game::AnyGame).
pub trait Bot: Sized + Send + 'static {
    /// The game it is written for.
    type Game: Game;

    /// Returns one of the legal moves, or its index.
    ///
    /// It runs on a thread of its own, one decision at a time unless the program was given more
    /// [`workers`](crate::Program::workers), and never twice at once for one match. If it panics, the
    /// arena is told and the program ends: no move is ever made up.
    fn decide(&mut self, decision: &Decision<Self::Game>) -> Choice;

    /// Called once when the match has ended; the object is dropped afterwards.
    fn ended(&mut self, outcome: &Outcome<Self::Game>) {
        let _ = outcome;
    }
}

/// What a bot tells the arena about itself.
#[derive(Clone, Debug)]
pub(crate) struct Introduction {
    pub name: String,
    pub version: String,
    pub games: Vec<String>,
    pub max_matches: u32,
}

impl Introduction {
    /// Checks what the arena would refuse.
    pub fn check(&self) -> Result<(), Error> {
        for (field, text) in [("name", &self.name), ("version", &self.version)] {
            if text.chars().count() > MAX_NAME {
                return Err(Error::Usage(format!(
                    "the {field} of the bot must be a text of up to {MAX_NAME} characters: {text:?}"
                )));
            }
        }
        if self.name.is_empty() {
            return Err(Error::Usage("the bot must have a name".to_owned()));
        }
        if self.max_matches == 0 {
            return Err(Error::Usage("max_matches of the bot must be 1 or more: 0".to_owned()));
        }
        Ok(())
    }
}
