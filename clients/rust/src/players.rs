//! The bot objects of a session, what they have been asked, and what they answered. No network.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;
use tokio::time::Instant;

use crate::errors::Error;
use crate::player::Seating;
use crate::v1;
use crate::workers::{Found, Lane, Work, Workers};

/// Answers that are found wait no longer than this for others of what is open.
pub(crate) const FLUSH: Duration = Duration::from_millis(50);

/// One match: who plays it and the last decision it was asked.
struct Entry {
    lane: Arc<Lane>,
    asked: u32,                 // the id of the last decision; ids rise
    answer: Option<v1::Answer>, // the answer to it, once there is one
    link: u64,                  // the connection it was asked over last
    is_thinking: bool,
}

/// All matches of a session.
pub(crate) struct Players {
    seating: Seating,
    workers: Workers,
    entries: HashMap<String, Entry>,
    thinking: usize,
    ending: usize,
    ready: Vec<v1::Answer>,
    ready_since: Instant,
    link: u64,
    max_note_bytes: usize,
}

impl Players {
    /// Starts the threads of the author's code; what they find is to be handed to `found`.
    pub fn new(
        seating: Seating,
        workers: usize,
        found: UnboundedSender<Found>,
    ) -> Result<Self, Error> {
        Ok(Self {
            seating,
            workers: Workers::start(workers, found)?,
            entries: HashMap::new(),
            thinking: 0,
            ending: 0,
            ready: Vec::new(),
            ready_since: Instant::now(),
            link: 0,
            max_note_bytes: 0,
        })
    }

    /// A new connection has been welcomed. Unless it resumes, all matches are lost.
    pub fn connected(&mut self, limits: &v1::Limits, resumed: bool) {
        self.link += 1;
        self.max_note_bytes = limits.max_note_bytes as usize;
        self.ready.clear(); // what is still open will be asked again
        if !resumed {
            self.close();
        }
    }

    /// Drops all matches. What is thought about is not waited for.
    pub fn close(&mut self) {
        for (_, entry) in self.entries.drain() {
            entry.lane.close();
        }
        self.thinking = 0;
        self.ready.clear();
    }

    /// Makes the bot object of a match; a match that is known already goes on.
    pub fn start(&mut self, message: v1::MatchStarted) {
        if self.entries.contains_key(&message.match_id) {
            return;
        }
        let match_id = message.match_id.clone();
        let lane = Lane::new((self.seating)(message));
        self.workers.add(&lane, Work::Start);
        let entry = Entry { lane, asked: 0, answer: None, link: 0, is_thinking: false };
        self.entries.insert(match_id, entry);
    }

    /// Queues decisions. One that was asked before is never decided twice.
    pub fn ask(&mut self, decisions: v1::Decisions) {
        for message in decisions.decisions {
            let Some(entry) = self.entries.get_mut(&message.match_id) else {
                continue; // its match has ended in the meantime
            };
            entry.link = self.link;
            if message.decision_id > entry.asked {
                entry.asked = message.decision_id;
                entry.answer = None;
                self.thinking += usize::from(!entry.is_thinking);
                entry.is_thinking = true;
                self.workers.add(&entry.lane, Work::Decide(message));
            } else if message.decision_id == entry.asked {
                if let Some(answer) = entry.answer.clone() {
                    self.add_ready(answer); // it got lost with the last connection
                }
            }
        }
    }

    /// Drops a match and tells its bot object.
    pub fn end(&mut self, message: v1::MatchEnded) {
        let Some(entry) = self.entries.remove(&message.match_id) else { return };
        self.thinking -= usize::from(entry.is_thinking);
        self.ready.retain(|answer| answer.match_id != message.match_id);
        entry.lane.close();
        self.ending += 1;
        self.workers.add(&entry.lane, Work::End(message));
    }

    /// Takes in what the author's code has found; returns a warning for the author, if any.
    ///
    /// # Errors
    /// The author's code failed.
    pub fn found(&mut self, found: Found) -> Result<Option<String>, Error> {
        match found {
            Found::Answer(answer) => Ok(self.answered(answer)),
            Found::Ended => {
                self.ending -= 1;
                Ok(None)
            }
            Found::Failed(error) => Err(error),
        }
    }

    fn answered(&mut self, mut answer: v1::Answer) -> Option<String> {
        let entry = self.entries.get_mut(&answer.match_id)?;
        let warning = cut(&mut answer.note, self.max_note_bytes);
        if answer.decision_id == entry.asked {
            entry.is_thinking = false;
            self.thinking -= 1;
            entry.answer = Some(answer.clone());
        }
        // One asked over a lost connection is kept only: it will be asked again over the new one.
        if entry.link == self.link {
            self.add_ready(answer);
        }
        warning
    }

    /// Returns whether answers are ready, and nothing is thought about that might give more.
    pub fn is_complete(&self) -> bool {
        !self.ready.is_empty() && self.thinking == 0
    }

    /// Returns when answers that are ready should be sent at the latest; `None` if there are none.
    pub fn flush_at(&self) -> Option<Instant> {
        (!self.ready.is_empty()).then(|| self.ready_since + FLUSH)
    }

    /// Returns the answers found since the last call.
    pub fn take_ready(&mut self) -> Vec<v1::Answer> {
        std::mem::take(&mut self.ready)
    }

    /// Returns whether bot objects are still to be told that their match has ended.
    pub fn is_ending(&self) -> bool {
        self.ending > 0
    }

    fn add_ready(&mut self, answer: v1::Answer) {
        if self.ready.is_empty() {
            self.ready_since = Instant::now();
        }
        self.ready.push(answer);
    }
}

/// Cuts a note at a character, to what the arena takes (0: anything).
fn cut(note: &mut String, limit: usize) -> Option<String> {
    let bytes = note.len();
    if limit == 0 || bytes <= limit {
        return None;
    }
    let end = (0..=limit).rev().find(|&end| note.is_char_boundary(end)).unwrap_or(0);
    note.truncate(end);
    Some(format!("warning: a note of {bytes} bytes was cut to {limit}"))
}
