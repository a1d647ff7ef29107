//! Bots that tests play with, and how they are played.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::timeout;

use super::fake_arena::{FakeArena, Script};
use crate::bot::{Bot, Introduction};
use crate::player::{Seating, seating};
use crate::session::Session;
use crate::v1::{PlayRequest, play_request};
use crate::{AnyGame, Choice, Decision, Error, Match, Outcome, Settings};

/// Decides as a function says, and notes what it is asked and told.
pub struct TestBot {
    decide: Arc<dyn Fn(&Decision) -> Choice + Send + Sync>,
    seen: Seen,
}

/// What bots have been asked and told.
#[derive(Clone, Default)]
pub struct Seen {
    pub made: Arc<Mutex<Vec<String>>>,
    pub asked: Arc<Mutex<Vec<(String, u32)>>>,
    pub outcomes: Arc<Mutex<Vec<Outcome>>>,
}

impl Bot for TestBot {
    type Game = AnyGame;

    fn decide(&mut self, decision: &Decision) -> Choice {
        let asked = (decision.game_match().id().to_owned(), decision.id());
        self.seen.asked.lock().unwrap().push(asked);
        (self.decide)(decision)
    }

    fn ended(&mut self, outcome: &Outcome) {
        let copy = Outcome::new(
            Arc::new(Match::new(outcome.game_match().message().clone())),
            outcome.message().clone(),
        );
        self.seen.outcomes.lock().unwrap().push(copy);
    }
}

/// A bot of a test, and how it is played.
pub struct Test {
    pub seating: Seating,
    pub workers: usize,
    pub settings: Settings,
    pub stop: Option<UnboundedReceiver<String>>,
}

/// Returns a bot that decides as a function says, and what it will have been asked.
pub fn deciding(decide: impl Fn(&Decision) -> Choice + Send + Sync + 'static) -> (Test, Seen) {
    let (decide, seen) = (Arc::new(decide), Seen::default());
    let noted = seen.clone();
    let make = move |game_match: &Match| {
        noted.made.lock().unwrap().push(game_match.id().to_owned());
        TestBot { decide: decide.clone(), seen: noted.clone() }
    };
    (Test::new(make), seen)
}

/// Returns a bot that always chooses the first legal move.
pub fn first() -> Test {
    deciding(|_| 0.into()).0
}

/// How a session went.
pub struct Played {
    pub received: Vec<Vec<PlayRequest>>,
    pub lines: Vec<String>,
    pub result: Result<(), Error>,
}

impl Played {
    /// Returns the error it ended with.
    pub fn error(&self) -> &Error {
        self.result.as_ref().expect_err("it ended well")
    }

    /// Returns what the bot gave as the reason of its leave.
    pub fn reason(&self) -> &str {
        match self.received.last().and_then(|sent| sent.last()?.message.as_ref()) {
            Some(play_request::Message::Leave(leave)) => &leave.reason,
            other => panic!("the last message is no leave: {other:?}"),
        }
    }
}

impl Test {
    pub fn new<B: Bot>(make: impl Fn(&Match<B::Game>) -> B + Send + Sync + 'static) -> Self {
        let mut settings = Settings::new("");
        settings.resume_timeout = Duration::from_secs(5);
        Self { seating: seating(make), workers: 1, settings, stop: None }
    }

    /// Plays against scripts, and returns how it went.
    pub fn play(self, scripts: Vec<Script>) -> Played {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("arena");
        let mut arena = FakeArena::new(scripts);
        arena.listen(&path);
        let mut played = self.play_at(&format!("unix:{}", path.display()), |_| {});
        arena.cut();
        played.received = arena.received();
        assert!(arena.left_over() == 0 || played.result.is_err(), "a script was not used");
        played
    }

    /// Plays at an address; `watch` is told each line for the author.
    pub fn play_at(mut self, address: &str, watch: impl Fn(&str) + Sync) -> Played {
        self.settings.address = address.to_owned();
        let lines = Mutex::new(Vec::new());
        let report = |line: &str| {
            lines.lock().unwrap().push(line.to_owned());
            watch(line);
        };
        let introduction = Introduction {
            name: "first".to_owned(),
            version: "3".to_owned(),
            games: vec!["byzanz".to_owned(), "schwarzmarkt".to_owned()],
            max_matches: 64,
        };
        let stop = self.stop.unwrap_or_else(|| unbounded_channel().1);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let result = runtime.block_on(async {
            let (seating, settings) = (self.seating, &self.settings);
            let session =
                Session::new(&introduction, seating, self.workers, settings, &report, stop)?;
            timeout(Duration::from_secs(20), session.play()).await.expect("the session hangs")
        });
        Played { received: Vec::new(), lines: lines.into_inner().unwrap(), result }
    }
}
