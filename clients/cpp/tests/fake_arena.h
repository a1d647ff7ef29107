/// A scripted arena: each connection is served by the next script of a list.
#pragma once

#include <grpcpp/grpcpp.h>

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "arena/bot.h"
#include "arena/settings.h"
#include "arena/v1/play.grpc.pb.h"

namespace arena::testing {

/// Throws unless it is true; `what` says what the bot should have done.
void require(bool is_true, const std::string& what);

/// What a script or a test waits for, however the threads run.
class Event {
 public:
  void set();
  /// Waits for it; fails after a time that no test takes.
  void wait();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_set_ = false;
};

/// A question: match and id.
using Question = std::pair<std::string, std::uint32_t>;

/// An answer, such as "a/1:0" for index 0 in decision 1 of match a.
using Answers = std::vector<std::string>;

/// One connection from a bot, as the arena has it. Throws where a bot does not do what it should.
class Link {
 public:
  using Stream = grpc::ServerReaderWriter<v1::PlayResponse, v1::PlayRequest>;
  Link(grpc::ServerContext& context, Stream& stream) : context_(context), stream_(stream) {}

  /// Returns the next message of the bot, which must say something.
  v1::PlayRequest request();
  /// Waits for the bot to close its side, having said nothing more.
  void expect_end();
  /// Returns the answers of the next message.
  Answers answers();
  void send(const v1::PlayResponse& response) { stream_.Write(response); }
  /// Reads the hello, sends a welcome and returns the hello.
  v1::Hello welcome(bool resumed = false, const std::string& token = "r1",
                    const v1::Limits& limits = {});
  void start(const std::vector<std::string>& match_ids, const std::string& game = "byzanz");
  /// Asks decisions in one message, auctions of Byzanz or exchange rounds of Schwarzmarkt.
  void ask(const std::vector<Question>& questions, const std::string& game = "byzanz");
  void end(const std::string& match_id);
  /// Says goodbye and waits until the bot has closed its side.
  void goodbye(int reason = v1::Goodbye::REASON_FINISHED);
  /// Plays one decision of the bot's first game, and says goodbye.
  void play_shortly();
  /// Waits until the connection is cut.
  void wait_for_cut();

 private:
  grpc::ServerContext& context_;
  Stream& stream_;
};

/// Serves a connection; returns with which status its stream ends.
using Script = std::function<grpc::Status(Link&)>;

/// Makes a script of one that ends its stream in order.
template <class Function>
Script script(Function function) {
  return [function](Link& link) {
    function(link);
    return grpc::Status::OK;
  };
}

/// A script that reads the hello and ends the stream with a status.
Script refuse(grpc::StatusCode code, const std::string& details = "because");

/// Serves the scripts, one per connection, in order.
class FakeArena : private v1::PlayService::Service {
 public:
  explicit FakeArena(std::deque<Script> scripts,
                     std::shared_ptr<grpc::ServerCredentials> credentials = nullptr);
  ~FakeArena() override;

  const std::string& address() const { return address_; }
  const std::string& directory() const { return directory_; }
  void listen();
  /// Cuts all connections and stops listening.
  void cut();
  /// Returns how many connections there were.
  int connections() const;
  /// Throws what went wrong in a script.
  void check();

 private:
  grpc::Status Play(grpc::ServerContext* context, Link::Stream* stream) override;

  std::string directory_;
  std::string address_;
  std::shared_ptr<grpc::ServerCredentials> credentials_;
  std::unique_ptr<grpc::Server> server_;
  mutable std::mutex mutex_;
  std::deque<Script> scripts_;
  std::exception_ptr failure_;
  int connections_ = 0;
};

/// How a session went.
struct Played {
  std::vector<std::string> lines;  // what was reported
  int exit_code = 0;               // of the error it ended with
  std::string error;
  std::string trace;
  int connections = 0;

  bool has_line(const std::string& part) const;
};

/// Plays a session with a bot, each connection served by the next script. `on_line` is called with
/// each line that is reported.
Played play(const BotClass& bot, std::deque<Script> scripts, Settings settings = {},
            const std::function<void(const std::string&)>& on_line = {});

}  // namespace arena::testing
