//! Why a bot program ends before its time. Each error has the exit code of the process.

use std::fmt;

/// Everything that ends a session other than a goodbye or a signal.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The author's own code panicked; the arena has been told.
    BotFailed(BotFailed),
    /// What `decide` returned is not one of the legal moves, which are listed; nothing was sent.
    IllegalChoice(String),
    /// A setting or a field of the bot is missing or makes no sense.
    Usage(String),
    /// The arena does not want this session, and trying again would not help.
    Refused(String),
    /// No arena answers at the address, or it went away and did not come back in time.
    Unreachable(String),
}

/// A panic of the author's code.
#[derive(Debug)]
pub struct BotFailed {
    /// Where it failed, in which match, and how.
    pub text: String,
    /// What it panicked with, and where in the code.
    pub panic: String,
    /// The calls that led to it, one frame per line or two.
    pub stack: String,
}

impl Error {
    /// Returns the exit code of a program that ends with this error.
    pub fn exit_code(&self) -> i32 {
        match self {
            Self::BotFailed(_) | Self::IllegalChoice(_) => 1,
            Self::Usage(_) | Self::Refused(_) => 2,
            Self::Unreachable(_) => 3,
        }
    }

    /// Returns what the arena is told when the bot leaves because of this error.
    pub(crate) fn reason(&self) -> String {
        let text = match self {
            Self::BotFailed(failed) => &failed.panic,
            Self::IllegalChoice(text)
            | Self::Usage(text)
            | Self::Refused(text)
            | Self::Unreachable(text) => text,
        };
        text.lines().next().unwrap_or_default().to_owned()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BotFailed(failed) => out.write_str(&failed.text),
            Self::IllegalChoice(text)
            | Self::Usage(text)
            | Self::Refused(text)
            | Self::Unreachable(text) => out.write_str(text),
        }
    }
}

impl std::error::Error for Error {}
