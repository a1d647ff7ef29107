//! TLS, against an arena behind a door that speaks it.

use std::fs;
use std::net::TcpListener as StdListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, UnixStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{RootCertStore, ServerConfig};

use super::bots::{Played, first};
use super::fake_arena::{Background, FakeArena, script};
use crate::{Error, Settings};

/// A certificate and its key, in PEM files.
struct Certificate {
    cert: PathBuf,
    key: PathBuf,
}

fn openssl(arguments: &[&str]) {
    let done = Command::new("openssl").args(arguments).output().expect("these tests need openssl");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// Makes a certificate for a host: one that vouches for itself, or one of an authority.
fn certify(directory: &Path, name: &str, host: &str, of: Option<&Certificate>) -> Certificate {
    let [cert, key, request] =
        ["pem", "key", "csr"].map(|kind| directory.join(format!("{name}.{kind}")));
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    let (subject, names) = (format!("/CN={name}"), format!("subjectAltName=DNS:{host}"));
    let curve = "ec_paramgen_curve:P-256";
    let mut make = vec!["req", "-newkey", "ec", "-pkeyopt", curve, "-nodes", "-subj", &subject];
    make.extend(["-addext", &names, "-keyout", key.to_str().unwrap(), "-out"]);
    match of {
        None => openssl(&[&make[..], &[&text(&cert), "-x509", "-days", "2"]].concat()),
        Some(authority) => {
            openssl(&[&make[..], &[&text(&request)]].concat());
            let (ca, ca_key) = (text(&authority.cert), text(&authority.key));
            let sign = ["x509", "-req", "-in", &text(&request), "-CA", &ca, "-CAkey", &ca_key];
            let rest = ["-CAcreateserial", "-days", "2", "-copy_extensions", "copy", "-out"];
            openssl(&[&sign[..], &rest, &[&text(&cert)]].concat());
        }
    }
    Certificate { cert, key }
}

/// Plays an empty session with an arena that has a certificate, and perhaps demands one.
fn play(
    arena: &Certificate,
    clients: Option<&Certificate>,
    change: impl Fn(&mut Settings),
) -> Played {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("arena");
    let mut behind = FakeArena::new(vec![script(|mut link| async move {
        link.welcome().await;
        link.goodbye().await;
    })]);
    behind.listen(&path);
    let listener = StdListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let acceptor = acceptor(arena, clients);
    let _door = Background::run(move || async move {
        let listener = TcpListener::from_std(listener).unwrap();
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let (acceptor, path) = (acceptor.clone(), path.clone());
            tokio::spawn(async move {
                let Ok(mut outside) = acceptor.accept(stream).await else { return };
                let mut inside = UnixStream::connect(path).await.unwrap();
                let _ = tokio::io::copy_bidirectional(&mut outside, &mut inside).await;
            });
        }
    });
    let mut test = first();
    test.settings.tls = true;
    test.settings.connect_timeout = Duration::from_millis(300);
    change(&mut test.settings);
    test.play_at(&format!("localhost:{port}"), |_| {})
}

fn acceptor(arena: &Certificate, clients: Option<&Certificate>) -> TlsAcceptor {
    let read = |path: &Path| CertificateDer::from_pem_file(path).unwrap();
    let provider = Arc::new(ring::default_provider());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .unwrap();
    let builder = match clients {
        None => builder.with_no_client_auth(),
        Some(authority) => {
            let mut roots = RootCertStore::empty();
            roots.add(read(&authority.cert)).unwrap();
            let verifier = WebPkiClientVerifier::builder_with_provider(roots.into(), provider);
            builder.with_client_cert_verifier(verifier.build().unwrap())
        }
    };
    let key = PrivateKeyDer::from_pem_file(&arena.key).unwrap();
    let mut config = builder.with_single_cert(vec![read(&arena.cert)], key).unwrap();
    config.alpn_protocols = vec![b"h2".to_vec()];
    TlsAcceptor::from(Arc::new(config))
}

/// An authority, and a certificate that vouches for itself, are trusted if they are in the file.
#[test]
fn an_authority_is_trusted() {
    let directory = tempfile::tempdir().unwrap();
    let authority = certify(directory.path(), "authority", "nobody", None);
    let arena = certify(directory.path(), "arena", "localhost", Some(&authority));
    let own = certify(directory.path(), "own", "localhost", None);
    play(&arena, None, |to| to.ca_file = Some(authority.cert.clone())).result.unwrap();
    play(&own, None, |to| to.ca_file = Some(own.cert.clone())).result.unwrap();
}

/// Somebody else's certificate, or one for another host, is not talked to; nor does the system know it.
#[test]
fn others_are_not_trusted() {
    let directory = tempfile::tempdir().unwrap();
    let arena = certify(directory.path(), "arena", "localhost", None);
    let other = certify(directory.path(), "other", "localhost", None);
    let elsewhere = certify(directory.path(), "elsewhere", "elsewhere", None);
    let attempts = [
        play(&arena, None, |to| to.ca_file = Some(other.cert.clone())),
        play(&elsewhere, None, |to| to.ca_file = Some(elsewhere.cert.clone())),
        play(&arena, None, |_| {}),
    ];
    for played in attempts {
        let text = played.error().to_string();
        assert!(matches!(played.error(), Error::Unreachable(_)), "{text}");
        assert!(text.contains("certificate"), "{text}");
    }
}

/// An arena that demands a certificate of the bot gets it, and without one nobody gets in.
#[test]
fn a_client_certificate_is_shown() {
    let directory = tempfile::tempdir().unwrap();
    let arena = certify(directory.path(), "arena", "localhost", None);
    let authority = certify(directory.path(), "authority", "nobody", None);
    let bot = certify(directory.path(), "bot", "bot", Some(&authority));
    let trusting = |to: &mut Settings| to.ca_file = Some(arena.cert.clone());
    let played = play(&arena, Some(&authority), |to| {
        trusting(to);
        to.cert_file = Some(bot.cert.clone());
        to.key_file = Some(bot.key.clone());
    });
    played.result.unwrap();
    let refused = play(&arena, Some(&authority), trusting);
    assert!(matches!(refused.error(), Error::Unreachable(_)));
}

/// Files that hold no certificate or key are named.
#[test]
fn files_without_certificates_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let empty = directory.path().join("empty.pem");
    fs::write(&empty, "").unwrap();
    let own = certify(directory.path(), "own", "localhost", None);
    let changed = |ca: Option<&PathBuf>, cert: Option<&PathBuf>, key: Option<&PathBuf>| {
        let mut settings = Settings::new("");
        settings.tls = true;
        (settings.ca_file, settings.cert_file, settings.key_file) =
            (ca.cloned(), cert.cloned(), key.cloned());
        settings
    };
    let wrong = [
        ("ARENA_CA_FILE", changed(Some(&empty), None, None)),
        ("ARENA_CERT_FILE", changed(None, Some(&empty), Some(&own.key))),
        ("ARENA_KEY_FILE", changed(None, Some(&own.cert), Some(&empty))),
    ];
    for (name, settings) in wrong {
        let mut test = first();
        test.settings = settings;
        let played = test.play_at("localhost:1", |_| {});
        let text = played.error().to_string();
        assert!(matches!(played.error(), Error::Usage(_)) && text.contains(name), "{text}");
        assert!(text.contains("empty.pem"), "{text}");
    }
}
