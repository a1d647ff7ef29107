//! What a session does while it is connected.

use std::sync::mpsc;
use std::thread::sleep;
use std::time::Duration;

use prost::Message as _;
use tonic::Status;

use super::bots::{Test, deciding, first};
use super::fake_arena::script;
use super::messages;
use crate::players::FLUSH;
use crate::v1::play_request::Message as Request;
use crate::v1::play_response::Message as Said;
use crate::v1::{Hello, Limits, Rejected, Welcome, goodbye, rejected};
use crate::{AnyGame, Bot, Choice, Decision, Error, Fault, Match, Outcome};

/// The hello carries protocol, token, what is said of the bot, language and library.
#[test]
fn a_hello_introduces_the_bot() {
    let mut test = first();
    test.settings.token = "secret".to_owned();
    let played = test.play(vec![script(|mut link| async move {
        link.welcome().await;
        link.goodbye().await;
    })]);
    played.result.as_ref().unwrap();
    let expected = Hello {
        protocol: 1,
        token: "secret".to_owned(),
        bot: "first".to_owned(),
        version: "3".to_owned(),
        language: "rust".to_owned(),
        sdk: format!("arena-rust {}", env!("CARGO_PKG_VERSION")),
        games: vec!["byzanz".to_owned(), "schwarzmarkt".to_owned()],
        max_matches: 64,
        batches_matches: true,
        resume_token: vec![],
    };
    assert_eq!(played.received[0][0].message, Some(Request::Hello(expected)));
    assert!(!played.lines.iter().any(|line| line.contains("secret")));
    assert!(played.lines[0].starts_with("playing as mine at unix:"));
    assert_eq!(played.lines[1], "the arena says goodbye: that was all");
}

/// All decisions of one message come back in one message, in their order.
#[test]
fn a_batch_is_answered_in_one_message() {
    let played = first().play(vec![script(|mut link| async move {
        link.welcome().await;
        link.start(&["a", "b", "c"]);
        link.ask(&[("a", 1), ("b", 1), ("c", 1)]);
        let all = ["a", "b", "c"].map(|id| (id.to_owned(), 1, 0));
        assert_eq!(link.answers().await, all);
        link.ask(&[("b", 2)]);
        assert_eq!(link.answers().await, [("b".to_owned(), 2, 0)]);
        link.goodbye().await;
    })]);
    played.result.unwrap();
}

/// Each match has its own object, which is told the outcome once and dropped.
#[test]
fn one_object_plays_one_match() {
    let (test, seen) = deciding(|_| 1.into());
    let played = test.play(vec![script(|mut link| async move {
        link.welcome().await;
        link.start(&["a", "b", "a"]);
        link.ask(&[("a", 1), ("b", 1)]);
        link.answers().await;
        link.end("b");
        link.end("b");
        link.end("never-heard-of");
        link.goodbye().await;
    })]);
    played.result.unwrap();
    assert_eq!(*seen.made.lock().unwrap(), ["a", "b"]);
    let outcomes = seen.outcomes.lock().unwrap();
    assert_eq!(outcomes.len(), 1);
    assert_eq!((outcomes[0].score(), outcomes[0].rank()), (Some(9), Some(1)));
    assert_eq!(outcomes[0].forfeits(), [None, Some(Fault::Timeout)]);
}

/// Answers that are found do not wait long for slow ones of their batch.
#[test]
fn a_slow_bot_sends_what_it_has() {
    let (go_on, blocked) = mpsc::channel();
    let blocked = std::sync::Mutex::new(blocked);
    let (test, _) = deciding(move |decision| {
        if decision.game_match().id() == "b" {
            blocked.lock().unwrap().recv().unwrap();
        }
        2.into()
    });
    let played = test.play(vec![script(|mut link| async move {
        link.welcome().await;
        link.start(&["a", "b", "c"]);
        link.ask(&[("a", 1), ("b", 1), ("c", 1)]);
        assert_eq!(link.answers().await, [("a".to_owned(), 1, 2)]);
        go_on.send(()).unwrap();
        let rest = link.answers().await;
        assert_eq!(rest, [("b".to_owned(), 1, 2), ("c".to_owned(), 1, 2)]);
        link.goodbye().await;
    })]);
    played.result.unwrap();
}

