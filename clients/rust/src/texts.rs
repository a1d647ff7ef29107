//! What is told to the author of a bot, in words.

use tonic::Code;

use crate::settings::Settings;
use crate::v1;
use crate::v1::rejected::Reason;

/// Returns why the arena refused a session, and what to do.
pub(crate) fn refusal(code: Code, details: &str, address: &str, protocol: u32) -> String {
    let (what, advice) = match code {
        Code::Unauthenticated | Code::PermissionDenied => (
            "the arena rejected the token".to_owned(),
            "set ARENA_TOKEN to the token from the organiser".to_owned(),
        ),
        Code::AlreadyExists => (
            "the token is in use".to_owned(),
            "stop the other program that uses it, or wait until the arena has closed its session"
                .to_owned(),
        ),
        Code::FailedPrecondition => (
            "the arena does not accept this bot".to_owned(),
            format!(
                "this SDK speaks protocol {protocol}: install a matching version, or check the \
                 bot's games"
            ),
        ),
        Code::ResourceExhausted => (
            "a limit of the arena was exceeded".to_owned(),
            "try again later, or take fewer matches at once (max_matches)".to_owned(),
        ),
        Code::Unimplemented => {
            (format!("the server at {address} is not an arena"), "check ARENA_ADDRESS".to_owned())
        }
        _ => ("the arena ended the session".to_owned(), "see arena's documentation".to_owned()),
    };
    let said = if details.is_empty() { format!("{code:?}") } else { inert(details) };
    format!("{what}: {said} ({advice})")
}

const IS_RUNNING: &str = "is it running, and is ARENA_ADDRESS right?";
const WRONG_NAME: &str =
    "its certificate is for another host name: set ARENA_ADDRESS to a name in the certificate";

// What rustls says, by its texts; a conformance scenario notices when they change.
const HANDSHAKE_HINTS: [(&str, &str); 4] = [
    (
        "InvalidContentType",
        "it does not use TLS: unset ARENA_TLS, ARENA_CA_FILE, ARENA_CERT_FILE and ARENA_KEY_FILE",
    ),
    ("not valid for name", WRONG_NAME),
    ("NotValidForName", WRONG_NAME),
    (
        "UnknownIssuer",
        "its certificate is not signed by a trusted authority: set ARENA_CA_FILE to the \
         organiser's file",
    ),
];

/// Returns what to check when no arena answers.
pub(crate) fn silence_hint(details: &str, settings: &Settings) -> String {
    let found = HANDSHAKE_HINTS.iter().find(|(mark, _)| settings.tls && details.contains(mark));
    if let Some((_, hint)) = found {
        return (*hint).to_owned();
    }
    let more = match settings {
        _ if details.contains("refused") || settings.address.starts_with("unix:") => "",
        Settings { tls: false, .. } => " If it uses TLS, set ARENA_CA_FILE or ARENA_TLS=1",
        Settings { cert_file: None, .. } => {
            " If it requires a client certificate, set ARENA_CERT_FILE and ARENA_KEY_FILE"
        }
        _ => "",
    };
    format!("{IS_RUNNING}{more}")
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
        Reason::Unspecified => "see arena's documentation",
        Reason::Late => "decide faster: see move_time and bank of the decision",
        Reason::Repeated => "nothing to do: the first answer counts",
        Reason::UnknownDecision | Reason::UnknownMatch => "nothing to do, unless it happens often",
        Reason::MatchOver => "nothing to do: the match ended while the bot was thinking",
        Reason::IllegalMove | Reason::Incomplete => {
            "check that arena and the SDK have the same version"
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
