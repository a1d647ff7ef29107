//! A bot as a program: settings, signals, messages on stderr and exit codes.

use std::io::{self, Write};
use std::pin::pin;
use std::sync::Arc;
use std::{env, process};

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc::unbounded_channel;

use crate::bot::{Bot, Introduction};
use crate::errors::Error;
use crate::game::Game;
use crate::matches::Match;
use crate::player::{Seating, seating};
use crate::session::Session;
use crate::settings::{HELP, Settings};
use crate::texts::inert;

/// What shells give for Ctrl-C.
const INTERRUPTED: i32 = 130;

/// A bot, described, and ready to be run:
/// `Program::new("mine", MyBot::new).version("1").run()`.
pub struct Program {
    introduction: Introduction,
    seating: Seating,
    workers: usize,
}

impl Program {
    /// Describes a bot by its name (where there are tokens theirs counts) and by what makes the
    /// object of a match. That runs where [`Bot::decide`] runs.
    pub fn new<B, F>(name: impl Into<String>, make: F) -> Self
    where
        B: Bot,
        F: Fn(&Match<B::Game>) -> B + Send + Sync + 'static,
    {
        let games = B::Game::GAMES.iter().map(|&game| game.to_owned()).collect();
        let (name, version) = (name.into(), String::new());
        Self {
            introduction: Introduction { name, version, games, max_matches: 16 },
            seating: seating(make),
            workers: 1,
        }
    }

    /// Sets its version, shown in replays and leaderboards; none unless set.
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.introduction.version = version.into();
        self
    }

    /// Sets the games it plays; that of [`Bot::Game`] unless set. None: every game.
    pub fn games<G: Into<String>>(mut self, games: impl IntoIterator<Item = G>) -> Self {
        self.introduction.games = games.into_iter().map(Into::into).collect();
        self
    }

    /// Sets how many matches it takes at once; 16 unless set.
    pub fn max_matches(mut self, max_matches: u32) -> Self {
        self.introduction.max_matches = max_matches;
        self
    }

    /// Sets how many matches it thinks about at once, each on a thread of its own; 1 unless set.
    pub fn workers(mut self, workers: usize) -> Self {
        self.workers = workers;
        self
    }

    /// Plays until the arena says goodbye, then ends the process.
    ///
    /// Reads `ARENA_ADDRESS`, `ARENA_TOKEN` and the other variables; flags of the same names count
    /// more. Exits with 0 after a goodbye or SIGTERM, 1 if the bot's own code failed, 2 for bad usage
    /// or a refusal by the arena, 3 if the arena cannot be reached, 130 after Ctrl-C.
    pub fn run(self) -> ! {
        self.run_with(
            env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()),
        )
    }

    /// Plays as [`run`](Self::run) does, with these flags instead of those of the command line.
    pub fn run_with(self, arguments: impl IntoIterator<Item = String>) -> ! {
        let variable = |name: &str| env::var_os(name).map(|text| text.to_string_lossy().into());
        let code = Settings::read(arguments, variable).and_then(|settings| match settings {
            Some(settings) => self.play(&settings),
            None => {
                let _ = writeln!(io::stdout(), "{HELP}");
                Ok(0)
            }
        });
        process::exit(code.unwrap_or_else(|error| {
            if let Error::BotFailed(failed) = &error {
                let _ = writeln!(io::stderr(), "{}\n{}", failed.panic, failed.stack);
            }
            report(&error.to_string());
            error.exit_code()
        }))
    }

    /// Plays until the arena says goodbye or a signal comes, and returns the exit code.
    ///
    /// A `decide` that still runs then is left to its thread. Must not be called from async code.
    ///
    /// # Errors
    /// It ended in another way.
    pub fn play(&self, settings: &Settings) -> Result<i32, Error> {
        self.introduction.check()?;
        if self.workers == 0 {
            return Err(Error::Usage("workers of the bot must be 1 or more: 0".to_owned()));
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(cannot_begin)?;
        let code = runtime.block_on(self.session(settings));
        runtime.shutdown_background(); // a name that is looked up is not waited for
        code
    }

    async fn session(&self, settings: &Settings) -> Result<i32, Error> {
        let (stop, stopped) = unbounded_channel();
        let (about, seating) = (&self.introduction, Arc::clone(&self.seating));
        let session = Session::new(about, seating, self.workers, settings, &report, stopped)?;
        let mut interrupts = signal(SignalKind::interrupt()).map_err(cannot_begin)?;
        let mut terminations = signal(SignalKind::terminate()).map_err(cannot_begin)?;
        let mut playing = pin!(session.play());
        let mut code = 0;
        loop {
            let name = tokio::select! {
                played = &mut playing => return played.map(|()| code),
                _ = interrupts.recv() => "SIGINT",
                _ = terminations.recv() => "SIGTERM",
            };
            if name == "SIGINT" {
                code = INTERRUPTED;
            }
            let _ = stop.send(format!("stopped by {name}")); // fails only when it is over anyway
        }
    }
}

/// Writes lines for the author of the bot to stderr.
fn report(text: &str) {
    let lines: Vec<String> = text.lines().map(inert).collect(); // names in them are the arena's
    let _ = writeln!(io::stderr(), "arena_client: {}", lines.join("\n"));
}

fn cannot_begin(error: io::Error) -> Error {
    Error::Usage(format!("cannot begin to play: {error}"))
}
