//! The threads that run the author's code, in the order in which its work came.

use std::any::type_name;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use tokio::sync::mpsc::UnboundedSender;

use crate::bot::{Bot, Maker};
use crate::decision::Decision;
use crate::errors::{BotFailed, Error};
use crate::matches::{Match, Outcome};
use crate::panics::{Panic, catch};
use crate::v1;

/// As much as the main thread of a program has: searching bots recurse deeply.
const STACK_BYTES: usize = 8 << 20;

/// Who plays one match: the bot object, once it is made.
pub(crate) struct Player<B: Bot> {
    pub game_match: Arc<Match<B::Game>>,
    bot: Mutex<Option<B>>,
    is_busy: AtomicBool,
    is_over: AtomicBool,
}

impl<B: Bot> Player<B> {
    pub fn new(message: v1::MatchStarted) -> Arc<Self> {
        Arc::new(Self {
            game_match: Arc::new(Match::new(message)),
            bot: Mutex::new(None),
            is_busy: AtomicBool::new(false),
            is_over: AtomicBool::new(false),
        })
    }

    /// Decisions of this match are not started any more.
    pub fn close(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

/// What the author's code is to do.
pub(crate) enum Work {
    Start,
    Decide(v1::Decision),
    End(v1::MatchEnded),
}

/// What came of it. A start that went well is not told.
pub(crate) enum Found {
    Answer(v1::Answer),
    Ended,
    Failed(Error),
}

/// The threads, and what waits for them. They end when this is dropped, after what they do then.
pub(crate) struct Workers<B: Bot>(Arc<Shared<B>>);

struct Shared<B: Bot> {
    queue: Mutex<Queue<B>>,
    changed: Condvar,
    make: Maker<B>,
    found: UnboundedSender<Found>,
}

struct Queue<B: Bot> {
    waiting: VecDeque<(Arc<Player<B>>, Work)>,
    is_closed: bool,
}

impl<B: Bot> Workers<B> {
    pub fn start(
        count: usize,
        make: Maker<B>,
        found: UnboundedSender<Found>,
    ) -> Result<Self, Error> {
        let queue = Mutex::new(Queue { waiting: VecDeque::new(), is_closed: false });
        let shared = Arc::new(Shared { queue, changed: Condvar::new(), make, found });
        let workers = Self(Arc::clone(&shared));
        for _ in 0..count {
            let shared = Arc::clone(&shared);
            thread::Builder::new()
                .name("bot".to_owned())
                .stack_size(STACK_BYTES)
                .spawn(move || shared.work())
                .map_err(|error| Error::Usage(format!("cannot start {count} workers: {error}")))?;
        }
        Ok(workers)
    }

    /// Queues work. What belongs to one match is done in order, and never two things at once.
    pub fn add(&self, player: &Arc<Player<B>>, work: Work) {
        self.0.lock().waiting.push_back((Arc::clone(player), work));
        self.0.changed.notify_one();
    }
}

impl<B: Bot> Drop for Workers<B> {
    fn drop(&mut self) {
        self.0.lock().is_closed = true;
        self.0.changed.notify_all();
    }
}

impl<B: Bot> Shared<B> {
    fn lock(&self) -> MutexGuard<'_, Queue<B>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        while let Some((player, work)) = self.next() {
            let found = self.perform(&player, work).unwrap_or_else(|error| Some(Found::Failed(error)));
            // Others have passed over what waits for this player: this thread looks at it next.
            player.is_busy.store(false, Ordering::Release);
            if let Some(found) = found {
                let _ = self.found.send(found); // fails only when the session is over
            }
        }
    }

    /// Waits for work of a match that nobody works on; `None` when there will be no more.
    fn next(&self) -> Option<(Arc<Player<B>>, Work)> {
        let mut queue = self.lock();
        loop {
            let is_free = |(player, _): &(Arc<Player<B>>, Work)| !player.is_busy.load(Ordering::Acquire);
            if queue.is_closed {
                return None;
            } else if let Some(place) = queue.waiting.iter().position(is_free) {
                let (player, work) = queue.waiting.remove(place)?;
                player.is_busy.store(true, Ordering::Relaxed);
                return Some((player, work));
            }
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn perform(&self, player: &Player<B>, work: Work) -> Result<Option<Found>, Error> {
        let game_match = &player.game_match;
        let mut place = player.bot.lock().unwrap_or_else(PoisonError::into_inner);
        match work {
            Work::Start => {
                let bot = catch(|| (self.make)(game_match));
                *place = Some(bot.map_err(|panic| failure::<B>("new", game_match, panic))?);
                Ok(None)
            }
            Work::Decide(message) => {
                let Some(bot) = place.as_mut() else { return Ok(None) };
                if player.is_over.load(Ordering::Relaxed) {
                    return Ok(None);
                }
                decide(bot, game_match, message).map(|answer| Some(Found::Answer(answer)))
            }
            Work::End(message) => {
                if let Some(mut bot) = place.take() {
                    let outcome = Outcome::new(Arc::clone(game_match), message);
                    catch(move || bot.ended(&outcome))
                        .map_err(|panic| failure::<B>("ended", game_match, panic))?;
                }
                Ok(Some(Found::Ended))
            }
        }
    }
}

fn decide<B: Bot>(
    bot: &mut B,
    game_match: &Arc<Match<B::Game>>,
    message: v1::Decision,
) -> Result<v1::Answer, Error> {
    let decision = Decision::new(Arc::clone(game_match), message);
    let choice = catch(|| bot.decide(&decision))
        .map_err(|panic| failure::<B>("decide", game_match, panic))?;
    let index = decision.index_of(&choice).map_err(|error| {
        Error::IllegalChoice(format!("{error}\n  in {}::decide", type_name::<B>()))
    })?;
    Ok(v1::Answer {
        match_id: game_match.id().to_owned(),
        decision_id: decision.id(),
        move_index: Some(index as u32),
        note: decision.note(),
    })
}

fn failure<B: Bot>(what: &str, game_match: &Match<B::Game>, panic: Panic) -> Error {
    let name = type_name::<B>();
    let Panic { text: panic, stack } = panic;
    let text = format!("{name}::{what}() failed in {game_match:?}: {panic}");
    Error::BotFailed(BotFailed { text, panic, stack })
}
