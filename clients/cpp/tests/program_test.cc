// Bots as programs: exit codes, what is on stderr, signals. And the golden messages.

#include <fcntl.h>
#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <map>
#include <thread>

#include "arena/sample.h"
#include "tests/fake_arena.h"
#include "tests/messages.h"

namespace arena::testing {
namespace {

using Variables = std::map<std::string, std::string>;

/// A program that was started, and what it writes to stderr and stdout.
class Program {
 public:
  Program(const std::string& name, const std::vector<std::string>& flags, Variables variables) {
    const std::string path = std::string(PROGRAM_DIRECTORY) + "/" + name;
    std::vector<std::string> words = {path};
    words.insert(words.end(), flags.begin(), flags.end());
    variables["PATH"] = "/usr/bin:/bin";
    std::vector<std::string> environment;
    for (const auto& [key, value] : variables) environment.push_back(key + "=" + value);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, output_.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    posix_spawn_file_actions_addopen(&actions, 2, errors_.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    const int failed = posix_spawn(&id_, path.c_str(), &actions, nullptr, pointers(words).data(),
                                   pointers(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) throw std::runtime_error("cannot start " + path);
  }

  ~Program() {
    if (!is_over_) {
      kill(id_, SIGKILL);
      wait();
    }
    unlink(output_.c_str());
    unlink(errors_.c_str());
  }

  void send(int number) const { kill(id_, number); }

  /// Waits for its end; returns its exit code, negative for a signal.
  int wait() {
    int status = 0;
    waitpid(id_, &status, 0);
    is_over_ = true;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  /// Waits until it has written something to stderr.
  void wait_for(const std::string& part) const {
    for (int i = 0; i < 1000 && errors().find(part) == std::string::npos; ++i) {
      std::this_thread::sleep_for(
          std::chrono::milliseconds(10));  // another process tells by a file
    }
  }

  std::string errors() const { return content(errors_); }
  std::string output() const { return content(output_); }

 private:
  static std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> found;
    for (std::string& word : words) found.push_back(word.data());
    found.push_back(nullptr);
    return found;
  }

  static std::string content(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::string prefix_ = "/tmp/arena-cpp-" + std::to_string(getpid());
  std::string output_ = prefix_ + ".out";
  std::string errors_ = prefix_ + ".err";
  pid_t id_ = 0;
  bool is_over_ = false;
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Program, EndsWithTheSession) {
  for (const char* name : {"random_bot", "byzanz_sensible_bot", "schwarzmarkt_sensible_bot"}) {
    FakeArena arena({script([](Link& link) { link.play_shortly(); })});
    Program program(name, {}, {{"ARENA_ADDRESS", arena.address()}});
    EXPECT_EQ(program.wait(), 0) << program.errors();
    EXPECT_TRUE(contains(program.errors(), "arena_client: playing as mine at unix:"));
    arena.check();
  }
}

TEST(Program, TakesFlags) {
  FakeArena arena({script([](Link& link) {
    require(link.welcome().token() == "flag", "shown the token of the flag");
    link.goodbye();
  })});
  Program program("random_bot", {"--token", "flag", "--address=" + arena.address()},
                  {{"ARENA_ADDRESS", "localhost:1"}, {"ARENA_TOKEN", "variable"}});
  EXPECT_EQ(program.wait(), 0) << program.errors();
  arena.check();
}

TEST(Program, ShowsHelp) {
  Program program("random_bot", {"--help"}, {});
  EXPECT_EQ(program.wait(), 0);
  EXPECT_TRUE(contains(program.output(), "--connect-timeout TIMEOUT"));
}

TEST(Program, EndsWith1WhereItsOwnCodeFails) {
  FakeArena arena({script([](Link& link) {
    link.welcome();
    link.start({"a"});
    link.ask({{"a", 1}});
    require(link.request().leave().failed(), "said that it failed");
    link.expect_end();
  })});
  Program program("conformance_bot", {},
                  {{"ARENA_ADDRESS", arena.address()}, {"CONFORMANCE", "fail"}});
  EXPECT_EQ(program.wait(), 1);
  EXPECT_TRUE(
      contains(program.errors(),
               "arena_client: ConformanceBot::decide() failed in <byzanz match a, seat 1 of "
               "2>: std::runtime_error: the author's mistake\n"))
      << program.errors();
#ifdef EXPECT_TRACES
  EXPECT_TRUE(contains(program.errors(), "\n  at ConformanceBot::decide(")) << program.errors();
#endif
  arena.check();
}

TEST(Program, EndsWith2WhereItIsRefusedOrUsedWrongly) {
  FakeArena arena({refuse(grpc::StatusCode::UNAUTHENTICATED, "unknown token")});
  Program refused("random_bot", {},
                  {{"ARENA_ADDRESS", arena.address()}, {"ARENA_TOKEN", "hidden"}});
  EXPECT_EQ(refused.wait(), 2);
  EXPECT_EQ(refused.errors().rfind("arena_client: the arena rejected the token: unknown token", 0),
            0U);
  EXPECT_FALSE(contains(refused.errors(), "hidden"));

  Program lost("random_bot", {}, {});
  EXPECT_EQ(lost.wait(), 2);
  EXPECT_TRUE(contains(lost.errors(), "arena_client: no address: set ARENA_ADDRESS"));
}

TEST(Program, EndsWith3WhereThereIsNoArena) {
  Program program("random_bot", {},
                  {{"ARENA_ADDRESS", "unix:/nowhere"}, {"ARENA_CONNECT_TIMEOUT", "0.2"}});
  EXPECT_EQ(program.wait(), 3);
  EXPECT_TRUE(contains(program.errors(), "no arena answers at unix:/nowhere"));
}

TEST(Program, LeavesWhenASignalComes) {
  for (const auto& [number, code] : {std::pair{SIGTERM, 0}, std::pair{SIGINT, 130}}) {
    FakeArena arena({script([&](Link& link) {
      link.welcome();
      link.start({"a"});
      link.ask({{"a", 1}});
      const v1::PlayRequest request = link.request();
      require(request.leave().reason().rfind("stopped by SIG", 0) == 0, "said why it leaves");
      require(!request.leave().failed(), "left in order");
      link.expect_end();
    })});
    Program program("conformance_bot", {},
                    {{"ARENA_ADDRESS", arena.address()},
                     {"CONFORMANCE", "slow"},
                     {"CONFORMANCE_DELAY_MS", "60000"}});
    program.wait_for("playing as");
    program.send(number);
    EXPECT_EQ(program.wait(), code) << program.errors();
    arena.check();
  }
}

TEST(Golden, MessagesAreReadAndWritten) {
  for (const char* name : {"welcome", "rejected", "goodbye", "byzanz-match-started",
                           "byzanz-decisions", "byzanz-match-ended", "schwarzmarkt-match-started",
                           "schwarzmarkt-decisions", "schwarzmarkt-match-ended"}) {
    std::ifstream file(std::string(GOLDEN_DIRECTORY) + "/" + name + ".json");
    const std::string json{std::istreambuf_iterator<char>(file), {}};
    v1::PlayResponse read;
    ASSERT_TRUE(google::protobuf::util::JsonStringToMessage(json, &read).ok()) << name;
    EXPECT_EQ(read.SerializeAsString(), golden(name).SerializeAsString()) << name;
  }
}

TEST(Golden, DecisionsAreUnderstood) {
  for (const std::string game : {"byzanz", "schwarzmarkt"}) {
    const std::string begin = std::string(GOLDEN_DIRECTORY) + "/" + game;
    const auto match = read_match(begin + "-match-started.binpb");
    const auto decisions = read_decisions(*match, begin + "-decisions.binpb");
    ASSERT_FALSE(decisions.empty());
    for (const auto& decision : decisions) {
      for (const Move& move : decision->legal_moves()) {
        EXPECT_FALSE(contains(move.text(), "unknown")) << move.text();
        EXPECT_EQ(decision->index_of(move), move.index);
      }
    }
  }
  EXPECT_THROW(read_match("/nowhere"), std::invalid_argument);
  const std::string goodbye = std::string(GOLDEN_DIRECTORY) + "/goodbye.binpb";
  EXPECT_THROW(read_match(goodbye), std::invalid_argument);
}

}  // namespace
}  // namespace arena::testing
