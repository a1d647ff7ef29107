//! Byzanz for bots: cards, moves and what a seat sees. Rules cited are those of the rules page.
//!
//! Groups of cards are in rising order, equal cards repeated; [`counts`] counts them.

use std::fmt;
use std::sync::LazyLock;

use crate::decision;
use crate::game::Game;
use crate::v1;
use crate::v1::byzanz_move::Type;
use crate::v1::decision::Game as DecisionOf;
use crate::v1::match_started::Material as MaterialOf;

mod cards;

use cards::by_number;
pub use cards::{
    Card, Counts, Kind, NoSuchCard, TRADER, UNKNOWN, by_kind, cards, counts, of_kind, sale_points,
    value,
};

/// For bots that play Byzanz.
#[derive(Debug)]
pub enum Byzanz {}

/// A match of Byzanz.
pub type Match = crate::matches::Match<Byzanz>;
/// A decision of Byzanz.
pub type Decision = crate::decision::Decision<Byzanz>;
/// How a match of Byzanz ended.
pub type Outcome = crate::matches::Outcome<Byzanz>;
/// The offers (highest first), rounds and number of cards removed unseen.
pub type Material = v1::ByzanzMaterial;

/// What the seat to act decides about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Phase {
    /// One that this version does not know.
    #[default]
    Unknown,
    /// Bid or pass (B3.4).
    Auction,
    /// Which card of the lot goes to the market (B3.8).
    Give,
    /// Which kind to take from the market (B4.1).
    Take,
    /// Sell or discard down to seven cards (B6.1).
    Limit,
    /// Last sales (B7.1).
    Final,
    /// The match is over.
    Over,
}

impl Phase {
    fn from_number(number: i32) -> Self {
        match v1::ByzanzPhase::try_from(number) {
            Ok(v1::ByzanzPhase::Auction) => Self::Auction,
            Ok(v1::ByzanzPhase::Give) => Self::Give,
            Ok(v1::ByzanzPhase::Take) => Self::Take,
            Ok(v1::ByzanzPhase::Limit) => Self::Limit,
            Ok(v1::ByzanzPhase::Final) => Self::Final,
            Ok(v1::ByzanzPhase::Over) => Self::Over,
            Ok(v1::ByzanzPhase::Unspecified) | Err(_) => Self::Unknown,
        }
    }
}

/// What a move does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum MoveType {
    /// Something that this version does not know.
    #[default]
    Unknown,
    /// Leaves the auction (B3.6).
    Pass,
    /// Adds cards to the own bid (B3.5).
    Bid,
    /// Puts a card of the lot on the market (B3.8).
    Give,
    /// Takes all cards of a kind from the market (B4.1).
    Take,
    /// Sells three cards (B5).
    Sell,
    /// Puts a card out of the game face down (B6).
    Discard,
    /// Ends the own final sales (B7.1).
    Done,
}

impl MoveType {
    fn from_number(number: i32) -> Self {
        match Type::try_from(number) {
            Ok(Type::Pass) => Self::Pass,
            Ok(Type::Bid) => Self::Bid,
            Ok(Type::Give) => Self::Give,
            Ok(Type::Take) => Self::Take,
            Ok(Type::Sell) => Self::Sell,
            Ok(Type::Discard) => Self::Discard,
            Ok(Type::Done) => Self::Done,
            Ok(Type::Unspecified) | Err(_) => Self::Unknown,
        }
    }
}

impl fmt::Display for MoveType {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(match self {
            Self::Unknown => "unknown",
            Self::Pass => "pass",
            Self::Bid => "bid",
            Self::Give => "give",
            Self::Take => "take",
            Self::Sell => "sell",
            Self::Discard => "discard",
            Self::Done => "done",
        })
    }
}

/// A legal move, written such as `bid spice-2 wine-1`. Moves are equal if they do the same.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Move {
    /// Its place among the legal moves.
    pub index: usize,
    /// What it does.
    pub move_type: MoveType,
    /// Those added by a bid, the three of a sale, the one given or discarded.
    pub cards: Vec<Card>,
    /// The kind taken from the market. `None` for all other moves.
    pub kind: Option<Kind>,
}

impl Move {
    fn new(index: usize, message: &v1::ByzanzMove) -> Self {
        Self {
            index,
            move_type: MoveType::from_number(message.r#type),
            cards: by_number(&message.cards),
            kind: Kind::from_number(message.kind),
        }
    }

    /// Returns the sum of the values of the cards: what a bid adds.
    pub fn value(&self) -> u32 {
        value(&self.cards)
    }

    /// Returns the move as the rules write it.
    pub fn text(&self) -> String {
        self.to_string()
    }
}

impl decision::Move for Move {
    fn index(&self) -> usize {
        self.index
    }
}

impl PartialEq for Move {
    fn eq(&self, other: &Self) -> bool {
        (self.move_type, self.kind, &self.cards) == (other.move_type, other.kind, &other.cards)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.move_type)?;
        for card in &self.cards {
            write!(out, " {card}")?;
        }
        match self.kind {
            Some(kind) => write!(out, " {kind}"),
            None if self.move_type == MoveType::Take => out.write_str(" unknown"),
            None => Ok(()),
        }
    }
}

/// Cards publicly known to have come into a hand at about the same time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Known {
    /// The cards.
    pub cards: Vec<Card>,
    /// Up to so many of them may be gone; 0: all are there.
    pub unseen: u32,
}