/// A waiting decision is dropped when its match ends while another one is decided, and the answer to
/// one that is thought about is not sent.
#[test]
fn the_end_of_a_match_is_noticed_while_thinking() {
    let (go_on, blocked) = mpsc::channel();
    let blocked = std::sync::Mutex::new(blocked);
    let (test, seen) = deciding(move |decision| {
        if decision.game_match().id() == "a" {
            blocked.lock().unwrap().recv().unwrap();
        }
        0.into()
    });
    let told = seen.clone();
    let played = test.play(vec![script(|mut link| async move {
        link.welcome().await;
        link.start(&["a", "b", "c"]);
        link.ask(&[("a", 1), ("b", 1)]);
        while told.asked.lock().unwrap().is_empty() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        link.end("a");
        link.end("b");
        link.send(Said::Rejected(Rejected::default())); // when it is reported, all above is known
        tokio::time::sleep(FLUSH).await;
        go_on.send(()).unwrap();
        link.ask(&[("c", 1)]);
        assert_eq!(link.answers().await, [("c".to_owned(), 1, 0)]);
        link.goodbye().await;
    })]);
    played.result.unwrap();
    let asked = seen.asked.lock().unwrap();
    assert_eq!(*asked, [("a".to_owned(), 1), ("c".to_owned(), 1)]);
    assert_eq!(seen.outcomes.lock().unwrap().len(), 2);
}

/// With more workers several matches are thought about at once, but never one twice.
#[test]
fn workers_think_about_several_matches() {
    let both = std::sync::Barrier::new(2);
    let (mut test, seen) = deciding(move |decision| {
        if decision.id() == 1 {
            both.wait(); // hangs unless two are thought about at once
        }
        0.into()
    });
    test.workers = 2;
    let played = test.play(vec![script(|mut link| async move {
        link.welcome().await;
        link.start(&["a", "b"]);
        link.ask(&[("a", 1), ("b", 1), ("a", 2), ("a", 3)]);
        let mut answers = Vec::new();
        while answers.len() < 4 {
            answers.extend(link.answers().await);
        }
        link.goodbye().await;
    })]);
    played.result.unwrap();
    let asked = seen.asked.lock().unwrap();
    let of_a: Vec<u32> = asked.iter().filter(|(id, _)| id == "a").map(|(_, id)| *id).collect();
    assert_eq!(of_a, [1, 2, 3]);
}

/// Unknown messages, fields and enum values change nothing, before and after the welcome.
#[test]
fn what_is_unknown_is_ignored() {
    let unknown = b"\x9a\x06\x03abc".to_vec(); // field 99, of type bytes
    let played = first().play(vec![script(|mut link| async move {
        link.read().await;
        link.send_bytes(unknown.clone());
        let mut welcome = Welcome { bot: "mine".to_owned(), ..Welcome::default() }.encode_to_vec();
        welcome.extend(&unknown);
        link.send_bytes([vec![0x0a, welcome.len() as u8], welcome].concat());
        link.send_bytes(unknown);
        link.send_bytes(Vec::new());
        link.send(Said::MatchStarted(messages::started("a", "chess")));
        link.send(Said::Rejected(Rejected { reason: 77, ..Rejected::default() }));
        link.ask(&[("a", 1)]);
        assert_eq!(link.answers().await, [("a".to_owned(), 1, 0)]);
        link.goodbye_for(55).await;
    })]);
    played.result.unwrap();
}

/// What the arena rejects is reported with what to do, and the session goes on.
#[test]
fn a_rejection_is_a_warning() {
    let played = first().play(vec![script(|mut link| async move {
        link.welcome().await;
        let reason = rejected::Reason::Late.into();
        let match_id = "a\x1b[2J".to_owned();
        link.send(Said::Rejected(Rejected {
            match_id,
            decision_id: 7,
            reason,
            message: String::new(),
        }));
        link.goodbye().await;
    })]);
    played.result.unwrap();
    let line = played.lines.iter().find(|line| line.contains("rejected")).unwrap();
    assert!(line.starts_with("warning: the arena rejected the answer to decision 7 of match a"));
    assert!(line.contains("(late): decide faster"), "{line}");
    assert!(!line.contains('\x1b'));
}

/// A goodbye for misbehaviour is an error; that of an arena that stops is none.
#[test]
fn a_goodbye_says_whether_all_was_well() {
    let with = |reason: goodbye::Reason| {
        first().play(vec![script(move |mut link| async move {
            link.welcome().await;
            link.goodbye_for(reason.into()).await;
            link.abort(Status::unavailable("stopping"));
        })])
    };
    with(goodbye::Reason::Stopping).result.unwrap();
    let played = with(goodbye::Reason::Misbehaved);
    assert!(matches!(played.error(), Error::Refused(_)));
    assert_eq!(played.error().to_string(), "the arena ended the session: that was all");
}

