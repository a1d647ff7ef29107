//! Where the arena is and who the bot is: from the environment, or from flags, which count more.

use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use crate::errors::Error;
use crate::texts::is_printable;

/// What `--help` prints.
pub(crate) const HELP: &str = "\
A bot for arena. Each flag can also be set as an environment variable.

  --address ADDRESS          unix:/path or host:port (ARENA_ADDRESS)
  --token TOKEN              the token from the organiser (prefer ARENA_TOKEN: other users can see flags)
  --tls                      TLS with the system's certificate authorities (ARENA_TLS=1)
  --ca-file FILE             TLS with the certificate authority in this PEM file (ARENA_CA_FILE)
  --cert-file FILE           a client certificate (ARENA_CERT_FILE)
  --key-file FILE            its key (ARENA_KEY_FILE)
  --connect-timeout TIMEOUT  seconds to keep trying at the start: 5 (ARENA_CONNECT_TIMEOUT)
  --resume-timeout TIMEOUT   seconds to keep trying later: 30 (ARENA_RESUME_TIMEOUT)
  --help                     this text";

const FLAGS: [&str; 7] = [
    "--address",
    "--token",
    "--ca-file",
    "--cert-file",
    "--key-file",
    "--connect-timeout",
    "--resume-timeout",
];

/// How to reach an arena. Files are PEM files.
#[derive(Clone, PartialEq)]
pub struct Settings {
    /// `host:port`, `[v6]:port` or `unix:/path`.
    pub address: String,
    /// Who the bot is; empty where the arena runs without tokens.
    pub token: String,
    /// Whether to use TLS, with the authorities of the system unless there is a `ca_file`.
    pub tls: bool,
    /// The authority to trust.
    pub ca_file: Option<PathBuf>,
    /// A client certificate.
    pub cert_file: Option<PathBuf>,
    /// Its key.
    pub key_file: Option<PathBuf>,
    /// How long to keep trying at the start.
    pub connect_timeout: Duration,
    /// How long to keep trying after a lost connection.
    pub resume_timeout: Duration,
}

impl Settings {
    /// Makes settings of an address, with the default for everything else.
    pub fn new(address: impl Into<String>) -> Self {
        Self {
            address: address.into(),
            token: String::new(),
            tls: false,
            ca_file: None,
            cert_file: None,
            key_file: None,
            connect_timeout: Duration::from_secs(5),
            resume_timeout: Duration::from_secs(30),
        }
    }

    /// Reads the settings of a bot program; `None` if it is asked for help instead.
    ///
    /// # Errors
    /// [`Error::Usage`] if the address is missing, or something makes no sense.
    pub fn read(
        arguments: impl IntoIterator<Item = String>,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Self>, Error> {
        let Some(flags) = read_flags(arguments)? else { return Ok(None) };
        let value = |flag: &str| {
            let variable = variable_of(flag);
            flags.get(flag).cloned().or_else(|| environment(&variable)).unwrap_or_default()
        };
        let mut settings = Self::new(address(value("--address"))?);
        settings.token = token(value("--token"))?;
        settings.ca_file = file("--ca-file", value("--ca-file"))?;
        settings.cert_file = file("--cert-file", value("--cert-file"))?;
        settings.key_file = file("--key-file", value("--key-file"))?;
        settings.tls =
            tls(&value("--tls"))? || settings.ca_file.is_some() || settings.cert_file.is_some();
        timeout("--connect-timeout", &value("--connect-timeout"), &mut settings.connect_timeout)?;
        timeout("--resume-timeout", &value("--resume-timeout"), &mut settings.resume_timeout)?;
        if settings.cert_file.is_some() != settings.key_file.is_some() {
            let text = "a client certificate needs both ARENA_CERT_FILE and ARENA_KEY_FILE";
            return Err(Error::Usage(text.to_owned()));
        }
        Ok(Some(settings))
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "<Settings {}>", self.address) // never the token
    }
}

