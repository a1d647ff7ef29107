//! A scripted arena: each connection is served by the next script of a list.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::future::Future;
use std::os::unix::net::UnixListener as StdListener;
use std::path::Path;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::thread;
use std::time::Duration;

use prost::Message;
use tokio::net::UnixListener;
use tokio::runtime::Builder;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio::time::timeout;
use tokio_stream::wrappers::{UnboundedReceiverStream, UnixListenerStream};
use tonic::body::Body;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::server::{Grpc, NamedService, StreamingService};
use tonic::transport::Server;
use tonic::{Request, Response, Status, Streaming};
use tower::Service;

use super::messages;
use crate::v1::play_response::Message as Said;
use crate::v1::{Goodbye, Hello, Leave, Limits, PlayRequest, PlayResponse, Welcome, goodbye};
use crate::v1::{MatchEnded, play_request};

/// A bot that says nothing for so long fails the test.
const READ: Duration = Duration::from_secs(10);

type Work = Pin<Box<dyn Future<Output = ()> + Send>>;
pub type Script = Box<dyn FnOnce(Link) -> Work + Send>;
type Received = Arc<Mutex<Vec<Vec<PlayRequest>>>>;

/// Makes a script of an async function.
pub fn script<F: Future<Output = ()> + Send + 'static>(
    play: impl FnOnce(Link) -> F + Send + 'static,
) -> Script {
    Box::new(move |link| Box::pin(play(link)))
}

/// One connection from a bot, as the arena has it.
pub struct Link {
    incoming: Streaming<PlayRequest>,
    outgoing: UnboundedSender<Result<Vec<u8>, Status>>,
    received: Received,
    number: usize,
}

impl Link {
    /// Returns the next message of the bot; `None` when it has closed its side.
    pub async fn read(&mut self) -> Option<PlayRequest> {
        let read = timeout(READ, self.incoming.message()).await.expect("the bot says nothing");
        let request = read.ok()??;
        self.received.lock().unwrap()[self.number].push(request.clone());
        Some(request)
    }

    /// Returns the answers of the next message: match, decision and index.
    pub async fn answers(&mut self) -> Vec<(String, u32, u32)> {
        let request = self.read().await.expect("no answers came");
        let Some(play_request::Message::Answers(answers)) = request.message else {
            panic!("these are no answers: {request:?}");
        };
        let plain = |answer: crate::v1::Answer| {
            (answer.match_id, answer.decision_id, answer.move_index.expect("no index"))
        };
        answers.answers.into_iter().map(plain).collect()
    }

    /// Returns the next message, which must be a leave, and waits for the end of the stream.
    pub async fn left(&mut self) -> Leave {
        let request = self.read().await.expect("no leave came");
        let Some(play_request::Message::Leave(leave)) = request.message else {
            panic!("this is no leave: {request:?}");
        };
        assert_eq!(self.read().await, None);
        leave
    }

    pub fn send(&self, message: Said) {
        self.send_bytes(PlayResponse { message: Some(message) }.encode_to_vec());
    }

    pub fn send_bytes(&self, content: Vec<u8>) {
        let _ = self.outgoing.send(Ok(content)); // the bot may be gone: what it does then is tested
    }

    pub async fn welcome(&mut self) -> Hello {
        self.welcome_with(b"r1", false, Limits::default()).await
    }

    pub async fn resume(&mut self) -> Hello {
        self.welcome_with(b"r2", true, Limits::default()).await
    }

    /// Reads the hello, sends a welcome and returns the hello.
    pub async fn welcome_with(&mut self, token: &[u8], resumed: bool, limits: Limits) -> Hello {
        let request = self.read().await.expect("no hello came");
        let Some(play_request::Message::Hello(hello)) = request.message else {
            panic!("this is no hello: {request:?}");
        };
        self.send(Said::Welcome(Welcome {
            session: "s1".to_owned(),
            resume_token: token.to_vec(),
            resumed,
            arena: "0.1.0".to_owned(),
            bot: "mine".to_owned(),
            limits: Some(limits),
        }));
        hello
    }

    /// Gives the bot a seat in some matches of Byzanz.
    pub fn start(&self, match_ids: &[&str]) {
        for match_id in match_ids {
            self.send(Said::MatchStarted(messages::started(match_id, "byzanz")));
        }
    }

    /// Asks decisions, given by match and id, in one message.
    pub fn ask(&self, questions: &[(&str, u32)]) {
        let decisions = questions.iter().map(|&(id, number)| messages::decision(id, number));
        let decisions = decisions.collect();
        self.send(Said::Decisions(crate::v1::Decisions { decisions, ..Default::default() }));
    }

    pub fn end(&self, match_id: &str) {
        self.send(Said::MatchEnded(MatchEnded {
            match_id: match_id.to_owned(),
            scores: vec![3, 9],
            ranks: vec![2, 1],
            forfeits: vec![0, 1],
            ..MatchEnded::default()
        }));
    }

    /// Says goodbye and waits until the bot has closed its side.
    pub async fn goodbye(&mut self) {
        self.goodbye_for(goodbye::Reason::Finished as i32).await;
    }

    pub async fn goodbye_for(&mut self, reason: i32) {
        self.send(Said::Goodbye(Goodbye { reason, message: "that was all".to_owned() }));
        assert_eq!(self.read().await, None);
    }

