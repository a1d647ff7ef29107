//! What a bot is told about a match: how it starts and how it ended.
//!
//! (`match` is a word of the language: the module is `matches`, the accessors are `game_match`.)

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde_json::{Map, Value};

use crate::game::{AnyGame, Game};
use crate::rng::Rng;
use crate::v1;

/// One way for a seat to misbehave. A default move was made for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Fault {
    /// One that this version does not know.
    Unknown = 0,
    /// No answer within move time and bank.
    Timeout = 1,
    /// The answer named no legal move.
    IllegalMove = 2,
    /// A message that makes no sense or is too large.
    ProtocolError = 3,
    /// Far more messages than asked for.
    Flood = 4,
    /// The program ended, or said that its code failed.
    Crash = 5,
    /// The program was ended for the memory it used.
    OutOfMemory = 6,
    /// The session went away and did not come back in time.
    Disconnect = 7,
    /// The bot was never ready.
    NoStart = 8,
    /// The program ended at its limit of processes and threads.
    OutOfProcesses = 9,
    /// The program ended when it had filled the disk space that it may use.
    OutOfDisk = 10,
}

impl Fault {
    /// Returns the fault of a number of the protocol; `None` for 0, which means no fault.
    pub fn from_number(number: i32) -> Option<Self> {
        use Fault::*;
        let known = [Timeout, IllegalMove, ProtocolError, Flood, Crash, OutOfMemory, Disconnect];
        match number {
            0 => None,
            8 => Some(NoStart),
            9 => Some(OutOfProcesses),
            10 => Some(OutOfDisk),
            _ => Some(known.into_iter().find(|&fault| fault as i32 == number).unwrap_or(Unknown)),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(match self {
            Self::Unknown => "unknown",
            Self::Timeout => "timeout",
            Self::IllegalMove => "illegal_move",
            Self::ProtocolError => "protocol_error",
            Self::Flood => "flood",
            Self::Crash => "crash",
            Self::OutOfMemory => "out_of_memory",
            Self::Disconnect => "disconnect",
            Self::NoStart => "no_start",
            Self::OutOfProcesses => "out_of_processes",
            Self::OutOfDisk => "out_of_disk",
        })
    }
}

/// One match, as one seat of it knows it from the start. Computed when first looked at.
pub struct Match<G: Game = AnyGame> {
    message: v1::MatchStarted,
    rng: Rng,
    options: OnceLock<Map<String, Value>>,
    material: OnceLock<G::Material>,
}

impl<G: Game> Match<G> {
    /// Makes a match of the message that it begins with.
    pub fn new(message: v1::MatchStarted) -> Self {
        let rng = Rng::new(&message.bot_seed);
        Self { message, rng, options: OnceLock::new(), material: OnceLock::new() }
    }

    /// Returns what names the match.
    pub fn id(&self) -> &str {
        &self.message.match_id
    }

    /// Returns the name of the game, such as `byzanz`.
    pub fn game(&self) -> &str {
        &self.message.game
    }

    /// Returns the bot's own seat, from 0, clockwise.
    pub fn seat(&self) -> usize {
        self.message.seat as usize
    }

    /// Returns all who play, by seat: their bot and version, empty where names are hidden.
    pub fn seats(&self) -> &[v1::SeatInfo] {
        &self.message.seats
    }

    /// Returns the game options that differ from the default.
    pub fn options(&self) -> &Map<String, Value> {
        self.options
            .get_or_init(|| serde_json::from_str(&self.message.options_json).unwrap_or_default())
    }

    /// Returns the time that is free for every decision. `None`: no limit.
    pub fn move_time(&self) -> Option<Duration> {
        self.message.time_control.as_ref()?.move_time.map(duration)
    }

    /// Returns the reserve for the whole match, for decisions that take longer. `None`: no limit.
    pub fn bank(&self) -> Option<Duration> {
        self.message.time_control.as_ref()?.bank.map(duration)
    }

    /// Returns with how many faults a seat forfeits.
    pub fn max_faults(&self) -> u32 {
        self.message.time_control.as_ref().map_or(0, |control| control.max_faults)
    }

    /// Returns the randomness of this seat in this match.
    ///
    /// A bot that draws from nothing else plays the same match the same way again.
    pub fn rng(&self) -> &Rng {
        &self.rng
    }

    /// Returns what is settled about the game before the first move.
    pub fn material(&self) -> &G::Material {
        self.material.get_or_init(|| G::material(&self.message))
    }

    /// Returns the message that the match began with.
    pub fn message(&self) -> &v1::MatchStarted {
        &self.message
    }
}

impl<G: Game> fmt::Debug for Match<G> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (game, id, seat, seats) = (self.game(), self.id(), self.seat(), self.seats().len());
        write!(out, "<{game} match {id}, seat {seat} of {seats}>")
    }
}

/// How a match ended.
pub struct Outcome<G: Game = AnyGame> {
    game_match: Arc<Match<G>>,
    message: v1::MatchEnded,
}

impl<G: Game> Outcome<G> {
    /// Makes an outcome of the message that a match ended with.
    pub fn new(game_match: Arc<Match<G>>, message: v1::MatchEnded) -> Self {
        Self { game_match, message }
    }

    /// Returns the match that ended.
    pub fn game_match(&self) -> &Match<G> {
        &self.game_match
    }

    /// Returns the points by seat. Empty if the match is void.
    pub fn scores(&self) -> &[i32] {
        &self.message.scores
    }

    /// Returns the ranks by seat, 1 is best, equal seats share one. Empty if the match is void.
    pub fn ranks(&self) -> &[u32] {
        &self.message.ranks
    }

    /// Returns the bot's own points. `None` if the match is void.
    pub fn score(&self) -> Option<i32> {
        self.message.scores.get(self.game_match.seat()).copied()
    }

    /// Returns the bot's own rank. `None` if the match is void.
    pub fn rank(&self) -> Option<u32> {
        self.message.ranks.get(self.game_match.seat()).copied()
    }

    /// Returns the fault by which each seat forfeited; `None` for one that played to the end.
    pub fn forfeits(&self) -> Vec<Option<Fault>> {
        self.message.forfeits.iter().map(|&fault| Fault::from_number(fault)).collect()
    }

    /// Returns why the match does not count. Empty if it does.
    pub fn void_reason(&self) -> &str {
        &self.message.void_reason
    }

    /// Returns whether the match does not count, because the arena could not finish it.
    pub fn is_void(&self) -> bool {
        !self.message.void_reason.is_empty()
    }

    /// Returns the message it came in, with the last faults and events.
    pub fn message(&self) -> &v1::MatchEnded {
        &self.message
    }
}

impl<G: Game> fmt::Debug for Outcome<G> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = self.game_match.id();
        if self.is_void() {
            return write!(out, "<match {id} is void: {}>", self.void_reason());
        }
        write!(out, "<match {id}: scores {:?}, ranks {:?}>", self.scores(), self.ranks())
    }
}

/// Returns a duration of the protocol; one below zero, which is never sent, is none.
pub(crate) fn duration(message: prost_types::Duration) -> Duration {
    message.try_into().unwrap_or_default()
}
