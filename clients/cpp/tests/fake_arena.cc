#include "tests/fake_arena.h"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "arena/errors.h"
#include "src/session.h"
#include "tests/messages.h"

namespace arena::testing {
namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 15s;  // a bot that says nothing for so long fails the test

std::string make_directory() {
  std::string path = "/tmp/arena-cpp-XXXXXX";  // short: the path of a socket has few characters
  if (mkdtemp(path.data()) == nullptr) throw std::runtime_error("no directory for a socket");
  return path;
}

}  // namespace

void require(bool is_true, const std::string& what) {
  if (!is_true) throw std::runtime_error("the bot should have " + what);
}

void Event::set() {
  const std::lock_guard lock(mutex_);
  is_set_ = true;
  changed_.notify_all();
}

void Event::wait() {
  std::unique_lock lock(mutex_);
  if (!changed_.wait_for(lock, kPatience, [this] { return is_set_; })) {
    throw std::runtime_error("what a test waited for did not happen");
  }
}

v1::PlayRequest Link::request() {
  v1::PlayRequest request;
  require(stream_.Read(&request), "said something");
  return request;
}

void Link::expect_end() {
  v1::PlayRequest request;
  require(!stream_.Read(&request), "closed its side, not said " + request.ShortDebugString());
  require(!context_.IsCancelled(), "closed its side in order");
}

Answers Link::answers() {
  const v1::PlayRequest request = this->request();
  require(request.has_answers(), "answered, not said " + request.ShortDebugString());
  Answers found;
  for (const v1::Answer& answer : request.answers().answers()) {
    require(answer.has_move_index(), "named a move");
    found.push_back(answer.match_id() + "/" + std::to_string(answer.decision_id()) + ":" +
                    std::to_string(answer.move_index()));
  }
  return found;
}

v1::Hello Link::welcome(bool resumed, const std::string& token, const v1::Limits& limits) {
  const v1::PlayRequest request = this->request();
  require(request.has_hello(), "said hello");
  v1::PlayResponse response;
  auto& welcome = *response.mutable_welcome();
  welcome.set_session("s1");
  welcome.set_resume_token(token);
  welcome.set_resumed(resumed);
  welcome.set_arena("0.1.0");
  welcome.set_bot("mine");
  *welcome.mutable_limits() = limits;
  send(response);
  return request.hello();
}

void Link::start(const std::vector<std::string>& match_ids, const std::string& game) {
  for (const std::string& match_id : match_ids) {
    v1::PlayResponse response;
    *response.mutable_match_started() = started(match_id, game);
    send(response);
  }
}

void Link::ask(const std::vector<Question>& questions, const std::string& game) {
  v1::PlayResponse response;
  for (const auto& [match_id, id] : questions) {
    *response.mutable_decisions()->add_decisions() =
        game == "schwarzmarkt" ? exchange(match_id, id) : auction(match_id, id);
  }
  send(response);
}

void Link::end(const std::string& match_id) {
  v1::PlayResponse response;
  *response.mutable_match_ended() = ended(match_id);
  send(response);
}

void Link::goodbye(int reason) {
  v1::PlayResponse response;
  response.mutable_goodbye()->set_reason(static_cast<v1::Goodbye::Reason>(reason));
  response.mutable_goodbye()->set_message("that was all");
  send(response);
  expect_end();
}

void Link::play_shortly() {
  const v1::Hello hello = welcome();
  const std::string game = hello.games().empty() ? "byzanz" : hello.games(0);
  start({"a"}, game);
  ask({{"a", 1}}, game);
  require(answers().size() == 1, "answered once");
  end("a");
  goodbye();
}

void Link::wait_for_cut() {
  v1::PlayRequest request;
  while (stream_.Read(&request)) {
  }
}

Script refuse(grpc::StatusCode code, const std::string& details) {
  return [code, details](Link& link) {
    link.request();
    return grpc::Status(code, details);
  };
}

FakeArena::FakeArena(std::deque<Script> scripts,
                     std::shared_ptr<grpc::ServerCredentials> credentials)
    : directory_(make_directory()),
      address_(credentials ? "localhost:0" : "unix:" + directory_ + "/arena"),
      credentials_(credentials ? std::move(credentials) : grpc::InsecureServerCredentials()),
      scripts_(std::move(scripts)) {
  listen();
}

FakeArena::~FakeArena() {
  cut();
  unlink((directory_ + "/arena").c_str());
  rmdir(directory_.c_str());
}

void FakeArena::listen() {
  int port = 0;
  grpc::ServerBuilder builder;
  builder.AddListeningPort(address_, credentials_, &port);
  builder.RegisterService(this);
  server_ = builder.BuildAndStart();
  if (!server_) throw std::runtime_error("cannot listen at " + address_);
  const auto colon = address_.rfind(":0");
  if (colon != std::string::npos) address_.replace(colon, 2, ":" + std::to_string(port));
}

void FakeArena::cut() {
  if (!server_) return;
  server_->Shutdown(std::chrono::system_clock::now());
  server_->Wait();
  server_.reset();
}

int FakeArena::connections() const {
  const std::lock_guard lock(mutex_);
  return connections_;
}

void FakeArena::check() {
  const std::lock_guard lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
  if (!scripts_.empty()) throw std::runtime_error("the bot should have dialled once more");
}

grpc::Status FakeArena::Play(grpc::ServerContext* context, Link::Stream* stream) {
  Script next;
  {
    const std::lock_guard lock(mutex_);
    ++connections_;
    if (scripts_.empty()) return {grpc::StatusCode::UNAVAILABLE, "nobody is here"};
    next = std::move(scripts_.front());
    scripts_.pop_front();
  }
  try {
    Link link(*context, *stream);
    return next(link);
  } catch (const std::exception& error) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
    return {grpc::StatusCode::FAILED_PRECONDITION, error.what()};
  }
}

bool Played::has_line(const std::string& part) const {
  return std::any_of(lines.begin(), lines.end(), [&part](const std::string& line) {
    return line.find(part) != std::string::npos;
  });
}

Played play(const BotClass& bot, std::deque<Script> scripts, Settings settings,
            const std::function<void(const std::string&)>& on_line) {
  FakeArena arena(std::move(scripts));
  settings.address = arena.address();
  Played played;
  const auto session = std::make_shared<Session>(bot, settings, [&](const std::string& line) {
    played.lines.push_back(line);
    if (on_line) on_line(line);
  });
  try {
    session->play();
  } catch (const BotFailed& failure) {
    played.exit_code = failure.exit_code();
    played.error = failure.what();
    played.trace = failure.trace();
  } catch (const Error& error) {
    played.exit_code = error.exit_code();
    played.error = error.what();
  }
  played.connections = arena.connections();
  arena.check();
  return played;
}

}  // namespace arena::testing
