//! Who plays one match: the bot object, and how the author's code is called.

use std::any::type_name;
use std::sync::{Arc, Mutex, PoisonError};

use crate::bot::Bot;
use crate::decision::Decision;
use crate::errors::{BotFailed, Error};
use crate::matches::{Match, Outcome};
use crate::panics::{Panic, catch};
use crate::v1;

/// A player of whatever game. One thing is asked of it at a time, in order: to start, then decisions,
/// then to end. All of it runs the author's code, and fails if that panics.
///
/// All that is behind this trait is compiled once, with the library, and not again with every bot.
pub(crate) trait Play: Send + Sync {
    /// Makes the bot object.
    fn start(&self) -> Result<(), Error>;
    /// Lets it decide; also fails if its choice is not legal.
    fn decide(&self, message: v1::Decision) -> Result<v1::Answer, Error>;
    /// Tells it that the match has ended, and drops it.
    fn end(&self, message: v1::MatchEnded) -> Result<(), Error>;
}

/// Makes the player of a match.
pub(crate) type Seating = Arc<dyn Fn(v1::MatchStarted) -> Box<dyn Play> + Send + Sync>;

struct Player<B: Bot, F> {
    game_match: Arc<Match<B::Game>>,
    make: Arc<F>,
    bot: Mutex<Option<B>>,
}

/// Returns what makes players, given what makes bot objects.
pub(crate) fn seating<B, F>(make: F) -> Seating
where
    B: Bot,
    F: Fn(&Match<B::Game>) -> B + Send + Sync + 'static,
{
    let make = Arc::new(make);
    Arc::new(move |message| {
        let (game_match, make) = (Arc::new(Match::new(message)), Arc::clone(&make));
        Box::new(Player { game_match, make, bot: Mutex::new(None) })
    })
}

impl<B: Bot, F: Fn(&Match<B::Game>) -> B> Player<B, F> {
    /// Runs the author's code with the place of the bot object.
    fn run<T>(&self, what: &str, code: impl FnOnce(&mut Option<B>) -> T) -> Result<T, Error> {
        let mut bot = self.bot.lock().unwrap_or_else(PoisonError::into_inner);
        catch(|| code(&mut bot)).map_err(|Panic { text: panic, stack }| {
            let (name, game_match) = (type_name::<B>(), &self.game_match);
            let text = format!("{name}::{what}() failed in {game_match:?}: {panic}");
            Error::BotFailed(BotFailed { text, panic, stack })
        })
    }
}

impl<B, F> Play for Player<B, F>
where
    B: Bot,
    F: Fn(&Match<B::Game>) -> B + Send + Sync,
{
    fn start(&self) -> Result<(), Error> {
        self.run("new", |bot| *bot = Some((self.make)(&self.game_match)))
    }

    fn decide(&self, message: v1::Decision) -> Result<v1::Answer, Error> {
        let decision = Decision::new(Arc::clone(&self.game_match), message);
        let choice = self
            .run("decide", |bot| bot.as_mut().expect("it was started before").decide(&decision))?;
        let index = decision.index_of(&choice).map_err(|error| {
            Error::IllegalChoice(format!("{error}\n  in {}::decide", type_name::<B>()))
        })?;
        Ok(v1::Answer {
            match_id: self.game_match.id().to_owned(),
            decision_id: decision.id(),
            move_index: Some(index as u32),
            note: decision.note(),
        })
    }

    fn end(&self, message: v1::MatchEnded) -> Result<(), Error> {
        let outcome = Outcome::new(Arc::clone(&self.game_match), message);
        self.run("ended", |bot| bot.take().expect("it was started before").ended(&outcome))
    }
}
