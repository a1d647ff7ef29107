//! A bot as a process: exit codes, signals, and what is on stdout and stderr.

use std::env;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use super::bots::first;
use super::fake_arena::{FakeArena, Script, script};
use crate::{AnyGame, Bot, Choice, Decision, Error, Program, Settings};

/// Returns a program of this package, which cargo builds before it runs the tests.
fn example(name: &str) -> PathBuf {
    let tests = env::current_exe().expect("a path");
    let target = tests.parent().and_then(|deps| deps.parent()).expect("a directory");
    target.join("examples").join(name)
}

fn launch(address: &str, behaviour: &str, flags: &[&str]) -> Child {
    Command::new(example("conformance_bot"))
        .args(flags)
        .env("ARENA_ADDRESS", address)
        .env("ARENA_TOKEN", "hidden")
        .env("ARENA_CONNECT_TIMEOUT", "0.2")
        .env("CONFORMANCE", behaviour)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("cargo test builds the examples")
}

/// How a process ended.
struct Ended {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

fn wait(child: Child) -> Ended {
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let ended = Ended { code: status.code(), stdout: text(stdout), stderr: text(stderr) };
    assert!(!ended.stderr.contains("hidden"), "{}", ended.stderr);
    ended
}

/// Plays a process against a script; `meanwhile` is given the process.
fn run(behaviour: &str, play: Script, meanwhile: impl FnOnce(&mut Child)) -> Ended {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("arena");
    let mut arena = FakeArena::new(vec![play]);
    arena.listen(&path);
    let mut child = launch(&format!("unix:{}", path.display()), behaviour, &[]);
    meanwhile(&mut child);
    let ended = wait(child);
    arena.received();
    ended
}

/// After a goodbye the program exits with 0, and has said who it is.
#[test]
fn a_program_ends_with_the_session() {
    let play = script(|mut link| async move {
        assert_eq!(link.welcome().await.token, "hidden");
        link.start(&["a"]);
        link.ask(&[("a", 1)]);
        link.answers().await;
        link.end("a");
        link.goodbye().await;
    });
    let ended = run("last", play, |_| {});
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stderr.starts_with("arena_client: playing as mine at unix:"));
    assert_eq!(ended.stdout, "ended a rank 1 score 9\n");
}

/// A panic ends with 1, its place and its stack on stderr.
#[test]
fn a_panic_is_shown_and_told() {
    let play = script(|mut link| async move {
        link.welcome().await;
        link.start(&["a"]);
        link.ask(&[("a", 1)]);
        assert!(link.left().await.reason.ends_with("the author's mistake"));
    });
    let ended = run("fail", play, |_| {});
    assert_eq!(ended.code, Some(1));
    let stderr = &ended.stderr;
    assert!(stderr.contains("panicked at conformance/conformance_bot.rs:"), "{stderr}");
    let frames =
        &stderr[stderr.find("mistake\n").unwrap()..stderr.rfind("arena_client: ").unwrap()];
    assert!(frames.contains("decide") && frames.contains("conformance_bot.rs:"), "{stderr}");
    assert!(!frames.contains("player.rs") && !frames.contains("panicking"), "{stderr}");
    let last = stderr.lines().last().unwrap();
    assert!(
        last.starts_with("arena_client: conformance_bot::ConformanceBot::decide() failed in <")
    );
}

/// Bad usage ends with 2, no arena with 3, and `--help` with 0.
#[test]
fn exit_codes_tell_why() {
    let no_address = wait(launch("", "first", &[]));
    assert_eq!(no_address.code, Some(2));
    assert!(no_address.stderr.starts_with("arena_client: no address: set ARENA_ADDRESS"));
    let nobody = wait(launch("unix:/nowhere", "first", &[]));
    assert_eq!(nobody.code, Some(3));
    assert!(nobody.stderr.starts_with("arena_client: no arena answers at unix:/nowhere ("));
    let help = wait(launch("", "first", &["--help"]));
    assert_eq!((help.code, help.stderr.as_str()), (Some(0), ""));
    assert!(help.stdout.contains("--resume-timeout"));
}

/// SIGTERM and Ctrl-C end the session with a leave, even in the middle of `decide`.
#[test]
fn a_signal_leaves_cleanly() {
    for (signal, code) in [("TERM", 0), ("INT", 130)] {
        let play = script(move |mut link| async move {
            link.welcome().await;
            link.start(&["a"]);
            link.ask(&[("a", 1)]);
            let leave = link.left().await;
            assert_eq!(leave.reason, format!("stopped by SIG{signal}"));
            assert!(!leave.failed);
        });
        let ended = run("slow", play, |bot| {
            let mut said = String::new();
            let stdout = bot.stdout.as_mut().unwrap();
            BufReader::with_capacity(1, stdout).read_line(&mut said).unwrap();
            assert_eq!(said, "deciding a 1\n");
            let (signal, id) = (format!("-{signal}"), bot.id().to_string());
            assert!(Command::new("kill").args([signal, id]).status().unwrap().success());
        });
        assert_eq!(ended.code, Some(code), "{}", ended.stderr);
    }
}

struct Idle;

impl Bot for Idle {
    type Game = AnyGame;

    fn decide(&mut self, _: &Decision) -> Choice {
        0.into()
    }
}

/// A bot that the arena would refuse is refused before it dials.
#[test]
fn a_wrong_bot_is_refused() {
    let named = |name: &str| Program::new(name, |_| Idle);
    let wrong = [
        (named(&"x".repeat(65)), "name"),
        (named(""), "name"),
        (named("x").version("x".repeat(65)), "version"),
        (named("x").max_matches(0), "max_matches"),
        (named("x").workers(0), "workers"),
    ];
    for (program, field) in wrong {
        let error = program.play(&Settings::new("unix:/nowhere")).unwrap_err();
        assert!(matches!(error, Error::Usage(_)) && error.to_string().contains(field), "{error}");
    }
}

/// An address that no request can be made of is refused too.
#[test]
fn a_wrong_address_is_refused() {
    let played = first().play_at("a b:5", |_| {});
    assert!(matches!(played.error(), Error::Usage(_)));
}
