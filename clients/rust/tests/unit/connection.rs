//! How a session is connected, resumed and given up.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use tokio::sync::mpsc::unbounded_channel;
use tonic::{Code, Status};

use super::bots::{deciding, first};
use super::fake_arena::{FakeArena, Script, script};
use crate::Error;
use crate::v1::Limits;

fn short() -> Script {
    script(|mut link| async move {
        link.welcome().await;
        link.goodbye().await;
    })
}

fn refusing(status: Status) -> Script {
    script(|mut link| async move {
        link.read().await;
        link.abort(status);
    })
}

/// After a loss the open decision comes again and is answered, but not decided, again.
#[test]
fn resuming_answers_from_memory() {
    let before = script(|mut link| async move {
        link.welcome_with(b"first", false, Limits::default()).await;
        link.start(&["a", "b"]);
        link.ask(&[("a", 1), ("b", 4)]);
        assert_eq!(link.answers().await.len(), 2);
        link.abort(Status::unavailable("gone"));
    });
    let after = script(|mut link| async move {
        let hello = link.welcome_with(b"second", true, Limits::default()).await;
        assert_eq!(hello.resume_token, b"first");
        link.start(&["a", "b"]);
        link.ask(&[("a", 1), ("b", 5)]);
        let answers = [("a".to_owned(), 1, 1), ("b".to_owned(), 5, 1)];
        assert_eq!(link.answers().await, answers);
        link.abort(Status::unavailable("gone"));
    });
    let again = script(|mut link| async move {
        assert_eq!(link.resume().await.resume_token, b"second");
        link.goodbye().await;
    });
    let (test, seen) = deciding(|_| 1.into());
    let played = test.play(vec![before, after, again]);
    played.result.unwrap();
    let asked = [("a".to_owned(), 1), ("b".to_owned(), 4), ("b".to_owned(), 5)];
    assert_eq!(*seen.asked.lock().unwrap(), asked);
    assert_eq!(seen.made.lock().unwrap().len(), 2);
    assert!(played.lines.contains(&"the connection was lost (gone); trying to resume".to_owned()));
}

/// What is thought about during a loss is answered after it, decided once, sent once.
#[test]
fn thinking_outlives_a_loss() {
    let (go_on, blocked) = mpsc::channel();
    let blocked = std::sync::Mutex::new(blocked);
    let (test, seen) = deciding(move |_| {
        blocked.lock().unwrap().recv().unwrap();
        2.into()
    });
    let before = script(|mut link| async move {
        link.welcome().await;
        link.start(&["a"]);
        link.ask(&[("a", 1)]);
        link.abort(Status::unavailable("gone"));
    });
    let after = script(|mut link| async move {
        link.resume().await;
        link.ask(&[("a", 1)]);
        go_on.send(()).unwrap();
        assert_eq!(link.answers().await, [("a".to_owned(), 1, 2)]);
        link.goodbye().await;
    });
    let played = test.play(vec![before, after]);
    played.result.unwrap();
    assert_eq!(*seen.asked.lock().unwrap(), [("a".to_owned(), 1)]);
    assert_eq!(played.received[1].len(), 2); // a hello and one answer
}

/// A bot that fails while the connection is lost ends the session at once.
#[test]
fn a_failure_while_resuming_is_final() {
    let (go_on, blocked) = mpsc::channel::<()>();
    let blocked = std::sync::Mutex::new(blocked);
    let (mut test, _) = deciding(move |_| {
        let _ = blocked.lock().unwrap().recv();
        panic!("the author's mistake")
    });
    test.settings.resume_timeout = Duration::from_secs(1 << 62);
    let before = script(|mut link| async move {
        link.welcome().await;
        link.start(&["a"]);
        link.ask(&[("a", 1)]);
        link.abort(Status::unavailable("gone"));
    });
    let silent = script(|mut link| async move {
        link.read().await;
        drop(go_on);
        std::future::pending::<()>().await;
    });
    let played = test.play(vec![before, silent]);
    assert!(matches!(played.error(), Error::BotFailed(_)));
}

