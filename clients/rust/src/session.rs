//! One session with an arena, over as many connections as it takes.
//!
//! ```text
//! CONNECTING --welcome--> PLAYING --goodbye, stop, failure--> LEAVING --end of stream--> ENDED
//!                          |   ^
//!       connection is lost |   | welcome with resumed
//!                          v   |
//!                        RESUMING
//! ```
//!
//! CONNECTING and RESUMING give up after their timeout and when the arena refuses. A session that has
//! expired at the arena goes from RESUMING back to CONNECTING, its matches are lost.

use std::future::pending;
use std::mem::take;
use std::time::Duration;

use prost::{Message as _, length_delimiter_len};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::{Instant, sleep, sleep_until, timeout};
use tonic::{Code, Status};

use crate::bot::Introduction;
use crate::channel::{Dialer, Link, why};
use crate::errors::Error;
use crate::player::Seating;
use crate::players::Players;
use crate::rng::Rng;
use crate::settings::Settings;
use crate::texts::{inert, refusal, rejection, silence_hint};
use crate::v1::play_request::Message as Request;
use crate::v1::play_response::Message as Response;
use crate::v1::{Answer, Answers, Goodbye, Hello, Leave, PlayRequest, Welcome, goodbye};
use crate::workers::Found;

const PROTOCOL: u32 = 1;
const WELCOME: Duration = Duration::from_secs(10); // for the welcome after the hello
const GRACE: Duration = Duration::from_secs(2); // to end the stream after a leave or a goodbye
const FIRST_PAUSE: Duration = Duration::from_millis(50); // between attempts, doubling
const LAST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(1 << 32); // clocks do not go much further
const MAX_REASON: usize = 1000; // characters of a leave, by the protocol

/// Where a session stands. LEAVING and ENDED are places in the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Connecting,
    Playing,
    Resuming,
}

/// How a connection ended.
enum End {
    Lost(Status),
    Left(Result<(), Error>),
}

/// Plays matches with bot objects until the arena says goodbye.
pub(crate) struct Session<'a> {
    introduction: &'a Introduction,
    settings: &'a Settings,
    report: &'a (dyn Fn(&str) + Sync),
    stop: UnboundedReceiver<String>,
    dialer: Dialer,
    players: Players,
    found: UnboundedReceiver<Found>,
    state: State,
    resume_token: Vec<u8>,
    max_message_bytes: usize,
    deadline: Instant,
    pause: Duration,
    rng: Rng,
}

impl<'a> Session<'a> {
    /// Makes a session; what is received from `stop` is a reason to leave, at any time.
    pub fn new(
        introduction: &'a Introduction,
        seating: Seating,
        workers: usize,
        settings: &'a Settings,
        report: &'a (dyn Fn(&str) + Sync),
        stop: UnboundedReceiver<String>,
    ) -> Result<Self, Error> {
        let (sender, found) = unbounded_channel();
        Ok(Self {
            introduction,
            settings,
            report,
            stop,
            dialer: Dialer::new(settings)?,
            players: Players::new(seating, workers, sender)?,
            found,
            state: State::Connecting,
            resume_token: Vec::new(),
            max_message_bytes: 0,
            deadline: end_of(settings.connect_timeout),
            pause: FIRST_PAUSE,
            rng: Rng::unforeseen(),
        })
    }

    /// Plays until the arena says goodbye or a reason to stop comes.
    ///
    /// # Errors
    /// The author's code failed, which the arena has been told; the arena does not want this session;
    /// it cannot be reached, or not again.
    pub async fn play(mut self) -> Result<(), Error> {
        loop {
            let status = match self.connect().await {
                End::Left(result) => return result,
                End::Lost(status) => status,
            };
            let pause = self.after_loss(&status)?;
            tokio::select! {
                _ = stopped(&mut self.stop) => return Ok(()),
                failure = failed(&mut self.found, &mut self.players, self.report) => {
                    return Err(failure);
                }
                () = sleep(pause) => {}
            }
        }
    }

    /// Dials once and plays until the stream ends.
    async fn connect(&mut self) -> End {
        let hello = PlayRequest { message: Some(Request::Hello(self.hello())) };
        let greeted = tokio::select! {
            _ = stopped(&mut self.stop) => return End::Left(Ok(())),
            failure = failed(&mut self.found, &mut self.players, self.report) => {
                return End::Left(Err(failure));
            }
            greeted = timeout(WELCOME, greet(&self.dialer, hello)) => greeted,
        };
        match greeted {
            Ok(Ok((link, welcome))) => {
                self.welcomed(welcome);
                self.serve(link).await
            }
            Ok(Err(status)) => End::Lost(status),
            Err(_) => End::Lost(Status::unavailable("no welcome in time")),
        }
    }

