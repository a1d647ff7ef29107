//! The cards of Byzanz, and groups of them.

use std::fmt;
use std::ops::{Index, Sub};
use std::str::FromStr;

/// A kind of cards. Traders are a kind on the market (B4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Kind {
    Cloth = 1,
    Spice = 2,
    Wine = 3,
    Wood = 4,
    Grain = 5,
    Olives = 6,
    Trader = 7,
}

impl Kind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [Self; 7] =
        [Self::Cloth, Self::Spice, Self::Wine, Self::Wood, Self::Grain, Self::Olives, Self::Trader];

    /// Returns the kind of a number of the protocol; `None` if there is none.
    pub fn from_number(number: i32) -> Option<Self> {
        Self::ALL.into_iter().find(|&kind| kind as i32 == number)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(match self {
            Self::Cloth => "cloth",
            Self::Spice => "spice",
            Self::Wine => "wine",
            Self::Wood => "wood",
            Self::Grain => "grain",
            Self::Olives => "olives",
            Self::Trader => "trader",
        })
    }
}

/// A card: a good of a kind with a value, or a trader. Cards are ordered by their numbers.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Card(u8);

#[rustfmt::skip]
const NAMES: [&str; 26] = [
    "unknown", "cloth-1", "cloth-2", "cloth-3", "cloth-4", "spice-1", "spice-2", "spice-3",
    "spice-4", "wine-1", "wine-2", "wine-3", "wine-4", "wood-1", "wood-2", "wood-3", "wood-4",
    "grain-1", "grain-2", "grain-3", "grain-4", "olives-1", "olives-2", "olives-3", "olives-4",
    "trader",
];

/// A trader: value 0, any good in a sale (B1.2).
pub const TRADER: Card = Card(25);
/// A card the seat may not see, or one that this version does not know.
pub const UNKNOWN: Card = Card(0);

impl Card {
    /// Returns the card of a number of the protocol.
    pub fn from_number(number: i32) -> Self {
        if (1..=25).contains(&number) { Self(number as u8) } else { UNKNOWN }
    }

    /// Returns all cards there are, each once, in the order of their numbers.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=25).map(Self)
    }

    /// Returns its number in the protocol.
    pub fn number(self) -> i32 {
        i32::from(self.0)
    }

    /// Returns its kind; `None` for a card the seat may not see.
    pub fn kind(self) -> Option<Kind> {
        if self == UNKNOWN { None } else { Kind::from_number((self.number() - 1) / 4 + 1) }
    }

    /// Returns 1 to 4; 0 for a trader.
    pub fn value(self) -> u32 {
        if self == UNKNOWN || self == TRADER { 0 } else { u32::from(self.0 - 1) % 4 + 1 }
    }

    /// Returns its name, such as `cloth-1` or `trader`.
    pub fn name(self) -> &'static str {
        NAMES[usize::from(self.0)]
    }
}

impl fmt::Display for Card {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

/// There is no card of that name.
#[derive(Debug, PartialEq, Eq)]
pub struct NoSuchCard(pub String);

impl fmt::Display for NoSuchCard {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "there is no card {:?} (there are such as \"wine-1\" and \"trader\")", self.0)
    }
}

impl std::error::Error for NoSuchCard {}

impl FromStr for Card {
    type Err = NoSuchCard;

    fn from_str(name: &str) -> Result<Self, NoSuchCard> {
        Self::all().find(|card| card.name() == name).ok_or_else(|| NoSuchCard(name.to_owned()))
    }
}

/// Returns cards by their names in one text, such as `wine-1 spice-2`.
///
/// # Errors
/// There is no card of one of the names.
pub fn cards(names: &str) -> Result<Vec<Card>, NoSuchCard> {
    names.split_whitespace().map(str::parse).collect()
}

/// Returns the sum of the values of cards: what they make as a bid (B3.5).
pub fn value(group: &[Card]) -> u32 {
    group.iter().map(|card| card.value()).sum()
}

/// Returns what a sale of these cards scores: its best card, 5 for three traders (B5.2).
pub fn sale_points(group: &[Card]) -> u32 {
    match group.iter().map(|card| card.value()).max() {
        Some(0) => 5,
        best => best.unwrap_or(0),
    }
}

/// Returns the cards of one kind.
pub fn of_kind(group: &[Card], kind: Kind) -> Vec<Card> {
    group.iter().copied().filter(|card| card.kind() == Some(kind)).collect()
}

/// Returns cards by their kinds, in the order in which the kinds come first.
pub fn by_kind(group: impl IntoIterator<Item = Card>) -> Vec<(Kind, Vec<Card>)> {
    let mut found: Vec<(Kind, Vec<Card>)> = Vec::new();
    for card in group {
        let Some(kind) = card.kind() else { continue };
        match found.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, cards)) => cards.push(card),
            None => found.push((kind, vec![card])),
        }
    }
    found
}

/// Returns how often each card is in groups of cards together.
pub fn counts(groups: &[&[Card]]) -> Counts {
    let mut total = Counts::default();
    for &card in groups.iter().copied().flatten() {
        match total.0.iter_mut().find(|(known, _)| *known == card) {
            Some((_, count)) => *count += 1,
            None => total.0.push((card, 1)),
        }
    }
    total
}

/// How often there is each card, in the order in which the cards came first.
///
/// `counts[card]` is how often; subtracting never goes below 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts(Vec<(Card, usize)>);

impl Counts {
    /// Returns how many cards there are.
    pub fn total(&self) -> usize {
        self.0.iter().map(|(_, count)| count).sum()
    }

    /// Returns each card that there is, and how often.
    pub fn iter(&self) -> impl Iterator<Item = (Card, usize)> {
        self.0.iter().copied()
    }

    /// Returns all cards, equal ones one after another.
    pub fn elements(&self) -> impl Iterator<Item = Card> {
        self.iter().flat_map(|(card, count)| std::iter::repeat_n(card, count))
    }
}

impl Index<Card> for Counts {
    type Output = usize;

    fn index(&self, card: Card) -> &usize {
        self.0.iter().find(|(known, _)| *known == card).map_or(&0, |(_, count)| count)
    }
}

impl Sub<&Counts> for &Counts {
    type Output = Counts;

    fn sub(self, other: &Counts) -> Counts {
        let left = self.iter().map(|(card, count)| (card, count.saturating_sub(other[card])));
        Counts(left.filter(|&(_, count)| count > 0).collect())
    }
}

pub(super) fn by_number(numbers: &[i32]) -> Vec<Card> {
    numbers.iter().map(|&number| Card::from_number(number)).collect()
}
