//! What is printed: the goods, the track and the black-market cards of a match.

use std::fmt;
use std::sync::Arc;

use crate::v1;

/// A good.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum Good {
    /// One that the seat may not see, or that this version does not know.
    #[default]
    Unknown = 0,
    Potatoes = 1,
    Butter = 2,
    Sugar = 3,
    Coffee = 4,
    Flour = 5,
}

impl Good {
    /// All goods, in the order of their numbers.
    pub const ALL: [Self; 5] =
        [Self::Potatoes, Self::Butter, Self::Sugar, Self::Coffee, Self::Flour];

    /// Returns the good of a number of the protocol.
    pub fn from_number(number: i32) -> Self {
        Self::ALL.into_iter().find(|&good| good as i32 == number).unwrap_or_default()
    }
}

impl fmt::Display for Good {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(match self {
            Self::Unknown => "unknown",
            Self::Potatoes => "potatoes",
            Self::Butter => "butter",
            Self::Sugar => "sugar",
            Self::Coffee => "coffee",
            Self::Flour => "flour",
        })
    }
}

/// What a text card does (S5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Effect {
    /// Draws a good from another hand at random.
    OldDebt,
    /// Pays for a look into the goods pile and takes one good of it.
    NewGoods,
    /// Limits trading in the next exchange round.
    ScarceGoods,
    /// Exchanges goods with the pile.
    Foraging,
    /// Makes another seat pay.
    Protection,
    /// Keeps a seat from trading in the next exchange round.
    Raid,
    /// Slows the marker in the next exchange round.
    SlowTrade,
}

impl Effect {
    fn from_number(number: i32) -> Option<Self> {
        match v1::SchwarzmarktEffect::try_from(number).ok()? {
            v1::SchwarzmarktEffect::Unspecified => None,
            v1::SchwarzmarktEffect::OldDebt => Some(Self::OldDebt),
            v1::SchwarzmarktEffect::NewGoods => Some(Self::NewGoods),
            v1::SchwarzmarktEffect::ScarceGoods => Some(Self::ScarceGoods),
            v1::SchwarzmarktEffect::Foraging => Some(Self::Foraging),
            v1::SchwarzmarktEffect::Protection => Some(Self::Protection),
            v1::SchwarzmarktEffect::Raid => Some(Self::Raid),
            v1::SchwarzmarktEffect::SlowTrade => Some(Self::SlowTrade),
        }
    }
}

/// Returns how many of the goods held a demand wants.
pub fn wanted(held: &[Good], demand: &[Good]) -> usize {
    let count = |goods: &[Good], good| goods.iter().filter(|&&one| one == good).count();
    let kinds = [Good::Unknown].into_iter().chain(Good::ALL);
    kinds.map(|good| count(held, good).min(count(demand, good))).sum()
}

/// A type of black-market card. Cards are equal if their numbers are.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Card {
    /// Its place in the material.
    pub number: u32,
    /// Such as `offer:potatoes-2,butter-2` or `raid`.
    pub name: String,
    /// How many of it there are.
    pub copies: u32,
    /// The goods an offer wants. Empty for text cards.
    pub demand: Vec<Good>,
    /// What a text card does. `None` for offers.
    pub effect: Option<Effect>,
}

impl Card {
    /// Returns whether it opens an exchange round.
    pub fn is_offer(&self) -> bool {
        !self.demand.is_empty()
    }
}

impl PartialEq for Card {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Eq for Card {}

impl fmt::Display for Card {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&self.name)
    }
}

/// What is printed: track, black-market cards and goods of this match.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Material {
    /// What a good is paid, by space of the track.
    pub prices: Vec<u32>,
    /// How far the marker may go, by space.
    pub steps: Vec<u32>,
    /// The types of black-market cards.
    pub cards: Vec<Arc<Card>>,
    /// All goods of the deck.
    pub goods: Vec<Good>,
}

impl Material {
    pub(super) fn new(message: &v1::SchwarzmarktMaterial) -> Self {
        let card = |(number, card): (u32, &v1::SchwarzmarktCard)| {
            Arc::new(Card {
                number,
                name: card.name.clone(),
                copies: card.copies,
                demand: by_number(&card.demand),
                effect: Effect::from_number(card.effect),
            })
        };
        Self {
            prices: message.track.iter().map(|space| space.price).collect(),
            steps: message.track.iter().map(|space| space.steps).collect(),
            cards: (0..).zip(&message.cards).map(card).collect(),
            goods: by_number(&message.goods),
        }
    }

    /// Returns the last space of the track.
    pub fn last_space(&self) -> usize {
        self.prices.len().saturating_sub(1)
    }

    /// Returns the card of a number; one that is not in the material is called `unknown`.
    pub(super) fn card(&self, number: u32) -> Arc<Card> {
        self.cards.get(number as usize).cloned().unwrap_or_else(|| {
            let name = "unknown".to_owned();
            Arc::new(Card { number, name, copies: 0, demand: Vec::new(), effect: None })
        })
    }
}

pub(super) fn by_number(numbers: &[i32]) -> Vec<Good> {
    numbers.iter().map(|&number| Good::from_number(number)).collect()
}
