// A session over several connections: loss, resuming, refusals, signals to stop, TLS.

#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <fstream>
#include <future>
#include <iterator>
#include <thread>

#include "arena/errors.h"
#include "src/session.h"
#include "tests/bots.h"
#include "tests/fake_arena.h"

namespace arena::testing {
namespace {

using namespace std::chrono_literals;
using Calls = std::vector<std::string>;

grpc::Status unavailable(const std::string& details = "gone") {
  return {grpc::StatusCode::UNAVAILABLE, details};
}

TEST(Connection, ThatIsLostIsResumed) {
  Record record;
  const Script before = [](Link& link) {
    link.welcome(false, "first");
    link.start({"a", "b"});
    link.ask({{"a", 1}, {"b", 4}});
    require(link.answers().size() == 2, "answered both");
    return unavailable();
  };
  const Script after = [](Link& link) {
    require(link.welcome(true, "second").resume_token() == "first", "shown the token");
    link.start({"a", "b"});
    link.ask({{"a", 1}, {"b", 5}});
    Answers found = link.answers();
    while (found.size() < 2) {
      for (const auto& answer : link.answers()) found.push_back(answer);
    }
    require(found == Answers{"a/1:1", "b/5:1"}, "answered both again");
    return unavailable();
  };
  const Script again = script([](Link& link) {
    require(link.welcome(true).resume_token() == "second", "shown the last token");
    link.goodbye();
  });
  const Played played = play(recording(record), {before, after, again});
  EXPECT_EQ(played.error, "");
  EXPECT_TRUE(played.has_line("the connection was lost (gone); trying to resume"));
  EXPECT_TRUE(played.has_line("the session was resumed"));
  Calls calls = record.all();
  ASSERT_EQ(calls.size(), 7U);
  calls.resize(5);  // without the end of the two objects, in whatever order
  EXPECT_EQ(calls, (Calls{"made a", "made b", "asked a/1", "asked b/4", "asked b/5"}));
}

TEST(Connection, ThatIsLostIsNoReasonToStopThinking) {
  Record record;
  Event is_thinking;
  Event is_back;
  const auto bot = recording(record, [&](Decision&) {
    is_thinking.set();
    is_back.wait();
    return 2;
  });
  const Script before = [&](Link& link) {
    link.welcome();
    link.start({"a"});
    link.ask({{"a", 1}});
    is_thinking.wait();
    return unavailable();
  };
  const Script after = script([&](Link& link) {
    link.welcome(true);
    link.ask({{"a", 1}});
    is_back.set();
    require(link.answers() == Answers{"a/1:2"}, "answered when it had found it");
    link.goodbye();
  });
  EXPECT_EQ(play(bot, {before, after}).error, "");
  EXPECT_EQ(record.all(), (Calls{"made a", "asked a/1", "dropped a"}));
}

TEST(Connection, MayCloseWhileAnAnswerIsFound) {
  static constexpr std::uint32_t kTimes = 30;
  Record record;
  const auto bot = recording(record, [](Decision& decision) {
    std::this_thread::sleep_for(decision.id() * 100us);  // sooner or later it hits the moment
    return 0;
  });
  std::deque<Script> scripts;
  for (std::uint32_t id = 1; id <= kTimes; ++id) {
    scripts.push_back([id](Link& link) {
      link.welcome(id > 1);
      link.start({"a"});
      link.ask({{"a", id}});
      return unavailable();
    });
  }
  scripts.push_back(script([](Link& link) {
    link.welcome(true);
    link.start({"a"});
    link.ask({{"a", kTimes}});
    require(link.answers() == Answers{"a/30:0"}, "answered the last");
    link.goodbye();
  }));
  EXPECT_EQ(play(bot, scripts).error, "");
}

TEST(Connection, OutlivesARestartOfTheListener) {
  Record record;
  Event has_answered;
  Event is_lost;
  FakeArena arena({script([&](Link& link) {
                     link.welcome();
                     link.start({"a"});
                     link.ask({{"a", 1}});
                     link.answers();
                     has_answered.set();
                     link.wait_for_cut();
                   }),
                   script([](Link& link) {
                     link.welcome(true);
                     link.ask({{"a", 1}});
                     require(link.answers() == Answers{"a/1:1"}, "answered again");
                     link.goodbye();
                   })});
  Settings settings;
  settings.address = arena.address();
  const auto session =
      std::make_shared<Session>(recording(record), settings, [&](const std::string& line) {
        if (line.find("trying to resume") != std::string::npos) is_lost.set();
      });
  auto playing = std::async(std::launch::async, [&] { session->play(); });
  has_answered.wait();
  arena.cut();
  is_lost.wait();
  EXPECT_EQ(session->state(), Session::State::Resuming);
  arena.listen();
  playing.get();
  arena.check();
  EXPECT_EQ(record.all(), (Calls{"made a", "asked a/1"}));
}

TEST(Connection, BeginsAnewIfTheSessionHasExpired) {
  Record record;
  const Script before = [](Link& link) {
    link.welcome();
    link.start({"a"});
    return unavailable();
  };
  const Script anew = script([](Link& link) {
    require(link.welcome().resume_token().empty(), "shown no token");
    link.ask({{"a", 1}});
    link.start({"b"});
    link.ask({{"b", 1}});
    require(link.answers() == Answers{"b/1:1"}, "played b alone");
    link.goodbye();
  });
  const Played played =
      play(recording(record), {before, refuse(grpc::StatusCode::NOT_FOUND), anew});
  EXPECT_EQ(played.error, "");
  EXPECT_TRUE(played.has_line("warning: the session has expired at the arena"));
}

TEST(Connection, DropsItsMatchesIfTheArenaDoesNotResume) {
  Record record;
  const Script before = [](Link& link) {
    link.welcome();
    link.start({"a"});
    link.ask({{"a", 1}});
    link.answers();
    return unavailable();
  };
  const Script anew = script([](Link& link) {
    link.welcome(false);
    link.start({"a"});
    link.ask({{"a", 1}});
    link.answers();
    link.goodbye();
  });
  const Played played = play(recording(record), {before, anew});
  EXPECT_TRUE(played.has_line("warning: the arena started a new session"));
  EXPECT_EQ(record.all(),
            (Calls{"made a", "asked a/1", "dropped a", "made a", "asked a/1", "dropped a"}));
}

TEST(Connection, ThatTheArenaTakesForAnotherBotIsTriedAgain) {
  const Script before = [](Link& link) {
    link.welcome();
    return unavailable();
  };
  const Script after = script([](Link& link) {
    link.welcome(true);
    link.goodbye();
  });
  const Played played =
      play(describe<First>(), {before, refuse(grpc::StatusCode::ALREADY_EXISTS), after});
  EXPECT_EQ(played.error, "");
}

TEST(Connection, ThatEndsWithoutAGoodbyeIsLost) {
  const Script before = script([](Link& link) { link.welcome(); });
  const Script after = script([](Link& link) {
    link.welcome(true);
    link.goodbye();
  });
  EXPECT_EQ(play(describe<First>(), {before, after}).error, "");
}

TEST(Connection, ThatDoesNotComeBackIsGivenUp) {
  Settings settings;
  settings.resume_timeout = 300ms;
  const Played played = play(describe<First>(), {[](Link& link) {
                               link.welcome();
                               return unavailable();
                             }},
                             settings);
  EXPECT_EQ(played.exit_code, 3);
  EXPECT_NE(played.error.find("went away and did not come back within 0.3 s (nobody is here)"),
            std::string::npos)
      << played.error;
}

TEST(Connection, ToNobodyIsGivenUp) {
  Settings settings;
  settings.address = "unix:/tmp/arena-cpp-nobody";
  settings.connect_timeout = 200ms;
  const auto session =
      std::make_shared<Session>(describe<First>(), settings, [](const std::string&) {});
  try {
    session->play();
    FAIL() << "there is not an arena";
  } catch (const Unreachable& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.rfind("no arena answers at unix:/tmp/arena-cpp-nobody (", 0), 0U) << text;
    EXPECT_NE(text.find("): is it running, and is ARENA_ADDRESS right?"), std::string::npos);
  }
}

TEST(Connection, IsTriedUntilTheArenaListens) {
  FakeArena arena({script([](Link& link) {
    link.welcome();
    link.goodbye();
  })});
  arena.cut();
  Settings settings;
  settings.address = arena.address();
  const auto session =
      std::make_shared<Session>(describe<First>(), settings, [](const std::string&) {});
  auto playing = std::async(std::launch::async, [&] { session->play(); });
  EXPECT_EQ(playing.wait_for(100ms), std::future_status::timeout);
  arena.listen();
  playing.get();
  arena.check();
}

TEST(Connection, ThatIsRefusedIsNotTriedAgain) {
  for (const auto code : {grpc::StatusCode::UNAUTHENTICATED, grpc::StatusCode::ALREADY_EXISTS,
                          grpc::StatusCode::FAILED_PRECONDITION, grpc::StatusCode::NOT_FOUND,
                          grpc::StatusCode::UNIMPLEMENTED, grpc::StatusCode::INVALID_ARGUMENT}) {
    const Played played = play(describe<First>(), {refuse(code)});
    EXPECT_EQ(played.exit_code, 2);
    EXPECT_EQ(played.connections, 1);
    EXPECT_NE(played.error.find(": because ("), std::string::npos) << played.error;
  }
}

/// Plays until `is_time`, then stops the session.
void stop_when(Event& is_time, const BotClass& bot, Script script_of_arena) {
  FakeArena arena({std::move(script_of_arena)});
  Settings settings;
  settings.address = arena.address();
  const auto session = std::make_shared<Session>(bot, settings, [](const std::string&) {});
  auto playing = std::async(std::launch::async, [&] { session->play(); });
  is_time.wait();
  session->stop("enough");
  playing.get();
  EXPECT_EQ(session->state(), Session::State::Ended);
  arena.check();
}

TEST(Connection, IsLeftWhileItIsMade) {
  Event is_reached;
  stop_when(is_reached, describe<First>(), script([&](Link& link) {
              link.request();
              is_reached.set();
              link.wait_for_cut();
            }));
}

TEST(Connection, IsLeftInTheMiddleOfDecide) {
  auto& record = *new Record;  // never deleted: the thread that is left behind may still use them
  auto& is_thinking = *new Event;
  auto& is_over = *new Event;
  const auto bot = recording(record, [&](Decision&) {
    is_thinking.set();
    is_over.wait();
    return 0;
  });
  stop_when(is_thinking, bot, script([](Link& link) {
              link.welcome();
              link.start({"a"});
              link.ask({{"a", 1}});
              const v1::PlayRequest request = link.request();
              require(request.leave().reason() == "enough", "said why");
              require(!request.leave().failed(), "not failed");
              link.expect_end();
            }));
  is_over.set();
  record.wait_for("dropped a");
}

class Tls : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::system("openssl version > /dev/null 2>&1") != 0) GTEST_SKIP() << "needs openssl";
    certify("arena");
    certify("other");
  }
  void TearDown() override {
    const std::string command = "rm -rf '" + directory_ + "'";
    EXPECT_EQ(std::system(command.c_str()), 0);
  }

  /// Makes a certificate that vouches for itself, and its key.
  void certify(const std::string& name) {
    if (directory_.empty()) {
      std::string made = "/tmp/arena-cpp-tls-XXXXXX";
      directory_ = mkdtemp(made.data());
    }
    const std::string command =
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=" +
        name + " -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout " + file(name, "key") +
        " -out " + file(name, "pem") + " > /dev/null 2>&1";
    ASSERT_EQ(std::system(command.c_str()), 0);
  }

  std::string file(const std::string& name, const std::string& ending) const {
    return directory_ + "/" + name + "." + ending;
  }

  std::string content(const std::string& name, const std::string& ending) const {
    std::ifstream stream(file(name, ending));
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  /// Plays one empty session over TLS; returns how it failed.
  std::string play(bool asks_for_certificate, Settings settings) {
    grpc::SslServerCredentialsOptions options(
        asks_for_certificate ? GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY
                             : GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE);
    options.pem_key_cert_pairs = {{content("arena", "key"), content("arena", "pem")}};
    if (asks_for_certificate) options.pem_root_certs = content("other", "pem");
    FakeArena arena({script([](Link& link) {
                      link.welcome();
                      link.goodbye();
                    })},
                    grpc::SslServerCredentials(options));
    settings.address = arena.address();
    settings.tls = true;
    settings.connect_timeout = 300ms;
    try {
      std::make_shared<Session>(describe<First>(), settings, [](const std::string&) {})->play();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  std::string directory_;
};

TEST_F(Tls, TrustsTheGivenAuthorityAlone) {
  Settings settings;
  settings.ca_file = file("arena", "pem");
  EXPECT_EQ(play(false, settings), "");
  settings.ca_file = file("other", "pem");
  EXPECT_EQ(play(false, settings).rfind("no arena answers at localhost:", 0), 0U);
}

TEST_F(Tls, ShowsAClientCertificate) {
  Settings settings;
  settings.ca_file = file("arena", "pem");
  EXPECT_NE(play(true, settings), "");
  settings.cert_file = file("other", "pem");
  settings.key_file = file("other", "key");
  EXPECT_EQ(play(true, settings), "");
}

TEST_F(Tls, NamesACertificateThatCannotBeRead) {
  Settings settings;
  settings.ca_file = directory_ + "/nothing.pem";
  EXPECT_EQ(play(false, settings).rfind("cannot read a certificate: " + settings.ca_file, 0), 0U);
}

}  // namespace
}  // namespace arena::testing