/// What everybody knows about a seat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Seat {
    /// Which seat, from 0.
    pub number: usize,
    /// How many cards it holds.
    pub hand_size: u32,
    /// Its points so far.
    pub points: u32,
    /// It is out of this auction by passing.
    pub passed: bool,
    /// The offer card it holds; 0 for none. Whoever holds one is out of the auctions.
    pub offer: u32,
    /// How many cards it has discarded face down.
    pub face_down: u32,
    /// The cards of its bid in this auction; they are not in its hand.
    pub laid: Vec<Card>,
    /// Its profit cards.
    pub kept: Vec<Card>,
    /// What is publicly known of its hand, the oldest knowledge first.
    pub known: Vec<Known>,
}

impl Seat {
    fn new(number: usize, message: &v1::ByzanzSeat) -> Self {
        let known = |known: &v1::ByzanzKnown| Known {
            cards: by_number(&known.cards),
            unseen: known.unseen,
        };
        Self {
            number,
            hand_size: message.hand_size,
            points: message.points,
            passed: message.passed,
            offer: message.offer,
            face_down: message.face_down,
            laid: by_number(&message.laid),
            kept: by_number(&message.kept),
            known: message.known.iter().map(known).collect(),
        }
    }
}

/// All the seat may know now. Complete: no memory is needed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Observation {
    /// The own seat.
    pub seat: usize,
    /// What is decided.
    pub phase: Phase,
    /// The number of the round, from 1.
    pub round: u32,
    /// How many cards are left in the deck.
    pub deck_size: u32,
    /// The own hand.
    pub hand: Vec<Card>,
    /// The cards the seat itself discarded face down.
    pub own_discards: Vec<Card>,
    /// What is up for auction, or won and still to be given from.
    pub lot: Vec<Card>,
    /// What lies on the market.
    pub market: Vec<Card>,
    /// The offer card of the running auction; 0 when none runs.
    pub offer: u32,
    /// The seat that spoke first in this auction, or will in the next.
    pub speaker: usize,
    /// The highest bid so far in this auction; 0 when there is none.
    pub high: u32,
    /// The seat of the highest bid. `None` when there is none.
    pub leader: Option<usize>,
    /// The seat that passed first in this auction. `None` when none has.
    pub first_passer: Option<usize>,
    /// How many seats have had their turn at the market this round.
    pub takes: u32,
    /// What everybody knows about each seat, by seat.
    pub seats: Vec<Seat>,
    /// The cards publicly out of the game, profit cards not counted.
    pub out: Vec<Card>,
}

impl Observation {
    fn new(message: &v1::ByzanzObservation) -> Self {
        let seats = message.seats.iter().enumerate();
        Self {
            seat: message.seat() as usize,
            phase: Phase::from_number(message.phase),
            round: message.round,
            deck_size: message.deck_size,
            hand: by_number(&message.hand),
            own_discards: by_number(&message.own_discards),
            lot: by_number(&message.lot),
            market: by_number(&message.market),
            offer: message.offer,
            speaker: message.speaker as usize,
            high: message.high,
            leader: message.leader.map(|seat| seat as usize),
            first_passer: message.first_passer.map(|seat| seat as usize),
            takes: message.takes,
            seats: seats.map(|(number, seat)| Seat::new(number, seat)).collect(),
            out: by_number(&message.out),
        }
    }

    /// Returns the own seat.
    pub fn own(&self) -> &Seat {
        static NOBODY: LazyLock<Seat> = LazyLock::new(Seat::default);
        self.seats.get(self.seat).unwrap_or(&NOBODY) // an arena always tells of all seats
    }

    /// Returns the other seats, clockwise from the own one.
    pub fn others(&self) -> impl Iterator<Item = &Seat> {
        let own = self.seat.min(self.seats.len());
        self.seats.iter().skip(own + 1).chain(&self.seats[..own])
    }
}

impl Decision {
    /// Returns what happened since the seat's last decision, oldest first.
    pub fn events(&self) -> &[v1::ByzanzEvent] {
        asked(self.message()).map_or(&[], |asked| &asked.events)
    }

    /// Returns how many rounds follow after this one; 0 in the last.
    pub fn rounds_left(&self) -> u32 {
        self.game_match().material().rounds.saturating_sub(self.observation().round)
    }

    /// Returns the legal moves of some types, in their order.
    pub fn moves_of(&self, types: &[MoveType]) -> impl Iterator<Item = &Move> {
        self.legal_moves().iter().filter(move |legal| types.contains(&legal.move_type))
    }
}

impl Game for Byzanz {
    const GAMES: &'static [&'static str] = &["byzanz"];
    type Material = Material;
    type Move = Move;
    type Observation = Observation;

    fn material(message: &v1::MatchStarted) -> Material {
        match &message.material {
            Some(MaterialOf::Byzanz(material)) => material.clone(),
            _ => Material::default(),
        }
    }

    fn legal_moves(message: &v1::Decision, _: &Material) -> Vec<Move> {
        let moves = asked(message).map_or(&[][..], |asked| &asked.legal_moves);
        moves.iter().enumerate().map(|(index, message)| Move::new(index, message)).collect()
    }

    fn observation(message: &v1::Decision, _: &Material) -> Observation {
        let seen = asked(message).and_then(|asked| asked.observation.as_ref());
        Observation::new(seen.unwrap_or(&v1::ByzanzObservation::default()))
    }
}

fn asked(message: &v1::Decision) -> Option<&v1::ByzanzDecision> {
    match &message.game {
        Some(DecisionOf::Byzanz(asked)) => Some(asked),
        _ => None,
    }
}
