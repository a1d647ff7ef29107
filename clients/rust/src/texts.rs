//! What is told to the author of a bot, in words.

use tonic::Code;

use crate::v1;
use crate::v1::rejected::Reason;

/// Returns why the arena refused a session, and what to do.
pub(crate) fn refusal(code: Code, details: &str, address: &str, protocol: u32) -> String {
    let (what, advice) = match code {
        Code::Unauthenticated | Code::PermissionDenied => (
            "the arena refuses the token".to_owned(),
            "set ARENA_TOKEN to the token from the organiser".to_owned(),
        ),
        Code::AlreadyExists => (
            "the token is in use".to_owned(),
            "end the other program that plays with it, or wait until the arena has noticed its end"
                .to_owned(),
        ),
        Code::FailedPrecondition => (
            "the arena does not accept this bot".to_owned(),
            format!(
                "this library speaks protocol {protocol}; install one that fits, or check the \
                 bot's games"
            ),
        ),
        Code::ResourceExhausted => (
            "a limit of the arena was exceeded".to_owned(),
            "try again later, or take fewer matches at once (max_matches)".to_owned(),
        ),
        Code::Unimplemented => {
            (format!("what answers at {address} is no arena"), "check ARENA_ADDRESS".to_owned())
        }
        _ => (
            "the arena ended the session".to_owned(),
            "see the documentation of the arena".to_owned(),
        ),
    };
    let said = if details.is_empty() { format!("{code:?}") } else { inert(details) };
    format!("{what}: {said} ({advice})")
}

/// Returns the warning about an answer that was not used.
pub(crate) fn rejection(rejected: &v1::Rejected) -> String {
    let name = match Reason::try_from(rejected.reason) {
        Ok(reason) => reason.as_str_name().replace("REASON_", "").replace('_', " ").to_lowercase(),
        Err(_) => rejected.reason.to_string(),
    };
    let said = inert(&rejected.message);
    let said = if said.is_empty() { advice(rejected.reason()) } else { &said };
    let (decision, match_id) = (rejected.decision_id, inert(&rejected.match_id));
    let what = format!("the answer to decision {decision} of match {match_id}");
    format!("warning: the arena rejected {what} ({name}): {said}")
}

fn advice(reason: Reason) -> &'static str {
    match reason {
        Reason::Unspecified => "see the documentation of the arena",
        Reason::Late => "decide faster: see move_time and bank of the decision",
        Reason::Repeated => "nothing to do: the first answer counts",
        Reason::UnknownDecision | Reason::UnknownMatch => "nothing to do, unless it happens often",
        Reason::MatchOver => "nothing to do: the match ended while the bot was thinking",
        Reason::IllegalMove | Reason::Incomplete => {
            "check that arena and library have the same version"
        }
        Reason::NoteTooLong => "write shorter notes",
    }
}

/// Returns a text from elsewhere so that it can do nothing to a terminal.
pub(crate) fn inert(text: &str) -> String {
    text.chars()
        .map(|sign| if is_printable(sign) { sign } else { char::REPLACEMENT_CHARACTER })
        .collect()
}

/// Returns whether a character shows as itself.
pub(crate) fn is_printable(sign: char) -> bool {
    // The library knows which ones it escapes, but behind another one only: a mark needs a letter.
    let mut text = [b'a', 0, 0, 0, 0];
    let length = 1 + sign.encode_utf8(&mut text[1..]).len();
    let is_shown =
        |text: &[u8]| std::str::from_utf8(text).is_ok_and(|text| text.escape_debug().count() == 2);
    matches!(sign, '"' | '\'' | '\\') || is_shown(&text[..length])
}
