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
use crate::panics::catch;
use crate::v1;

/// As much as the main thread of a program has: searching bots recurse deeply.
const STACK_BYTES: usize = 8 << 20;

/// The seat of a bot object: one for each match.
pub(crate) struct Seat<B: Bot> {
    pub game_match: Arc<Match<B::Game>>,
    bot: Mutex<Option<B>>,
    is_busy: AtomicBool,
    is_over: AtomicBool,
}

impl<B: Bot> Seat<B> {
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
    waiting: VecDeque<(Arc<Seat<B>>, Work)>,
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
    pub fn add(&self, seat: &Arc<Seat<B>>, work: Work) {
        self.0.lock().waiting.push_back((Arc::clone(seat), work));
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
        while let Some((seat, work)) = self.next() {
            let found = self.perform(&seat, work).unwrap_or_else(|error| Some(Found::Failed(error)));
            // A seat with more to do was passed over by all others: whoever frees it looks again.
            seat.is_busy.store(false, Ordering::Release);
            self.changed.notify_one();
            if let Some(found) = found {
                let _ = self.found.send(found); // fails only when the session is over
            }
        }
    }

    /// Waits for work of a match that nobody works on; `None` when there will be no more.
    fn next(&self) -> Option<(Arc<Seat<B>>, Work)> {
        let mut queue = self.lock();
        loop {
            let is_free = |(seat, _): &(Arc<Seat<B>>, Work)| !seat.is_busy.load(Ordering::Acquire);
            if queue.is_closed {
                return None;
            } else if let Some(place) = queue.waiting.iter().position(is_free) {
                let (seat, work) = queue.waiting.remove(place)?;
                seat.is_busy.store(true, Ordering::Relaxed);
                return Some((seat, work));
            }
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn perform(&self, seat: &Seat<B>, work: Work) -> Result<Option<Found>, Error> {
        let game_match = &seat.game_match;
        let mut place = seat.bot.lock().unwrap_or_else(PoisonError::into_inner);
        match work {
            Work::Start => {
                let bot = catch(|| (self.make)(game_match));
                *place = Some(bot.map_err(|panic| failure("making", game_match, panic))?);
                Ok(None)
            }
            Work::Decide(message) => {
                let Some(bot) = place.as_mut() else { return Ok(None) };
                if seat.is_over.load(Ordering::Relaxed) {
                    return Ok(None);
                }
                decide(bot, game_match, message).map(|answer| Some(Found::Answer(answer)))
            }
            Work::End(message) => {
                if let Some(mut bot) = place.take() {
                    let outcome = Outcome::new(Arc::clone(game_match), message);
                    catch(move || bot.ended(&outcome))
                        .map_err(|panic| failure("ended", game_match, panic))?;
                }
                Ok(Some(Found::Ended))
            }
        }
    }
}
