//! A decision: what `decide` gets, and how what it returns becomes the place of a legal move.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use crate::errors::Error;
use crate::game::{AnyGame, Game};
use crate::matches::{Match, duration};
use crate::v1;

/// Legal moves named in a refusal; a reader wants no more.
const LISTED: usize = 40;

/// A legal move of a decision. It is written as in the rules: `bid spice-2 wine-1`.
pub trait Move: fmt::Display {
    /// Returns its place among the legal moves.
    fn index(&self) -> usize;
}

/// What `decide` returns: `(&legal_moves[1]).into()`, or the index of a legal move, `1.into()`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    index: usize,
    text: Option<String>, // of a move, which may have been kept from an earlier decision
}

impl From<usize> for Choice {
    fn from(index: usize) -> Self {
        Self { index, text: None }
    }
}

impl<M: Move> From<&M> for Choice {
    fn from(chosen: &M) -> Self {
        Self { index: chosen.index(), text: Some(chosen.to_string()) }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.text {
            Some(text) => write!(out, "<{}: {text}>", self.index),
            None => write!(out, "{}", self.index),
        }
    }
}

/// A question to a seat. Everything but the note is read only, and computed when looked at.
pub struct Decision<G: Game = AnyGame> {
    game_match: Arc<Match<G>>,
    message: v1::Decision,
    moves: OnceLock<Vec<G::Move>>,
    observation: OnceLock<G::Observation>,
    note: Mutex<String>,
}

impl<G: Game> Decision<G> {
    /// Makes a decision of the message it comes in.
    pub fn new(game_match: Arc<Match<G>>, message: v1::Decision) -> Self {
        let (moves, observation) = (OnceLock::new(), OnceLock::new());
        Self { game_match, message, moves, observation, note: Mutex::default() }
    }

    /// Returns the number of the question within the match, from 1, rising.
    pub fn id(&self) -> u32 {
        self.message.decision_id
    }

    /// Returns the match it belongs to.
    pub fn game_match(&self) -> &Match<G> {
        &self.game_match
    }

    /// Returns how many legal moves there are, at least 2. Costs less than looking at them.
    pub fn legal_count(&self) -> usize {
        self.message.legal_count as usize
    }

    /// Returns all moves the seat may make, each once, in the game's fixed order.
    pub fn legal_moves(&self) -> &[G::Move] {
        self.moves.get_or_init(|| G::legal_moves(&self.message, self.game_match.material()))
    }

    /// Returns all the seat may know now. It is complete: no memory is needed.
    pub fn observation(&self) -> &G::Observation {
        self.observation.get_or_init(|| G::observation(&self.message, self.game_match.material()))
    }

    /// Returns the misbehaviours of seats since this seat's last decision, its own among them.
    pub fn faults(&self) -> &[v1::SeatFault] {
        &self.message.faults
    }

    /// Returns what this decision may take before the bank is touched. `None`: no limit.
    pub fn move_time(&self) -> Option<Duration> {
        self.message.move_time.map(duration)
    }

    /// Returns what is left in the bank. `None`: no limit.
    pub fn bank(&self) -> Option<Duration> {
        self.message.bank.map(duration)
    }

    /// Returns the message it came in.
    pub fn message(&self) -> &v1::Decision {
        &self.message
    }

    /// Keeps a text beside the move in the replay.
    pub fn set_note(&self, note: impl Into<String>) {
        *self.note.lock().unwrap_or_else(PoisonError::into_inner) = note.into();
    }

    /// Returns the text to be kept beside the move.
    pub fn note(&self) -> String {
        self.note.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the place of a chosen move among the legal ones.
    ///
    /// A move kept from an earlier decision counts if it is legal now.
    ///
    /// # Errors
    /// [`Error::IllegalChoice`] if it is neither a legal move nor the place of one.
    pub fn index_of(&self, choice: &Choice) -> Result<usize, Error> {
        let found = match &choice.text {
            None => Some(choice.index).filter(|&index| index < self.legal_count()),
            Some(text) => self.place_of(choice.index, text),
        };
        found.ok_or_else(|| Error::IllegalChoice(self.refusal(choice)))
    }

    fn place_of(&self, index: usize, text: &str) -> Option<usize> {
        let moves = self.legal_moves();
        let is_it = |legal: &G::Move| legal.to_string() == text;
        if moves.get(index).is_some_and(is_it) {
            return Some(index);
        }
        moves.iter().position(is_it)
    }

    fn refusal(&self, choice: &Choice) -> String {
        let count = self.legal_count();
        let mut lines = vec![format!(
            "decide() returned {choice}, which is not one of the {count} legal moves:"
        )];
        let listed = self.legal_moves().iter().take(LISTED);
        lines.extend(listed.map(|legal| format!("  {}: {legal}", legal.index())));
        if count > LISTED {
            lines.push(format!("  ... and {} more", count - LISTED));
        }
        let (id, game_match) = (self.id(), &self.game_match);
        lines.push(format!("(decision {id} of {game_match:?}; return a legal move or its index)"));
        lines.join("\n")
    }
}

impl<G: Game> fmt::Debug for Decision<G> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "<decision {} of {:?}>", self.id(), self.game_match)
    }
}