    fn hello(&self) -> Hello {
        let bot = self.introduction;
        Hello {
            protocol: PROTOCOL,
            token: self.settings.token.clone(),
            bot: bot.name.clone(),
            version: bot.version.clone(),
            language: "rust".to_owned(),
            sdk: concat!("arena-rust ", env!("CARGO_PKG_VERSION")).to_owned(),
            games: bot.games.clone(),
            max_matches: bot.max_matches,
            batches_matches: true,
            resume_token: self.resume_token.clone(),
        }
    }

    fn welcomed(&mut self, welcome: Welcome) {
        if !self.resume_token.is_empty() && !welcome.resumed {
            (self.report)("warning: the arena started a new session; the old matches are lost");
        } else if self.state == State::Resuming {
            (self.report)("the session was resumed");
        } else {
            let (bot, address) = (inert(&welcome.bot), &self.settings.address);
            let arena = inert(&welcome.arena);
            (self.report)(&format!("playing as {bot} at {address} (arena {arena})"));
        }
        let limits = welcome.limits.unwrap_or_default();
        self.resume_token = welcome.resume_token;
        self.max_message_bytes = limits.max_message_bytes as usize;
        self.pause = FIRST_PAUSE;
        self.players.connected(&limits, welcome.resumed);
        self.state = State::Playing;
    }

    /// Answers until the stream ends.
    async fn serve(&mut self, mut link: Link) -> End {
        loop {
            if self.players.is_complete() {
                self.flush(&link);
            }
            let flush_at = self.players.flush_at();
            tokio::select! {
                biased; // what is found together goes out together
                reason = stopped(&mut self.stop) => {
                    let leave = Leave { reason, failed: false };
                    return self.leave(link, Some(leave), false).await;
                }
                Some(found) = self.found.recv() => match self.players.found(found) {
                    Ok(warning) => warning.iter().for_each(|warning| (self.report)(warning)),
                    Err(failure) => return self.fail(link, failure).await,
                },
                () = until(flush_at) => self.flush(&link),
                response = link.responses.message() => match response {
                    Ok(Some(response)) => {
                        if let Some(goodbye) = self.take_in(response.message) {
                            return self.part(link, goodbye).await;
                        }
                    }
                    Ok(None) => {
                        return End::Lost(Status::ok("the stream ended without a goodbye"));
                    }
                    Err(status) => return End::Lost(status),
                }
            }
        }
    }

    /// Notes what the arena says, and returns its goodbye. What this version does not know is ignored.
    fn take_in(&mut self, message: Option<Response>) -> Option<Goodbye> {
        match message {
            Some(Response::MatchStarted(started)) => self.players.start(started),
            Some(Response::Decisions(mut decisions)) => {
                take(&mut decisions.match_ended).into_iter().for_each(|one| self.players.end(one));
                let started = take(&mut decisions.match_started);
                started.into_iter().for_each(|one| self.players.start(one));
                self.players.ask(decisions);
            }
            Some(Response::MatchEnded(ended)) => self.players.end(ended),
            Some(Response::Rejected(rejected)) => (self.report)(&rejection(&rejected)),
            Some(Response::Goodbye(goodbye)) => return Some(goodbye),
            Some(Response::Welcome(_)) | None => {}
        }
        None
    }

    /// Sends the answers that are ready. If the stream is over, reading it will tell why.
    fn flush(&mut self, link: &Link) {
        for answers in parts(self.players.take_ready(), self.max_message_bytes) {
            let _ = link.requests.send(PlayRequest { message: Some(Request::Answers(answers)) });
        }
    }

    async fn part(&mut self, link: Link, goodbye: Goodbye) -> End {
        let message = inert(&goodbye.message);
        (self.report)(&format!("the arena says goodbye: {message}"));
        let end = self.leave(link, None, true).await;
        match end {
            End::Left(Ok(())) if goodbye.reason() == goodbye::Reason::Misbehaved => {
                End::Left(Err(Error::Refused(format!("the arena ended the session: {message}"))))
            }
            end => end,
        }
    }

    async fn fail(&mut self, link: Link, failure: Error) -> End {
        let reason = inert(&failure.reason()).chars().take(MAX_REASON).collect();
        self.leave(link, Some(Leave { reason, failed: true }), false).await;
        End::Left(Err(failure))
    }

    /// Closes the own side, and waits a little for the arena to close its own.
    ///
    /// Bot objects whose match has ended before are told so if that is `awaited`.
    async fn leave(&mut self, link: Link, leave: Option<Leave>, awaited: bool) -> End {
        let Link { requests, mut responses } = link;
        self.players.close();
        if let Some(leave) = leave {
            let _ = requests.send(PlayRequest { message: Some(Request::Leave(leave)) });
        }
        drop(requests);
        let until = Instant::now() + GRACE;
        let mut is_open = true;
        while is_open || (awaited && self.players.is_ending()) {
            tokio::select! {
                response = responses.message(), if is_open => {
                    is_open = matches!(response, Ok(Some(_)));
                }
                Some(found) = self.found.recv() => {
                    if let (Err(failure), true) = (self.players.found(found), awaited) {
                        return End::Left(Err(failure));
                    }
                }
                () = sleep_until(until) => break,
            }
        }
        End::Left(Ok(()))
    }

