//! What is told to the author.

use tonic::Code;

use crate::texts::{inert, refusal, rejection};
use crate::v1::Rejected;

/// What could do something to a terminal is made visible; letters of all languages stay.
#[test]
fn texts_from_elsewhere_are_inert() {
    assert_eq!(
        inert("a\x1b[2J\u{7}\r\n\u{9b}\u{202e}\u{2028}"),
        "a\u{fffd}[2J\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}"
    );
    let fine = "größe \"x\" 'y' \\ e\u{301} 漢字 🂡";
    assert_eq!(inert(fine), fine);
}

/// A status that says nothing is told by its name.
#[test]
fn a_refusal_always_says_something() {
    assert_eq!(
        refusal(Code::OutOfRange, "", "a:5", 1),
        "the arena ended the session: OutOfRange (see arena's documentation)"
    );
}

/// A reason that this version does not know is told by its number.
#[test]
fn an_unknown_reason_is_told() {
    let rejected =
        Rejected { match_id: "m".to_owned(), decision_id: 3, reason: 77, message: "no".to_owned() };
    assert_eq!(
        rejection(&rejected),
        "warning: the arena rejected the answer to decision 3 of match m (77): no"
    );
}
