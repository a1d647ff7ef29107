//! How settings are read.

use std::fs;
use std::time::Duration;

use crate::{Error, Settings};

fn read(flags: &[&str], variables: &[(&str, &str)]) -> Result<Option<Settings>, Error> {
    let value = |name: &str| {
        let found = variables.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| (*value).to_owned())
    };
    Settings::read(flags.iter().map(|&flag| flag.to_owned()), value)
}

fn settings(flags: &[&str], variables: &[(&str, &str)]) -> Settings {
    read(flags, variables).unwrap().unwrap()
}

/// Every variable is read, files make the connection a TLS one, and the token is never shown.
#[test]
fn variables_are_read() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str| {
        let path = directory.path().join(name);
        fs::write(&path, "").unwrap();
        path
    };
    let (ca, cert, key) = (file("ca"), file("cert"), file("key"));
    let found = settings(
        &[],
        &[
            ("ARENA_ADDRESS", "arena.example:50051"),
            ("ARENA_TOKEN", "hidden"),
            ("ARENA_CA_FILE", ca.to_str().unwrap()),
            ("ARENA_CERT_FILE", cert.to_str().unwrap()),
            ("ARENA_KEY_FILE", key.to_str().unwrap()),
            ("ARENA_RESUME_TIMEOUT", "2.5"),
        ],
    );
    assert!(found.tls);
    assert_eq!((found.ca_file, found.cert_file, found.key_file), (Some(ca), Some(cert), Some(key)));
    assert_eq!(found.token, "hidden");
    assert_eq!(found.connect_timeout, Duration::from_secs(5));
    assert_eq!(found.resume_timeout, Duration::from_millis(2500));
    assert!(
        !format!("{:?}", settings(&["--token=hidden"], &[("ARENA_ADDRESS", "a:5")]))
            .contains("hidden")
    );
    assert!(!settings(&[], &[("ARENA_ADDRESS", "a:5"), ("ARENA_TLS", "0")]).tls);
}

/// Flags count more than the environment, in both of their forms.
#[test]
fn flags_count_more() {
    let variables = [("ARENA_ADDRESS", "localhost:1"), ("ARENA_TOKEN", "variable")];
    let found = settings(&["--token", "flag", "--address=unix:/a=b", "--tls"], &variables);
    assert_eq!((found.address.as_str(), found.token.as_str()), ("unix:/a=b", "flag"));
    assert!(found.tls);
    assert!(read(&["--help"], &[]).unwrap().is_none());
}

/// A setting that makes no sense is refused by its name.
#[test]
fn wrong_settings_are_refused() {
    let cases = [
        ("ARENA_ADDRESS", "http://localhost:5"),
        ("ARENA_ADDRESS", "localhost"),
        ("ARENA_ADDRESS", "localhost:99999"),
        ("ARENA_ADDRESS", "localhost:0"),
        ("ARENA_ADDRESS", "localhost:+5"),
        ("ARENA_ADDRESS", "::1:5"),
        ("ARENA_ADDRESS", "unix:"),
        ("ARENA_ADDRESS", ""),
        ("ARENA_TOKEN", "broken\n"),
        ("ARENA_TOKEN", "\u{fffd}"),
        ("ARENA_TLS", "maybe"),
        ("ARENA_CA_FILE", "/nowhere/ca.pem"),
        ("ARENA_CERT_FILE", "Cargo.toml"),
        ("ARENA_CONNECT_TIMEOUT", "soon"),
        ("ARENA_CONNECT_TIMEOUT", "-1"),
        ("ARENA_RESUME_TIMEOUT", "nan"),
        ("ARENA_RESUME_TIMEOUT", "inf"),
    ];
    for (name, wrong) in cases {
        let error = read(&[], &[(name, wrong), ("ARENA_ADDRESS", "localhost:5")]).unwrap_err();
        assert!(error.to_string().contains(name), "{name}={wrong}: {error}");
        assert_eq!(error.exit_code(), 2);
    }
}

/// Flags that are unknown, or lack their value, or have one that they do not take, are refused.
#[test]
fn wrong_flags_are_refused() {
    let cases: [&[&str]; 5] =
        [&["--adress", "a:5"], &["--token"], &["--tls=1"], &["more"], &["--help=me"]];
    for flags in cases {
        let error = read(flags, &[("ARENA_ADDRESS", "a:5")]).unwrap_err();
        let flag = flags[0].split('=').next().unwrap();
        assert!(error.to_string().contains(flag), "{error}");
    }
}
