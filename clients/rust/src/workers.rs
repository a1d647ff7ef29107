//! The threads that run the author's code, in the order in which its work came.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use tokio::sync::mpsc::UnboundedSender;

use crate::errors::Error;
use crate::player::Play;
use crate::v1;

/// As much as the main thread of a program has: searching bots recurse deeply.
const STACK_BYTES: usize = 8 << 20;

/// The work of one match: done in order, and never two things at once.
pub(crate) struct Lane {
    player: Box<dyn Play>,
    is_busy: AtomicBool,
    is_over: AtomicBool,
}

impl Lane {
    pub fn new(player: Box<dyn Play>) -> Arc<Self> {
        Arc::new(Self { player, is_busy: AtomicBool::new(false), is_over: AtomicBool::new(false) })
    }

    /// Decisions of this match are not started any more.
    pub fn close(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    fn perform(&self, work: Work) -> Result<Option<Found>, Error> {
        match work {
            Work::Start => self.player.start().map(|()| None),
            Work::Decide(_) if self.is_over.load(Ordering::Relaxed) => Ok(None),
            Work::Decide(message) => self.player.decide(message).map(Found::Answer).map(Some),
            Work::End(message) => self.player.end(message).map(|()| Some(Found::Ended)),
        }
    }
}

/// What the author's code is to do.
#[expect(clippy::large_enum_variant, reason = "nearly all of it are decisions")]
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
pub(crate) struct Workers(Arc<Shared>);

struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
    found: UnboundedSender<Found>,
}

struct Queue {
    waiting: VecDeque<(Arc<Lane>, Work)>,
    is_closed: bool,
}

impl Workers {
    /// Starts threads; what they find goes to `found`.
    pub fn start(count: usize, found: UnboundedSender<Found>) -> Result<Self, Error> {
        let queue = Mutex::new(Queue { waiting: VecDeque::new(), is_closed: false });
        let workers = Self(Arc::new(Shared { queue, changed: Condvar::new(), found }));
        for _ in 0..count {
            let shared = Arc::clone(&workers.0);
            thread::Builder::new()
                .name("bot".to_owned())
                .stack_size(STACK_BYTES)
                .spawn(move || shared.work())
                .map_err(|error| Error::Usage(format!("cannot start {count} workers: {error}")))?;
        }
        Ok(workers)
    }

    /// Queues work.
    pub fn add(&self, lane: &Arc<Lane>, work: Work) {
        self.0.lock().waiting.push_back((Arc::clone(lane), work));
        self.0.changed.notify_one();
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.0.lock().is_closed = true;
        self.0.changed.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        while let Some((lane, work)) = self.next() {
            let found = lane.perform(work).unwrap_or_else(|error| {
                lane.close(); // an object that has failed is not asked again
                Some(Found::Failed(error))
            });
            // Others have passed over what waits in this lane: this thread looks at it next.
            lane.is_busy.store(false, Ordering::Release);
            if let Some(found) = found {
                let _ = self.found.send(found); // fails only when the session is over
            }
        }
    }

    /// Waits for work in a lane that nobody works in; `None` when there will be no more.
    fn next(&self) -> Option<(Arc<Lane>, Work)> {
        let mut queue = self.lock();
        loop {
            if queue.is_closed {
                return None;
            }
            let is_free = |(lane, _): &(Arc<Lane>, Work)| !lane.is_busy.load(Ordering::Acquire);
            if let Some(place) = queue.waiting.iter().position(is_free) {
                let (lane, work) = queue.waiting.remove(place)?;
                lane.is_busy.store(true, Ordering::Relaxed);
                return Some((lane, work));
            }
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