    /// Returns how long to wait before the next attempt.
    ///
    /// # Errors
    /// There should be none.
    fn after_loss(&mut self, status: &Status) -> Result<Duration, Error> {
        let details = inert(&why_lost(status));
        // Before the welcome: the arena has no room now. Later: the bot went too far.
        let is_full = status.code() == Code::ResourceExhausted && self.state != State::Playing;
        if self.state == State::Playing {
            self.state = State::Resuming;
            self.deadline = end_of(self.settings.resume_timeout);
            (self.report)(&format!("the connection was lost ({details}); trying to resume"));
        }
        let is_own = !self.resume_token.is_empty();
        match status.code() {
            Code::NotFound if is_own => {
                (self.report)(
                    "warning: the session has expired at the arena; its matches are lost",
                );
                self.resume_token.clear();
                self.players.close();
                self.state = State::Connecting;
                return Ok(Duration::ZERO);
            }
            // An arena that has not noticed the loss itself takes the old connection for another bot.
            Code::AlreadyExists if is_own => {}
            Code::ResourceExhausted if is_full => {}
            Code::Ok
            | Code::Aborted
            | Code::Cancelled
            | Code::DataLoss
            | Code::DeadlineExceeded
            | Code::Internal
            | Code::Unavailable
            | Code::Unknown => {}
            code => {
                let address = &self.settings.address;
                return Err(Error::Refused(refusal(code, &details, address, PROTOCOL)));
            }
        }
        let pause = self.pause.mul_f64(0.5 + 0.5 * self.rng.float()); // not all bots at once
        self.pause = (2 * self.pause).min(LAST_PAUSE);
        if Instant::now() + pause > self.deadline {
            if is_full {
                let address = &self.settings.address;
                return Err(Error::Refused(refusal(status.code(), &details, address, PROTOCOL)));
            }
            return Err(Error::Unreachable(self.given_up(&details)));
        }
        Ok(pause)
    }

    fn given_up(&self, details: &str) -> String {
        let address = &self.settings.address;
        if self.state == State::Resuming {
            let within = self.settings.resume_timeout.as_secs_f64();
            return format!(
                "the arena at {address} went away and did not come back within {within} s ({details})"
            );
        }
        let hint = silence_hint(details, self.settings);
        format!("no arena answers at {address} ({details}): {hint}")
    }
}

/// Dials, says hello and waits for the welcome.
async fn greet(dialer: &Dialer, hello: PlayRequest) -> Result<(Link, Welcome), Status> {
    let mut link = dialer.dial(hello).await?;
    loop {
        match link.responses.message().await?.map(|response| response.message) {
            Some(Some(Response::Welcome(welcome))) => return Ok((link, welcome)),
            Some(_) => {} // nothing this version knows
            None => return Err(Status::unavailable("the stream ended without a welcome")),
        }
    }
}

/// Waits for a reason to stop; for ever if there can be none.
async fn stopped(stop: &mut UnboundedReceiver<String>) -> String {
    match stop.recv().await {
        Some(reason) => reason,
        None => pending().await,
    }
}

/// Takes in what bots find while there is no connection, until one of them fails.
async fn failed(
    found: &mut UnboundedReceiver<Found>,
    players: &mut Players,
    report: &(dyn Fn(&str) + Sync),
) -> Error {
    loop {
        let Some(found) = found.recv().await else { return pending().await };
        match players.found(found) {
            Ok(warning) => warning.iter().for_each(|warning| report(warning)),
            Err(failure) => return failure,
        }
    }
}

/// Returns the end of a time that begins now.
fn end_of(time: Duration) -> Instant {
    Instant::now() + time.min(LONGEST)
}

/// Waits for a moment; for ever if there is none.
async fn until(moment: Option<Instant>) {
    match moment {
        Some(moment) => sleep_until(moment).await,
        None => pending().await,
    }
}

fn why_lost(status: &Status) -> String {
    match std::error::Error::source(status) {
        Some(cause) => why(cause),
        None => status.message().to_owned(),
    }
}

/// Returns answers as one message, or as several if that would be too large (0: any size).
fn parts(answers: Vec<Answer>, max_bytes: usize) -> Vec<Answers> {
    let mut message = Answers { answers };
    let bytes = message.encoded_len();
    let whole = 1 + length_delimiter_len(bytes) + bytes; // within its request
    if max_bytes == 0 || message.answers.len() < 2 || whole <= max_bytes {
        return vec![message];
    }
    let rest = message.answers.split_off(message.answers.len() / 2);
    [message.answers, rest].into_iter().flat_map(|half| parts(half, max_bytes)).collect()
}