/// A decision that comes again over the same connection is answered from memory too.
#[test]
fn a_repeated_decision_is_not_decided_twice() {
    let (test, seen) = deciding(|_| 1.into());
    let played = test.play(vec![script(|mut link| async move {
        link.welcome().await;
        link.start(&["a"]);
        for _ in 0..2 {
            link.ask(&[("a", 1)]);
            assert_eq!(link.answers().await, [("a".to_owned(), 1, 1)]);
        }
        link.goodbye().await;
    })]);
    played.result.unwrap();
    assert_eq!(seen.asked.lock().unwrap().len(), 1);
}

/// A bot keeps trying while nobody listens, and goes on where it was.
#[test]
fn resuming_outlives_a_restart_of_the_listener() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("arena");
    let address = format!("unix:{}", path.display());
    let (asked, is_asked) = mpsc::channel();
    let (lost, is_lost) = mpsc::channel();
    let before = script(|mut link| async move {
        link.welcome().await;
        link.start(&["a"]);
        link.ask(&[("a", 1)]);
        link.answers().await;
        asked.send(()).unwrap();
        std::future::pending::<()>().await;
    });
    let after = script(|mut link| async move {
        link.resume().await;
        link.ask(&[("a", 1)]);
        assert_eq!(link.answers().await, [("a".to_owned(), 1, 1)]);
        link.goodbye().await;
    });
    let mut arena = FakeArena::new(vec![before, after]);
    arena.listen(&path);
    let (test, seen) = deciding(|_| 1.into());
    let played = thread::scope(|scope| {
        let playing = scope.spawn(|| {
            test.play_at(&address, |line| {
                if line.contains("trying to resume") {
                    lost.send(()).unwrap();
                }
            })
        });
        is_asked.recv().unwrap();
        arena.cut();
        is_lost.recv().unwrap();
        arena.listen(&path);
        playing.join().unwrap()
    });
    played.result.unwrap();
    assert_eq!(seen.asked.lock().unwrap().len(), 1);
    assert!(played.lines.contains(&"the session was resumed".to_owned()));
}

/// When the arena does not know the resume token, a new session without matches begins.
#[test]
fn an_expired_session_begins_anew() {
    let before = script(|mut link| async move {
        link.welcome().await;
        link.start(&["a"]);
        link.abort(Status::unavailable("gone"));
    });
    let anew = script(|mut link| async move {
        assert!(link.welcome().await.resume_token.is_empty());
        link.ask(&[("a", 1)]);
        link.start(&["b"]);
        link.ask(&[("b", 1)]);
        assert_eq!(link.answers().await, [("b".to_owned(), 1, 0)]);
        link.goodbye().await;
    });
    let played = first().play(vec![before, refusing(Status::not_found("expired")), anew]);
    played.result.unwrap();
    assert!(played.lines.iter().any(|line| line.starts_with("warning: the session has expired")));
}

/// A welcome that does not resume drops the matches; a token in use while resuming is tried again.
#[test]
fn a_new_session_loses_its_matches() {
    let before = script(|mut link| async move {
        link.welcome().await;
        link.start(&["a"]);
        link.abort(Status::unknown("gone"));
    });
    let anew = script(|mut link| async move {
        assert_eq!(link.welcome().await.resume_token, b"r1");
        link.ask(&[("a", 1)]);
        link.start(&["a"]);
        link.ask(&[("a", 2)]);
        assert_eq!(link.answers().await, [("a".to_owned(), 2, 0)]);
        link.goodbye().await;
    });
    let (test, seen) = deciding(|_| 0.into());
    let in_use = refusing(Status::already_exists("in use"));
    let played = test.play(vec![before, in_use, anew]);
    played.result.unwrap();
    assert_eq!(seen.made.lock().unwrap().len(), 2);
    assert!(played.lines.iter().any(|line| line.contains("the old matches are lost")));
}

