// A session over one connection: hello, batches, failures, and how it ends.

#include "src/session.h"

#include <gtest/gtest.h>

#include <atomic>

#include "tests/bots.h"
#include "tests/fake_arena.h"
#include "tests/messages.h"

namespace arena::testing {
namespace {

using namespace std::chrono_literals;
using Calls = std::vector<std::string>;

TEST(Session, SaysHelloAndGoodbye) {
  v1::Hello hello;
  Settings settings;
  settings.token = "secret";
  const Played played = play(describe<First>(), {script([&](Link& link) {
                               hello = link.welcome();
                               link.goodbye();
                             })},
                             settings);
  EXPECT_EQ(played.error, "");
  EXPECT_EQ(hello.protocol(), 1U);
  EXPECT_EQ(hello.token(), "secret");
  EXPECT_EQ(hello.bot(), "first");
  EXPECT_EQ(hello.version(), "3");
  EXPECT_EQ(hello.language(), "cpp");
  EXPECT_EQ(hello.sdk(), std::string("arena-cpp ") + kVersion);
  EXPECT_EQ(hello.games_size(), 2);
  EXPECT_EQ(hello.max_matches(), 64U);
  EXPECT_TRUE(hello.resume_token().empty());
  EXPECT_TRUE(played.has_line("playing as mine at unix:"));
  EXPECT_TRUE(played.has_line("the arena says goodbye: that was all"));
  EXPECT_FALSE(played.has_line("secret"));
}

TEST(Session, AnswersABatchInOneMessage) {
  Answers first;
  Answers second;
  play(describe<First>(), {script([&](Link& link) {
         link.welcome();
         link.start({"a", "b", "c"});
         link.ask({{"a", 1}, {"b", 1}, {"c", 1}});
         first = link.answers();
         link.ask({{"b", 2}});
         second = link.answers();
         link.goodbye();
       })});
  EXPECT_EQ(first, (Answers{"a/1:0", "b/1:0", "c/1:0"}));
  EXPECT_EQ(second, Answers{"b/2:0"});
}

TEST(Session, HasOneObjectAMatch) {
  Record record;
  play(recording(record), {script([](Link& link) {
         link.welcome();
         link.start({"a", "b", "a"});
         link.ask({{"a", 1}, {"b", 1}});
         link.answers();
         link.end("b");
         link.end("b");
         link.end("never-heard-of");
         link.goodbye();
       })});
  EXPECT_EQ(record.all(), (Calls{"made a", "made b", "asked a/1", "asked b/1", "ended b",
                                 "dropped b", "dropped a"}));
}

TEST(Session, SendsWhatItHasWhileItThinksOn) {
  Record record;
  Event has_answered;
  const auto bot = recording(record, [&](Decision& decision) {
    if (decision.match().id() == "b") has_answered.wait();
    return 2;
  });
  Answers first;
  Answers second;
  play(bot, {script([&](Link& link) {
         link.welcome();
         link.start({"a", "b"});
         link.ask({{"a", 1}, {"b", 1}});
         first = link.answers();
         has_answered.set();
         second = link.answers();
         link.goodbye();
       })});
  EXPECT_EQ(first, Answers{"a/1:2"});
  EXPECT_EQ(second, Answers{"b/1:2"});
}

TEST(Session, DoesNotStartDecisionsOfAMatchThatHasEnded) {
  Record record;
  Event is_thinking;
  Event has_ended;
  const auto bot = recording(record, [&](Decision& decision) {
    if (decision.match().id() == "a") {
      is_thinking.set();
      has_ended.wait();
    }
    return 0;
  });
  const Script ending = script([&](Link& link) {
    link.welcome();
    link.start({"a", "b"});
    link.ask({{"a", 1}, {"b", 1}});
    is_thinking.wait();
    link.end("b");
    v1::PlayResponse rejected;  // is reported when the end of b has been read
    rejected.mutable_rejected();
    link.send(rejected);
    require(link.answers() == Answers{"a/1:0"}, "answered a alone");
    link.goodbye();
  });
  play(bot, {ending}, {}, [&](const std::string& line) {
    if (line.find("rejected") != std::string::npos) has_ended.set();
  });
  EXPECT_EQ(record.all(),
            (Calls{"made a", "made b", "asked a/1", "ended b", "dropped b", "dropped a"}));
}

TEST(Session, DecidesSeveralMatchesAtOnceIfAsked) {
  Record record;
  std::atomic<int> thinking{0};
  Event both;
  BotClass bot = recording(record, [&](Decision&) {
    if (++thinking == 2) both.set();
    both.wait();
    return 0;
  });
  bot.workers = 2;
  const Played played = play(bot, {script([](Link& link) {
                               link.welcome();
                               link.start({"a", "b"});
                               link.ask({{"a", 1}, {"b", 1}});
                               require(link.answers().size() == 2, "answered both together");
                               link.goodbye();
                             })});
  EXPECT_EQ(played.error, "");
}

TEST(Session, IgnoresWhatItDoesNotKnow) {
  v1::PlayResponse unknown;
  unknown.ParseFromString(
      "\x9A\x06\x03"
      "abc");  // field 99, of type bytes
  const Played played = play(describe<First>(), {script([&](Link& link) {
                               link.request();
                               link.send(unknown);
                               v1::PlayResponse response;
                               response.ParseFromString(
                                   "\x9A\x06\x03"
                                   "abc");
                               response.mutable_welcome()->set_bot("mine");
                               link.send(response);
                               link.send(unknown);
                               link.send({});
                               link.start({"a"}, "chess");
                               link.ask({{"a", 1}});
                               require(link.answers() == Answers{"a/1:0"}, "played on");
                               link.goodbye(55);
                             })});
  EXPECT_EQ(played.error, "");
}

TEST(Session, WarnsOfARejection) {
  const Played played = play(describe<First>(), {script([](Link& link) {
                               link.welcome();
                               v1::PlayResponse response;
                               response.mutable_rejected()->set_match_id("a\x1B[2J");
                               response.mutable_rejected()->set_decision_id(7);
                               response.mutable_rejected()->set_reason(v1::Rejected::REASON_LATE);
                               link.send(response);
                               link.goodbye();
                             })});
  EXPECT_TRUE(played.has_line("rejected the answer to decision 7 of match a\uFFFD[2J (late): "));
  EXPECT_EQ(played.error, "");
}

TEST(Session, IsRefusedForMisbehaviour) {
  const Played played = play(describe<First>(), {script([](Link& link) {
                               link.welcome();
                               link.goodbye(v1::Goodbye::REASON_MISBEHAVED);
                             })});
  EXPECT_EQ(played.exit_code, 2);
  EXPECT_EQ(played.error, "the arena ended the session: that was all");
}

TEST(Session, EndsWellWhenTheArenaStops) {
  const Played played = play(describe<First>(), {[](Link& link) {
                               link.welcome();
                               link.goodbye(v1::Goodbye::REASON_STOPPING);
                               return grpc::Status(grpc::StatusCode::UNAVAILABLE, "stopping");
                             }});
  EXPECT_EQ(played.error, "");
}

TEST(Session, NeverSendsAnIllegalChoice) {
  Record record;
  const auto bot = recording(record, [](Decision&) { return 3; });
  v1::Leave leave;
  const Played played = play(bot, {script([&](Link& link) {
                               link.welcome();
                               link.start({"a"});
                               link.ask({{"a", 1}});
                               leave = link.request().leave();
                               link.expect_end();
                             })});
  EXPECT_TRUE(leave.failed());
  EXPECT_EQ(leave.reason(),
            "IllegalChoice: decide() returned 3, which is not one of the 3 legal moves:");
  EXPECT_EQ(played.exit_code, 1);
  EXPECT_NE(played.error.find("\n  2: bid spice-2 wine-1\n"), std::string::npos);
}

class Failure : public ::testing::TestWithParam<std::string> {};

/// Throws what a test expects to see again.
[[noreturn]] void fail_as_authors_do() { throw std::runtime_error("so\nit\x1B is"); }

TEST_P(Failure, IsToldToTheArena) {
  const std::string where = GetParam();
  class Failing : public First {
   public:
    explicit Failing(std::string where) : where_(std::move(where)) {
      if (where_ == "Recording") fail_as_authors_do();
    }
    Choice decide(Decision&) override {
      if (where_ == "decide") fail_as_authors_do();
      return 0;
    }
    void ended(const Outcome&) override { fail_as_authors_do(); }

   private:
    std::string where_;
  };
  Record record;
  BotClass bot = recording(record);
  bot.make = [&where](const Match&) { return std::make_unique<Failing>(where); };
  v1::Leave leave;
  const Played played = play(bot, {script([&](Link& link) {
                               link.welcome();
                               link.start({"a"});
                               link.ask({{"a", 1}});
                               if (where == "ended") {
                                 link.answers();
                                 link.end("a");
                               }
                               leave = link.request().leave();
                               link.expect_end();
                             })});
  EXPECT_TRUE(leave.failed());
  EXPECT_EQ(leave.reason(), "std::runtime_error: so");
  EXPECT_EQ(played.exit_code, 1);
  EXPECT_EQ(played.error.rfind("Recording::" + where + "() failed in <byzanz match a, ", 0), 0U)
      << played.error;
#ifdef EXPECT_TRACES
  EXPECT_NE(played.trace.find("fail_as_authors_do"), std::string::npos) << played.trace;
  EXPECT_EQ(played.trace.find("arena::Job"), std::string::npos) << played.trace;
#endif
}

INSTANTIATE_TEST_SUITE_P(Of, Failure, ::testing::Values("Recording", "decide", "ended"));

TEST(Session, SplitsLargeMessages) {
  v1::Limits limits;
  limits.set_max_message_bytes(40);
  Answers found;
  int messages = 0;
  play(describe<First>(), {script([&](Link& link) {
         link.welcome(false, "r1", limits);
         const std::vector<std::string> ids = {"a", "b", "c", "d", "e", "f", "g", "h"};
         link.start(ids);
         std::vector<Question> questions;
         for (const auto& id : ids) questions.emplace_back(id, 1);
         link.ask(questions);
         while (found.size() < ids.size()) {
           const v1::PlayRequest request = link.request();
           require(request.ByteSizeLong() <= 40, "sent no larger message");
           for (const auto& answer : request.answers().answers())
             found.push_back(answer.match_id());
           ++messages;
         }
         link.goodbye();
       })});
  EXPECT_EQ(found, (Answers{"a", "b", "c", "d", "e", "f", "g", "h"}));
  EXPECT_GT(messages, 1);
}

TEST(Session, TellsEndedOfAMatchThatEndsJustBeforeTheGoodbye) {
  Record record;
  play(recording(record), {script([](Link& link) {
         link.welcome();
         link.start({"a"});
         link.end("a");
         link.goodbye();
       })});
  EXPECT_EQ(record.all(), (Calls{"made a", "ended a", "dropped a"}));
}

}  // namespace
}  // namespace arena::testing
