//! What `arena init` makes a project of.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Returns what is downloaded: name, version, source and checksum.
fn packages(lock: &str) -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(lock);
    let text = fs::read_to_string(path).unwrap();
    let head = |package: &str| package.lines().take(4).collect::<Vec<_>>().join(" ");
    text.split("[[package]]\n").map(head).filter(|head| head.contains("checksum")).collect()
}

/// A project is built with the versions that the library is tested with.
#[test]
fn a_project_has_the_same_versions() {
    let (tested, shipped) = (packages("Cargo.lock"), packages("template/common/Cargo.lock"));
    assert!(shipped.len() > 50);
    assert!(shipped.is_subset(&tested), "{:?}", shipped.difference(&tested));
}
