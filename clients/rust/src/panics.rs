//! Panics of the author's code: caught, with what they say, where they are and how they came about.

use std::backtrace::Backtrace;
use std::cell::RefCell;
use std::hint::black_box;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;

/// A panic that was caught.
#[derive(Clone, Debug, Default)]
pub(crate) struct Panic {
    /// `panicked at src/my_bot.rs:12:9: what it says`.
    pub text: String,
    /// The frames of the author's code, the innermost first.
    pub stack: String,
}

thread_local! {
    /// The last panic of this thread, while it runs the author's code.
    static CAUGHT: RefCell<Option<Panic>> = const { RefCell::new(None) };
}

/// Runs the author's code.
///
/// The program is about to end after a panic, so nothing broken is looked at again.
pub(crate) fn catch<T>(code: impl FnOnce() -> T) -> Result<T, Panic> {
    install();
    CAUGHT.set(Some(Panic::default()));
    let done = panic::catch_unwind(AssertUnwindSafe(|| authors_code(code)));
    let caught = CAUGHT.take().unwrap_or_default();
    done.map_err(|_| caught)
}

/// Marks where the author's frames end in a stack.
#[inline(never)]
fn authors_code<T>(code: impl FnOnce() -> T) -> T {
    let done = code();
    black_box(()); // or the call above would become a jump, which leaves no frame
    done
}

/// Lets panics within `catch` be noted instead of printed; all others go where they went before.
fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            // A program that aborts at a panic never gets to show what was noted.
            let is_noted = !cfg!(panic = "abort")
                && CAUGHT.with_borrow_mut(|caught| {
                    caught.as_mut().map(|caught| *caught = noted(info)).is_some()
                });
            if !is_noted {
                before(info);
            }
        }));
    });
}

fn noted(info: &PanicHookInfo<'_>) -> Panic {
    let payload = info.payload();
    let said = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a value that is no text");
    let text = match info.location() {
        Some(place) => format!("panicked at {place}: {said}"),
        None => format!("panicked: {said}"),
    };
    Panic { text, stack: authors_frames(&Backtrace::force_capture().to_string()) }
}

/// Returns the frames of a stack between the machinery of panics and this library; all of them if
/// they have no names.
fn authors_frames(stack: &str) -> String {
    let mut frames: Vec<String> = Vec::new(); // of one line, or of two with a place
    for line in stack.lines() {
        match frames.last_mut() {
            Some(frame) if line.trim_start().starts_with("at ") => {
                frame.push('\n');
                frame.push_str(line);
            }
            _ => frames.push(line.to_owned()),
        }
    }
    let is_machinery = |frame: &String| {
        ["panicking", "begin_unwind", "panics.rs"].iter().any(|name| frame.contains(name))
    };
    let is_call = |frame: &String| {
        frame.contains("arena_client::") && frame.contains("src/player.rs:") // its closures
    };
    let end = frames.iter().position(|frame| frame.contains("authors_code"));
    let frames = &frames[..end.unwrap_or(frames.len())];
    let end = frames.iter().rposition(|frame| !is_call(frame)).map_or(0, |last| last + 1);
    let begin = frames[..end].iter().rposition(is_machinery).map_or(0, |last| last + 1);
    frames[begin..end].join("\n")
}

#[cfg(test)]
mod tests {
    use super::{authors_frames, catch};

    /// What a panic says, and where it is, is kept; what does not panic is returned.
    #[test]
    fn a_panic_is_kept() {
        let panic = catch(|| "none".find('x').expect("the author's mistake")).unwrap_err();
        assert!(panic.text.starts_with("panicked at src/panics.rs:"), "{}", panic.text);
        assert!(panic.text.ends_with("the author's mistake"));
        assert!(!panic.stack.contains("authors_code"), "{}", panic.stack);
        assert_eq!(catch(|| 7).unwrap(), 7);
    }

    /// Panics with something else than a text are kept too.
    #[test]
    fn a_panic_may_say_nothing() {
        let panic = catch(|| std::panic::panic_any(7)).unwrap_err();
        assert!(panic.text.ends_with("a value that is no text"));
    }

    /// The frames of panics and of this library are left out; a stack without names is left whole.
    #[test]
    fn only_the_authors_frames_are_shown() {
        let stack = "   0: {closure#0}\n             at ./src/panics.rs:9:1\n   \
                     1: core::panicking::panic_fmt\n             at lib.rs:1\n   \
                     2: mine::decide\n             at mine.rs:3\n   \
                     3: {closure#0}<arena_client::Choice>\n             at sdk/src/player.rs:5\n   \
                     4: authors_code<mine>\n   5: std::panicking::catch_unwind\n   6: main";
        assert_eq!(authors_frames(stack), "   2: mine::decide\n             at mine.rs:3");
        assert_eq!(authors_frames("   0: <unknown>"), "   0: <unknown>");
    }
}
