//! The gRPC channel to an arena: address, keepalive, and how a dead arena is noticed.

use std::error::Error as StdError;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, UnixStream};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::transport::{Channel, Endpoint, Uri};
use tonic::{Status, Streaming};
use tower::service_fn;

use crate::errors::Error;
use crate::settings::Settings;
use crate::tls::Tls;
use crate::v1::play_service_client::PlayServiceClient;
use crate::v1::{PlayRequest, PlayResponse};

// Without these a dead host is noticed after many minutes, a stopped one never.
const PING_EVERY: Duration = Duration::from_secs(10);
const PING_TIMEOUT: Duration = Duration::from_secs(5);
const DIAL_TIMEOUT: Duration = Duration::from_secs(5);

trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// Dials an arena, as often as it takes.
pub(crate) struct Dialer {
    endpoint: Endpoint,
    target: Arc<Target>,
}

struct Target {
    address: String,
    tls: Option<Tls>,
}

/// An open stream of a session.
pub(crate) struct Link {
    /// Takes messages to the arena; dropping it closes the own side.
    pub requests: UnboundedSender<PlayRequest>,
    /// Gives the messages of the arena.
    pub responses: Streaming<PlayResponse>,
}

impl Dialer {
    /// # Errors
    /// [`Error::Usage`] if a certificate cannot be read, or no request can be made of the address.
    pub fn new(settings: &Settings) -> Result<Self, Error> {
        let address = settings.address.clone();
        let authority = if address.starts_with("unix:") { "localhost" } else { &address };
        let uri = |scheme: &str| format!("{scheme}://{authority}").parse::<Uri>();
        let scheme = if settings.tls { "https" } else { "http" };
        let (Ok(dialled), Ok(origin)) = (uri("http"), uri(scheme)) else {
            let text = format!("ARENA_ADDRESS must be unix:/path or host:port, not {address:?}");
            return Err(Error::Usage(text));
        };
        let endpoint = Endpoint::from(dialled)
            .origin(origin)
            .connect_timeout(DIAL_TIMEOUT)
            .http2_keep_alive_interval(PING_EVERY)
            .keep_alive_timeout(PING_TIMEOUT)
            .keep_alive_while_idle(true);
        let tls = settings.tls.then(|| Tls::new(settings)).transpose()?;
        Ok(Self { endpoint, target: Arc::new(Target { address, tls }) })
    }

    /// Opens a new channel, which dials at once, and a stream on it that begins with a message.
    pub async fn dial(&self, first: PlayRequest) -> Result<Link, Status> {
        let channel = self.connect().await.map_err(|error| Status::unavailable(why(&error)))?;
        let (requests, outgoing) = unbounded_channel();
        let _ = requests.send(first); // the receiver is at hand
        let mut client = PlayServiceClient::new(channel).max_decoding_message_size(usize::MAX);
        let response = client.play(UnboundedReceiverStream::new(outgoing)).await?;
        Ok(Link { requests, responses: response.into_inner() })
    }

    async fn connect(&self) -> Result<Channel, tonic::transport::Error> {
        let target = Arc::clone(&self.target);
        let connector = service_fn(move |_: Uri| {
            let target = Arc::clone(&target);
            async move { target.connect().await.map(TokioIo::new) }
        });
        self.endpoint.connect_with_connector(connector).await
    }
}

impl Target {
    async fn connect(&self) -> io::Result<Box<dyn Stream>> {
        if let Some(path) = self.address.strip_prefix("unix:") {
            let path = path.strip_prefix("//").unwrap_or(path); // unix:///path is good too
            let stream = UnixStream::connect(path).await?;
            return match &self.tls {
                Some(tls) => Ok(Box::new(tls.wrap("localhost", stream).await?)),
                None => Ok(Box::new(stream)),
            };
        }
        let stream = TcpStream::connect(&self.address).await?;
        stream.set_nodelay(true)?;
        match &self.tls {
            Some(tls) => {
                let host = self.address.rsplit_once(':').map_or("", |(host, _)| host);
                let host = host.trim_start_matches('[').trim_end_matches(']');
                Ok(Box::new(tls.wrap(host, stream).await?))
            }
            None => Ok(Box::new(stream)),
        }
    }
}

/// Returns the cause of an error: what lies at its bottom tells the author most.
pub(crate) fn why(error: &(dyn StdError + 'static)) -> String {
    let mut cause = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    match cause.downcast_ref::<io::Error>().map(io::Error::kind) {
        Some(io::ErrorKind::UnexpectedEof) => "the connection was closed".to_owned(),
        _ => cause.to_string(),
    }
}