/// When the arena does not come back in time, the session is unreachable.
#[test]
fn a_lost_arena_is_given_up() {
    let mut scripts = vec![script(|mut link| async move {
        link.welcome().await;
        link.abort(Status::unavailable("gone"));
    })];
    scripts.extend((0..20).map(|_| refusing(Status::unavailable("still gone"))));
    let mut test = first();
    test.settings.resume_timeout = Duration::from_millis(300);
    let played = test.play(scripts);
    let error = played.error();
    assert!(matches!(error, Error::Unreachable(_)));
    assert_eq!(error.exit_code(), 3);
    let text = error.to_string();
    assert!(text.ends_with("did not come back within 0.3 s (still gone)"), "{text}");
}

/// Without anybody listening the session gives up after its time.
#[test]
fn no_arena_is_reported() {
    for address in ["unix:/nowhere/at/all", "127.0.0.1:1", "[::1]:1"] {
        let mut test = first();
        test.settings.connect_timeout = Duration::from_millis(100);
        let played = test.play_at(address, |_| {});
        let text = played.error().to_string();
        assert!(text.starts_with(&format!("no arena answers at {address} (")), "{text}");
        assert!(text.ends_with("): is it running, and is ARENA_ADDRESS right?"), "{text}");
        assert!(text.contains("os error") || text.contains("timed out"), "{text}");
    }
}

/// A bot that finds nobody at first tries again until the arena listens.
#[test]
fn a_bot_may_start_before_the_arena() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("arena");
    let address = format!("unix:{}", path.display());
    let mut arena = FakeArena::new(vec![short()]);
    let played = thread::scope(|scope| {
        let playing = scope.spawn(|| first().play_at(&address, |_| {}));
        thread::sleep(Duration::from_millis(100));
        arena.listen(&path);
        playing.join().unwrap()
    });
    played.result.unwrap();
}

/// A refused hello is reported with what to do, and not tried again.
#[test]
fn a_refusal_is_final() {
    let cases = [
        (Code::Unauthenticated, "the arena rejected the token: because (set ARENA_TOKEN"),
        (Code::PermissionDenied, "the arena rejected the token: because (set ARENA_TOKEN"),
        (Code::AlreadyExists, "the token is in use: because"),
        (Code::FailedPrecondition, "because (this SDK speaks protocol 1:"),
        (Code::Unimplemented, "is not an arena: because (check ARENA_ADDRESS)"),
        (Code::InvalidArgument, "the arena ended the session: because"),
    ];
    for (code, expected) in cases {
        let played = first().play(vec![refusing(Status::new(code, "because"))]);
        let text = played.error().to_string();
        assert!(matches!(played.error(), Error::Refused(_)));
        assert!(text.contains(expected), "{text}");
        assert_eq!(played.received.len(), 1);
    }
}

/// A reason to stop ends a session that has not been welcomed yet, and one that plays.
#[test]
fn stopping_leaves() {
    let (stop, stopped) = unbounded_channel();
    let mut test = first();
    test.stop = Some(stopped);
    let played = test.play(vec![script(move |mut link| async move {
        link.read().await;
        stop.send("enough".to_owned()).unwrap();
        std::future::pending::<()>().await;
    })]);
    played.result.unwrap();

    let (stop, stopped) = unbounded_channel();
    let (mut test, _) = deciding(move |_| {
        stop.send("enough".to_owned()).unwrap(); // not before it plays
        thread::sleep(Duration::from_secs(60));
        0.into()
    });
    test.stop = Some(stopped);
    let played = test.play(vec![script(|mut link| async move {
        link.welcome().await;
        link.start(&["a"]);
        link.ask(&[("a", 1)]);
        let leave = link.left().await;
        assert_eq!((leave.reason.as_str(), leave.failed), ("enough", false));
    })]);
    played.result.unwrap();
}