    /// Ends the stream with a status.
    pub fn abort(&self, status: Status) {
        let _ = self.outgoing.send(Err(status));
    }
}

/// A future that runs on a thread of its own until this is dropped.
pub struct Background {
    stop: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Background {
    pub fn run<F: Future>(begin: impl FnOnce() -> F + Send + 'static) -> Self {
        let (stop, stopped) = oneshot::channel();
        let thread = thread::spawn(move || {
            let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                tokio::select! {
                    _ = begin() => {}
                    _ = stopped => {}
                }
            });
        });
        Self { stop: Some(stop), thread: Some(thread) }
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        drop(self.stop.take());
        let _ = self.thread.take().map(thread::JoinHandle::join);
    }
}

/// Serves the scripts, one per connection, in order, on a thread of its own.
pub struct FakeArena {
    background: Option<Background>,
    service: PlayService,
}

impl FakeArena {
    pub fn new(scripts: Vec<Script>) -> Self {
        let scripts = Arc::new(Mutex::new(scripts.into()));
        let service = PlayService { scripts, received: Arc::default(), failed: Arc::default() };
        Self { background: None, service }
    }

    /// Listens at a socket; a second time after it was cut.
    pub fn listen(&mut self, path: &Path) {
        let _ = std::fs::remove_file(path); // that of the time before a cut
        let listener = StdListener::bind(path).expect("a socket");
        listener.set_nonblocking(true).expect("a socket that tokio can use");
        let service = self.service.clone();
        self.background = Some(Background::run(move || async move {
            let listener = UnixListener::from_std(listener).expect("a listener");
            Server::builder().serve_with_incoming(service, UnixListenerStream::new(listener)).await
        }));
    }

    /// Cuts all connections and stops listening.
    pub fn cut(&mut self) {
        self.background = None;
    }

    /// Returns what bots have sent, by connection; fails if a script has failed.
    pub fn received(&self) -> Vec<Vec<PlayRequest>> {
        if let Some(failure) = self.service.failed.lock().unwrap().first() {
            panic!("a script failed: {failure}");
        }
        self.service.received.lock().unwrap().clone()
    }

    /// Returns how many scripts have not been used.
    pub fn left_over(&self) -> usize {
        self.service.scripts.lock().unwrap().len()
    }
}

#[derive(Clone)]
pub struct PlayService {
    scripts: Arc<Mutex<VecDeque<Script>>>,
    received: Received,
    failed: Arc<Mutex<Vec<String>>>,
}

impl NamedService for PlayService {
    const NAME: &'static str = "arena.v1.PlayService";
}

impl Service<http::Request<Body>> for PlayService {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<http::Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        assert_eq!(request.uri().path(), "/arena.v1.PlayService/Play");
        let service = self.clone();
        Box::pin(async move { Ok(Grpc::new(Raw).streaming(service, request).await) })
    }
}

impl StreamingService<PlayRequest> for PlayService {
    type Response = Vec<u8>;
    type ResponseStream = UnboundedReceiverStream<Result<Vec<u8>, Status>>;
    type Future =
        Pin<Box<dyn Future<Output = Result<Response<Self::ResponseStream>, Status>> + Send>>;

    fn call(&mut self, request: Request<Streaming<PlayRequest>>) -> Self::Future {
        let (outgoing, responses) = unbounded_channel();
        let number = {
            let mut received = self.received.lock().unwrap();
            received.push(Vec::new());
            received.len() - 1
        };
        let received = Arc::clone(&self.received);
        let link = Link { incoming: request.into_inner(), outgoing, received, number };
        let failed = Arc::clone(&self.failed);
        match self.scripts.lock().unwrap().pop_front() {
            None => failed.lock().unwrap().push("one connection more than scripts".to_owned()),
            Some(script) => {
                let playing = tokio::spawn(script(link));
                tokio::spawn(async move {
                    if let Err(error) = playing.await {
                        if error.is_panic() {
                            failed.lock().unwrap().push(said(error.into_panic()));
                        }
                    }
                });
            }
        }
        Box::pin(async { Ok(Response::new(UnboundedReceiverStream::new(responses))) })
    }
}

fn said(payload: Box<dyn std::any::Any + Send>) -> String {
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => payload.downcast_ref::<&str>().unwrap_or(&"").to_string(),
    }
}

/// Sends bytes as they are, so that also what no version knows can be sent.
struct Raw;

impl Codec for Raw {
    type Encode = Vec<u8>;
    type Decode = PlayRequest;
    type Encoder = Raw;
    type Decoder = Raw;

    fn encoder(&mut self) -> Raw {
        Raw
    }

    fn decoder(&mut self) -> Raw {
        Raw
    }
}

impl Encoder for Raw {
    type Item = Vec<u8>;
    type Error = Status;

    fn encode(&mut self, item: Vec<u8>, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        bytes::BufMut::put_slice(buffer, &item);
        Ok(())
    }
}

impl Decoder for Raw {
    type Item = PlayRequest;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<PlayRequest>, Status> {
        PlayRequest::decode(buffer).map(Some).map_err(|error| Status::internal(error.to_string()))
    }
}
