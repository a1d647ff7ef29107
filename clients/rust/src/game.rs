//! What is different from game to game, for bots of one game and for bots of any.

use std::fmt;

use crate::byzanz::{self, Byzanz};
use crate::decision::Move;
use crate::schwarzmarkt::{self, Schwarzmarkt};
use crate::v1;

/// The game that a bot is written for: [`Byzanz`], [`Schwarzmarkt`] or
/// [`AnyGame`].
pub trait Game: Sized + Send + Sync + 'static {
    /// The names that the arena is told. None: every game.
    const GAMES: &'static [&'static str];
    /// What is settled before the first move.
    type Material: Send + Sync;
    /// A legal move.
    type Move: Move + Send + Sync;
    /// All a seat may know.
    type Observation: Send + Sync;

    /// Reads the material out of the message of a match.
    fn material(message: &v1::MatchStarted) -> Self::Material;
    /// Reads the legal moves out of the message of a decision.
    fn legal_moves(message: &v1::Decision, material: &Self::Material) -> Vec<Self::Move>;
    /// Reads the observation out of the message of a decision.
    fn observation(message: &v1::Decision, material: &Self::Material) -> Self::Observation;
}

/// For bots that play every game. What they see tells by its variant which game it is.
#[derive(Debug)]
pub enum AnyGame {}

/// What is settled about a match of any game before the first move.
#[derive(Debug)]
#[non_exhaustive]
pub enum AnyMaterial {
    /// In matches of Byzanz.
    Byzanz(byzanz::Material),
    /// In matches of Schwarzmarkt.
    Schwarzmarkt(schwarzmarkt::Material),
    /// In matches of games that this library does not know: see the message.
    Other,
}

/// A legal move of any game.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum AnyMove {
    /// In matches of Byzanz.
    Byzanz(byzanz::Move),
    /// In matches of Schwarzmarkt.
    Schwarzmarkt(schwarzmarkt::Move),
    /// In matches of games that this library does not know: the index, which is its text too.
    Other(usize),
}

/// All a seat may know in a match of any game.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum AnyObservation {
    /// In matches of Byzanz.
    Byzanz(byzanz::Observation),
    /// In matches of Schwarzmarkt.
    Schwarzmarkt(schwarzmarkt::Observation),
    /// In matches of games that this library does not know: see the message.
    Other,
}

impl Game for AnyGame {
    const GAMES: &'static [&'static str] = &[];
    type Material = AnyMaterial;
    type Move = AnyMove;
    type Observation = AnyObservation;

    fn material(message: &v1::MatchStarted) -> AnyMaterial {
        match message.game.as_str() {
            "byzanz" => AnyMaterial::Byzanz(Byzanz::material(message)),
            "schwarzmarkt" => AnyMaterial::Schwarzmarkt(Schwarzmarkt::material(message)),
            _ => AnyMaterial::Other,
        }
    }

    fn legal_moves(message: &v1::Decision, material: &AnyMaterial) -> Vec<AnyMove> {
        match material {
            AnyMaterial::Byzanz(material) => {
                let moves = Byzanz::legal_moves(message, material);
                moves.into_iter().map(AnyMove::Byzanz).collect()
            }
            AnyMaterial::Schwarzmarkt(material) => {
                let moves = Schwarzmarkt::legal_moves(message, material);
                moves.into_iter().map(AnyMove::Schwarzmarkt).collect()
            }
            AnyMaterial::Other => (0..message.legal_count as usize).map(AnyMove::Other).collect(),
        }
    }

    fn observation(message: &v1::Decision, material: &AnyMaterial) -> AnyObservation {
        match material {
            AnyMaterial::Byzanz(material) => {
                AnyObservation::Byzanz(Byzanz::observation(message, material))
            }
            AnyMaterial::Schwarzmarkt(material) => {
                AnyObservation::Schwarzmarkt(Schwarzmarkt::observation(message, material))
            }
            AnyMaterial::Other => AnyObservation::Other,
        }
    }
}

impl Move for AnyMove {
    fn index(&self) -> usize {
        match self {
            Self::Byzanz(one) => one.index,
            Self::Schwarzmarkt(one) => one.index,
            Self::Other(index) => *index,
        }
    }
}

impl fmt::Display for AnyMove {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Byzanz(one) => one.fmt(out),
            Self::Schwarzmarkt(one) => one.fmt(out),
            Self::Other(index) => index.fmt(out),
        }
    }
}