/// Returns the flags by name; `None` if one asks for help.
fn read_flags(
    arguments: impl IntoIterator<Item = String>,
) -> Result<Option<HashMap<String, String>>, Error> {
    let usage = |text: String| Err(Error::Usage(text));
    let mut flags = HashMap::new();
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let (flag, given) = match argument.split_once('=') {
            Some((flag, value)) => (flag.to_owned(), Some(value.to_owned())),
            None => (argument, None),
        };
        match (flag.as_str(), given) {
            ("--help" | "-h", None) => return Ok(None),
            ("--tls", None) => flags.insert(flag, "1".to_owned()),
            ("--help" | "-h" | "--tls", Some(_)) => {
                return usage(format!("{flag} takes no value: see --help"));
            }
            (known, given) if FLAGS.contains(&known) => match given.or_else(|| arguments.next()) {
                Some(value) => flags.insert(flag, value),
                None => return usage(format!("{flag} needs a value: see --help")),
            },
            _ => return usage(format!("there is no flag {flag:?}: see --help")),
        };
    }
    Ok(Some(flags))
}

/// Returns the variable of a flag: `ARENA_CA_FILE` of `--ca-file`.
fn variable_of(flag: &str) -> String {
    format!("ARENA_{}", flag.trim_start_matches('-').replace('-', "_").to_uppercase())
}

fn address(text: String) -> Result<String, Error> {
    if text.is_empty() {
        let text = "no address: set ARENA_ADDRESS to unix:/path or host:port, or --address";
        return Err(Error::Usage(text.to_owned()));
    }
    let is_good = match text.strip_prefix("unix:") {
        Some(path) => !path.is_empty(),
        None => is_host_and_port(&text),
    };
    if is_good {
        return Ok(text);
    }
    Err(Error::Usage(format!("ARENA_ADDRESS must be unix:/path or host:port, not {text:?}")))
}

fn is_host_and_port(text: &str) -> bool {
    let Some((host, port)) = text.rsplit_once(':') else { return false };
    let is_port = port.bytes().all(|sign| sign.is_ascii_digit())
        && port.parse::<u16>().is_ok_and(|port| port > 0);
    let is_host = match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        Some(v6) => v6.contains(':') && !v6.contains(|sign: char| "/[]".contains(sign)),
        None => {
            !host.is_empty()
                && !host.contains(|sign: char| sign.is_whitespace() || ":/[]".contains(sign))
        }
    };
    is_port && is_host
}

fn token(text: String) -> Result<String, Error> {
    // What was no text in the environment has become replacement characters.
    if text.chars().all(|sign| is_printable(sign) && sign != char::REPLACEMENT_CHARACTER) {
        return Ok(text);
    }
    Err(Error::Usage("ARENA_TOKEN has characters that no token has: copy it again".to_owned()))
}

fn tls(text: &str) -> Result<bool, Error> {
    match text.to_lowercase().as_str() {
        "1" | "true" | "yes" | "on" => Ok(true),
        "" | "0" | "false" | "no" | "off" => Ok(false),
        _ => Err(Error::Usage(format!("ARENA_TLS must be 1 or 0, not {text:?}"))),
    }
}

fn file(flag: &str, path: String) -> Result<Option<PathBuf>, Error> {
    if path.is_empty() {
        return Ok(None);
    }
    let path = PathBuf::from(path);
    if path.is_file() {
        return Ok(Some(path));
    }
    let (name, path) = (variable_of(flag), path.display());
    Err(Error::Usage(format!("{name}: there is no file {path}")))
}

fn timeout(flag: &str, text: &str, timeout: &mut Duration) -> Result<(), Error> {
    if text.is_empty() {
        return Ok(());
    }
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let name = variable_of(flag);
    *timeout = seconds
        .ok_or_else(|| Error::Usage(format!("{name} must be a number of seconds, not {text:?}")))?;
    Ok(())
}
