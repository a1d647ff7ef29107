//! Schwarzmarkt for bots: goods, cards, moves and what a seat sees.
//!
//! Rules cited are those of the rules page. Groups of goods are in rising order, equal ones repeated.

use std::fmt;
use std::sync::{Arc, LazyLock};

use crate::decision;
use crate::game::Game;
use crate::v1;
use crate::v1::decision::Game as DecisionOf;
use crate::v1::match_started::Material as MaterialOf;
use crate::v1::schwarzmarkt_move::Type;

mod material;

use material::by_number;
pub use material::{Card, Effect, Good, Material, wanted};

/// For bots that play Schwarzmarkt.
#[derive(Debug)]
pub enum Schwarzmarkt {}

/// A match of Schwarzmarkt.
pub type Match = crate::matches::Match<Schwarzmarkt>;
/// A decision of Schwarzmarkt.
pub type Decision = crate::decision::Decision<Schwarzmarkt>;
/// How a match of Schwarzmarkt ended.
pub type Outcome = crate::matches::Outcome<Schwarzmarkt>;

/// What the seat to act decides about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Phase {
    /// One that this version does not know.
    #[default]
    Unknown,
    /// Which black-market card to play or to bury (S3.1).
    Play,
    /// Which good to take out of the pile (S5, new_goods).
    Find,
    /// Trade, step or hold (S4.2).
    Exchange,
    /// Which surplus good to give back (S6.1).
    Return,
    /// The match is over.
    Over,
}

impl Phase {
    fn from_number(number: i32) -> Self {
        match v1::SchwarzmarktPhase::try_from(number) {
            Ok(v1::SchwarzmarktPhase::Play) => Self::Play,
            Ok(v1::SchwarzmarktPhase::Find) => Self::Find,
            Ok(v1::SchwarzmarktPhase::Exchange) => Self::Exchange,
            Ok(v1::SchwarzmarktPhase::Return) => Self::Return,
            Ok(v1::SchwarzmarktPhase::Over) => Self::Over,
            Ok(v1::SchwarzmarktPhase::Unspecified) | Err(_) => Self::Unknown,
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
    /// Plays a black-market card (S3.1).
    Play,
    /// Names the good to take from the pile (S5, new_goods).
    Find,
    /// Puts a card under the pile because none can be played (S3.3).
    Bury,
    /// Trades goods at the current price (S4.2).
    Trade,
    /// Moves the marker without trading (S4.2).
    Step,
    /// Lets the last chance to trade go (S4.3).
    Hold,
    /// Gives a surplus good back (S6.1).
    Return,
}

impl MoveType {
    fn from_number(number: i32) -> Self {
        match Type::try_from(number) {
            Ok(Type::Play) => Self::Play,
            Ok(Type::Find) => Self::Find,
            Ok(Type::Bury) => Self::Bury,
            Ok(Type::Trade) => Self::Trade,
            Ok(Type::Step) => Self::Step,
            Ok(Type::Hold) => Self::Hold,
            Ok(Type::Return) => Self::Return,
            Ok(Type::Unspecified) | Err(_) => Self::Unknown,
        }
    }
}

impl fmt::Display for MoveType {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(match self {
            Self::Unknown => "unknown",
            Self::Play => "play",
            Self::Find => "find",
            Self::Bury => "bury",
            Self::Trade => "trade",
            Self::Step => "step",
            Self::Hold => "hold",
            Self::Return => "return",
        })
    }
}

/// A legal move, written such as `trade potatoes butter`. Moves are equal if they do the same.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Move {
    /// Its place among the legal moves.
    pub index: usize,
    /// What it does.
    pub move_type: MoveType,
    /// The black-market card played or buried. `None` for all other moves.
    pub card: Option<Arc<Card>>,
    /// The seat a card is played at. `None` if the card has no target.
    pub target: Option<usize>,
    /// Those traded, those laid aside for foraging, the one found or returned.
    pub goods: Vec<Good>,
    /// How far the marker goes. 0 unless it is a step.
    pub spaces: u32,
}

impl Move {
    fn new(index: usize, message: &v1::SchwarzmarktMove, material: &Material) -> Self {
        Self {
            index,
            move_type: MoveType::from_number(message.r#type),
            card: message.card.map(|number| material.card(number)),
            target: message.target.map(|seat| seat as usize),
            goods: by_number(&message.goods),
            spaces: message.spaces,
        }
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
        let key = |one: &Self| (one.move_type, one.card.clone(), one.target, one.spaces);
        key(self) == key(other) && self.goods == other.goods
    }
}

impl fmt::Display for Move {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.move_type)?;
        if let Some(card) = &self.card {
            write!(out, " {card}")?;
        }
        if let Some(target) = self.target {
            write!(out, " {target}")?;
        }
        for good in &self.goods {
            write!(out, " {good}")?;
        }
        if self.spaces > 0 {
            write!(out, " {}", self.spaces)?;
        }
        Ok(())
    }
}

/// Goods the seat knows to have come to a hidden place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Known {
    /// The goods.
    pub goods: Vec<Good>,
    /// Up to so many of them may be gone; 0: all are there.
    pub unseen: u32,
}

impl Known {
    fn new(message: &v1::SchwarzmarktKnown) -> Self {
        Self { goods: by_number(&message.goods), unseen: message.unseen }
    }
}