/// What is no legal move is refused with the legal ones, and the arena is told of a failure.
#[test]
fn an_illegal_choice_is_never_sent() {
    let (test, _) = deciding(|_| 3.into());
    let played = test.play(vec![script(|mut link| async move {
        link.welcome().await;
        link.start(&["a"]);
        link.ask(&[("a", 1)]);
        assert!(link.left().await.failed);
    })]);
    let error = played.error();
    assert!(matches!(error, Error::IllegalChoice(_)));
    assert_eq!(error.exit_code(), 1);
    let text = error.to_string();
    assert!(text.starts_with("decide() returned 3, which is not one of the 3 legal moves:\n"));
    assert!(text.contains("\n  2: bid spice-2 wine-1\n"), "{text}");
    assert!(text.contains("(decision 1 of <byzanz match a, seat 1 of 2>; return a legal move"));
    assert!(text.ends_with("TestBot::decide"), "{text}");
    assert!(played.reason().contains("not one of the 3 legal moves"));
}

struct Failing(&'static str);

impl Failing {
    fn new(place: &'static str) -> impl Fn(&Match) -> Self {
        move |_| {
            assert!(place != "new", "the author's mistake");
            Self(place)
        }
    }
}

impl Bot for Failing {
    type Game = AnyGame;

    fn decide(&mut self, _: &Decision) -> Choice {
        assert!(self.0 != "decide", "the author's mistake");
        0.into()
    }

    fn ended(&mut self, _: &Outcome) {
        assert!(self.0 != "ended", "the author's mistake");
    }
}

/// A panic of the author's code, wherever, is told to the arena and returned with its place.
#[test]
fn a_failure_leaves_the_session() {
    for place in ["new", "decide", "ended"] {
        let played =
            Test::new(Failing::new(place)).play(vec![script(move |mut link| async move {
                link.welcome().await;
                link.start(&["a"]);
                link.ask(&[("a", 1)]);
                if place == "ended" {
                    link.answers().await;
                    link.end("a");
                }
                assert!(link.left().await.failed);
            })]);
        let Error::BotFailed(failed) = played.error() else { panic!("{:?}", played.result) };
        assert!(failed.text.contains(&format!("Failing::{place}() failed in <byzanz match a,")));
        assert!(failed.panic.contains("tests/unit/session.rs:"), "{}", failed.panic);
        assert!(failed.stack.contains("tests/unit/session.rs:"), "{}", failed.stack);
        assert!(played.reason().ends_with("the author's mistake"), "{}", played.reason());
    }
}

/// A bot that failed ends although the arena keeps the stream open.
#[test]
fn an_arena_that_does_not_answer_a_leave_is_left() {
    let (test, _) = deciding(|_| 9.into());
    let played = test.play(vec![script(|mut link| async move {
        link.welcome().await;
        link.start(&["a"]);
        link.ask(&[("a", 1)]);
        link.left().await;
        std::future::pending::<()>().await;
    })]);
    assert!(matches!(played.error(), Error::IllegalChoice(_)));
}

/// A goodbye does not wait for a `decide` that runs on.
#[test]
fn a_goodbye_ends_a_long_thought() {
    let (test, _) = deciding(|_| {
        sleep(Duration::from_secs(60));
        0.into()
    });
    let played = test.play(vec![script(|mut link| async move {
        link.welcome().await;
        link.start(&["a"]);
        link.ask(&[("a", 1)]);
        link.goodbye().await;
    })]);
    played.result.unwrap();
}

/// A note goes with its answer, cut to what the arena takes, never in the middle of a character.
#[test]
fn notes_are_sent_and_cut() {
    let (test, _) = deciding(|decision| {
        decision.set_note("ab€");
        0.into()
    });
    let played = test.play(vec![script(|mut link| async move {
        let limits = Limits { max_note_bytes: 4, ..Limits::default() };
        link.welcome_with(b"r1", false, limits).await;
        link.start(&["a"]);
        link.ask(&[("a", 1)]);
        link.answers().await;
        link.goodbye().await;
    })]);
    let Some(Request::Answers(sent)) = &played.received[0][1].message else { panic!("no answers") };
    assert_eq!(sent.answers[0].note, "ab");
    assert!(played.lines.contains(&"warning: a note of 5 bytes was cut to 4".to_owned()));
}

/// A message larger than the arena takes becomes several.
#[test]
fn large_batches_are_split() {
    let ids = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let played = first().play(vec![script(move |mut link| async move {
        let limits = Limits { max_message_bytes: 40, ..Limits::default() };
        link.welcome_with(b"r1", false, limits).await;
        link.start(&ids);
        link.ask(&ids.map(|id| (id, 1)));
        let mut seen = Vec::new();
        while seen.len() < ids.len() {
            seen.extend(link.answers().await.into_iter().map(|(id, ..)| id));
        }
        assert_eq!(seen, ids);
        link.goodbye().await;
    })]);
    played.result.unwrap();
    let sizes: Vec<usize> =
        played.received[0].iter().skip(1).map(|sent| sent.encoded_len()).collect();
    assert!(sizes.len() > 1 && sizes.iter().all(|&size| size <= 40), "{sizes:?}");
}