/// What is known about a seat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Seat {
    /// Which seat, from 0.
    pub number: usize,
    /// How many goods it holds.
    pub hand_size: u32,
    /// Its wealth: the score.
    pub luxury: u32,
    /// It has traded in this exchange round.
    pub has_traded: bool,
    /// What the observing seat knows of its goods, the oldest knowledge first.
    pub known: Vec<Known>,
}

impl Seat {
    fn new(number: usize, message: &v1::SchwarzmarktSeat) -> Self {
        Self {
            number,
            hand_size: message.hand_size,
            luxury: message.luxury,
            has_traded: message.has_traded,
            known: message.known.iter().map(Known::new).collect(),
        }
    }
}

/// All the seat may know now. Complete: no memory is needed.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Observation {
    /// The own seat.
    pub seat: usize,
    /// What is decided.
    pub phase: Phase,
    /// 1 or 2.
    pub game_round: u32,
    /// The seat that plays, or played last, a black-market card.
    pub start: usize,
    /// The own goods.
    pub goods: Vec<Good>,
    /// The own black-market cards.
    pub cards: Vec<Arc<Card>>,
    /// The space of the track where the marker stands, from 0.
    pub marker: usize,
    /// What a good is paid there.
    pub price: u32,
    /// The card being exchanged. `None` when no exchange round runs.
    pub offer: Option<Arc<Card>>,
    /// The text card that is taking effect. `None` when there is none.
    pub resolving: Option<Arc<Card>>,
    /// The goods still wanted.
    pub demand: Vec<Good>,
    /// The goods traded in this exchange round, in the order of trading.
    pub traded: Vec<Good>,
    /// The text cards about the next or the running exchange round, with their targets.
    pub open_cards: Vec<(Arc<Card>, Option<usize>)>,
    /// What is known about each seat, by seat.
    pub seats: Vec<Seat>,
    /// How many goods are in the pile.
    pub goods_pile_size: u32,
    /// How many black-market cards are in the pile.
    pub black_market_pile_size: u32,
    /// Goods known to be in the goods pile, the oldest knowledge first.
    pub pile_known: Vec<Known>,
    /// The black-market cards shown so far in the match, each type once.
    pub seen_cards: Vec<Arc<Card>>,
    /// How many black-market cards were played or buried in this game round.
    pub cards_dealt_with: u32,
    /// How many exchange rounds in a row went without a trade (S6.4).
    pub idle_rounds: u32,
}

impl Observation {
    fn new(message: &v1::SchwarzmarktObservation, material: &Material) -> Self {
        let card = |number: u32| material.card(number);
        let marker = message.marker as usize;
        let open_card = |open: &v1::SchwarzmarktOpenCard| {
            (card(open.card), open.target.map(|seat| seat as usize))
        };
        let seats = message.seats.iter().enumerate();
        Self {
            seat: message.seat() as usize,
            phase: Phase::from_number(message.phase),
            game_round: message.game_round,
            start: message.start as usize,
            goods: by_number(&message.goods),
            cards: message.cards.iter().copied().map(card).collect(),
            marker,
            price: material.prices.get(marker).copied().unwrap_or(0),
            offer: message.offer.map(card),
            resolving: message.resolving.map(card),
            demand: by_number(&message.demand),
            traded: by_number(&message.traded),
            open_cards: message.open_cards.iter().map(open_card).collect(),
            seats: seats.map(|(number, seat)| Seat::new(number, seat)).collect(),
            goods_pile_size: message.goods_pile_size,
            black_market_pile_size: message.black_market_pile_size,
            pile_known: message.pile_known.iter().map(Known::new).collect(),
            seen_cards: message.seen_cards.iter().copied().map(card).collect(),
            cards_dealt_with: message.cards_dealt_with,
            idle_rounds: message.idle_rounds,
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
    pub fn events(&self) -> &[v1::SchwarzmarktEvent] {
        asked(self.message()).map_or(&[], |asked| &asked.events)
    }

    /// Returns the legal moves of some types, in their order.
    pub fn moves_of(&self, types: &[MoveType]) -> impl Iterator<Item = &Move> {
        self.legal_moves().iter().filter(move |legal| types.contains(&legal.move_type))
    }
}

impl Game for Schwarzmarkt {
    const GAMES: &'static [&'static str] = &["schwarzmarkt"];
    type Material = Material;
    type Move = Move;
    type Observation = Observation;

    fn material(message: &v1::MatchStarted) -> Material {
        match &message.material {
            Some(MaterialOf::Schwarzmarkt(material)) => Material::new(material),
            _ => Material::default(),
        }
    }

    fn legal_moves(message: &v1::Decision, material: &Material) -> Vec<Move> {
        let moves = asked(message).map_or(&[][..], |asked| &asked.legal_moves);
        let read = |(index, message)| Move::new(index, message, material);
        moves.iter().enumerate().map(read).collect()
    }

    fn observation(message: &v1::Decision, material: &Material) -> Observation {
        let seen = asked(message).and_then(|asked| asked.observation.as_ref());
        Observation::new(seen.unwrap_or(&v1::SchwarzmarktObservation::default()), material)
    }
}

fn asked(message: &v1::Decision) -> Option<&v1::SchwarzmarktDecision> {
    match &message.game {
        Some(DecisionOf::Schwarzmarkt(asked)) => Some(asked),
        _ => None,
    }
}
