// The bot objects of a session: what is decided, when, and what is answered. No network.

#include "src/players.h"

#include <gtest/gtest.h>

#include "tests/bots.h"
#include "tests/messages.h"

namespace arena::testing {
namespace {

using Calls = std::vector<std::string>;

class PlayersTest : public ::testing::Test {
 protected:
  PlayersTest() { players.connected({}, false); }

  void start(const std::string& match_id) { players.start(started(match_id)); }

  void ask(const std::vector<std::pair<std::string, std::uint32_t>>& questions) {
    auto response = std::make_shared<v1::PlayResponse>();
    for (const auto& [match_id, id] : questions) {
      *response->mutable_decisions()->add_decisions() = auction(match_id, id);
    }
    players.ask(response);
  }

  void end(const std::string& match_id) {
    auto response = std::make_shared<v1::PlayResponse>();
    *response->mutable_match_ended() = ended(match_id);
    players.end(response, response->match_ended());
  }

  /// Runs one job; returns how it failed.
  Failure work_once() {
    const auto job = players.next();
    EXPECT_NE(job, nullptr);
    job->run(bot);
    return players.finish(*job);
  }

  /// Runs all jobs that wait.
  void work() {
    while (const auto job = players.next()) {
      job->run(bot);
      EXPECT_FALSE(players.finish(*job));
    }
  }

  /// Returns the answers that are ready, such as "a/1:1".
  Calls ready() {
    Calls found;
    const v1::PlayRequest request = players.take_ready();
    for (const auto& answer : request.answers().answers()) {
      found.push_back(answer.match_id() + "/" + std::to_string(answer.decision_id()) + ":" +
                      std::to_string(answer.move_index()));
    }
    return found;
  }

  Record record;
  Calls lines;
  Recording::Decide decide = [](Decision&) { return 1; };
  BotClass bot = recording(record, [this](Decision& decision) { return decide(decision); });
  Players players{bot, [this](const std::string& line) { lines.push_back(line); }};
};

TEST_F(PlayersTest, DecideInTheOrderInWhichTheyWereAsked) {
  start("a");
  start("b");
  ask({{"b", 1}, {"a", 1}});
  work();
  EXPECT_EQ(record.all(), (Calls{"made a", "made b", "asked b/1", "asked a/1"}));
  EXPECT_EQ(ready(), (Calls{"b/1:1", "a/1:1"}));
}

TEST_F(PlayersTest, WaitForTheOthersOfWhatIsOpen) {
  start("a");
  start("b");
  ask({{"a", 1}, {"b", 1}});
  EXPECT_EQ(players.flush_at(), Players::Clock::time_point::max());
  for (int i = 0; i < 3; ++i) work_once();
  const auto later = players.flush_at();
  EXPECT_GT(later, Players::Clock::now());
  EXPECT_LE(later, Players::Clock::now() + Players::kFlushAfter);
  work_once();
  EXPECT_EQ(players.flush_at(), Players::Clock::time_point::min());
}

TEST_F(PlayersTest, DoNotWaitForAMatchThatHasEnded) {
  start("a");
  start("b");
  ask({{"a", 1}, {"b", 1}});
  for (int i = 0; i < 3; ++i) work_once();
  end("b");
  EXPECT_EQ(players.flush_at(), Players::Clock::time_point::min());
  work();
  EXPECT_EQ(ready(), Calls{"a/1:1"});
  EXPECT_EQ(record.all(), (Calls{"made a", "made b", "asked a/1", "ended b", "dropped b"}));
}

TEST_F(PlayersTest, SendNothingOfAMatchThatEndedWhileItWasThoughtAbout) {
  start("a");
  ask({{"a", 1}});
  work_once();
  const auto job = players.next();
  end("a");
  EXPECT_EQ(players.next(), nullptr) << "ended() must wait for decide()";
  job->run(bot);
  EXPECT_FALSE(players.finish(*job));
  work();
  EXPECT_EQ(ready(), Calls{});
  EXPECT_EQ(record.all(), (Calls{"made a", "asked a/1", "ended a", "dropped a"}));
}

TEST_F(PlayersTest, SendNothingOfAMatchThatEndedBeforeItsAnswerWasSent) {
  start("a");
  start("b");
  ask({{"a", 1}, {"b", 1}});
  for (int i = 0; i < 3; ++i) work_once();
  end("a");
  work();
  EXPECT_EQ(ready(), Calls{"b/1:1"});
}

TEST_F(PlayersTest, NeverDecideTwiceAtOnceForOneMatch) {
  start("a");
  start("b");
  const auto job = players.next();
  ask({{"a", 1}});
  const auto other = players.next();
  EXPECT_EQ(other->player->match->id(), "b");
  EXPECT_EQ(players.next(), nullptr);
  job->run(bot);
  players.finish(*job);
  EXPECT_EQ(players.next()->kind, Job::Kind::Decide);
}

TEST_F(PlayersTest, AnswerARepeatedDecisionFromMemory) {
  start("a");
  ask({{"a", 1}});
  work();
  EXPECT_EQ(ready(), Calls{"a/1:1"});
  players.connected({}, true);
  start("a");
  ask({{"a", 1}});
  EXPECT_EQ(ready(), Calls{"a/1:1"});
  EXPECT_EQ(record.all(), (Calls{"made a", "asked a/1"}));
}

TEST_F(PlayersTest, ForgetReadyAnswersOfALostConnection) {
  start("a");
  ask({{"a", 1}});
  work();
  players.connected({}, true);
  EXPECT_EQ(ready(), Calls{});
}

TEST_F(PlayersTest, SendWhatWasThoughtAboutWhenItIsAskedAgain) {
  start("a");
  start("b");
  ask({{"a", 1}, {"b", 1}});
  work_once();
  work_once();
  const auto job = players.next();
  players.connected({}, true);
  ask({{"a", 1}});
  job->run(bot);
  players.finish(*job);
  work();
  EXPECT_EQ(ready(), Calls{"a/1:1"}) << "b has not been asked again";
  ask({{"b", 1}});
  EXPECT_EQ(ready(), Calls{"b/1:1"});
  EXPECT_EQ(record.all(), (Calls{"made a", "made b", "asked a/1", "asked b/1"}));
}

TEST_F(PlayersTest, LoseAllMatchesUnlessTheSessionIsResumed) {
  start("a");
  ask({{"a", 1}});
  work_once();
  players.connected({}, false);
  work();
  ask({{"a", 2}});
  work();
  EXPECT_EQ(record.all(), (Calls{"made a", "dropped a"}));
}

TEST_F(PlayersTest, KeepAnOlderAnswerFromPassingForANewerOne) {
  start("a");
  ask({{"a", 1}});
  work_once();
  const auto job = players.next();
  ask({{"a", 2}});  // the time of the first was up
  job->run(bot);
  players.finish(*job);
  ask({{"a", 2}});
  EXPECT_EQ(ready(), Calls{"a/1:1"});
  work();
  EXPECT_EQ(ready(), Calls{"a/2:1"});
}

TEST_F(PlayersTest, IgnoreMatchesTheyDoNotKnow) {
  ask({{"a", 1}});
  end("a");
  EXPECT_EQ(players.next(), nullptr);
  EXPECT_TRUE(players.is_idle());
}

TEST_F(PlayersTest, CutNotesAtACharacter) {
  v1::Limits limits;
  limits.set_max_note_bytes(4);
  players.connected(limits, false);
  decide = [](Decision& decision) {
    decision.note = "ab€";
    return 0;
  };
  start("a");
  ask({{"a", 1}});
  work();
  EXPECT_EQ(players.take_ready().answers().answers(0).note(), "ab");
  EXPECT_EQ(lines, Calls{"warning: a note of 5 bytes was cut to 4"});
}

TEST_F(PlayersTest, RefuseANoteThatIsNoText) {
  decide = [](Decision& decision) {
    decision.note = "\xFF";
    return 0;
  };
  start("a");
  ask({{"a", 1}});
  work_once();
  const auto failure = work_once();
  ASSERT_TRUE(failure);
  EXPECT_NE(failure->cause().find("must be UTF-8"), std::string::npos);
}

TEST_F(PlayersTest, TellHowTheAuthorsCodeFailed) {
  decide = [](Decision&) -> Choice { throw std::out_of_range("so it is"); };
  start("a");
  ask({{"a", 1}});
  work_once();
  const auto failure = work_once();
  ASSERT_TRUE(failure);
  EXPECT_STREQ(failure->what(),
               "Recording::decide() failed in <byzanz match a, seat 1 of 2>: std::out_of_range: so "
               "it is");
  EXPECT_EQ(failure->cause(), "std::out_of_range: so it is");
}

TEST_F(PlayersTest, CatchWhatIsNoException) {
  decide = [](Decision&) -> Choice { throw 7; };
  start("a");
  ask({{"a", 1}});
  work_once();
  EXPECT_EQ(work_once()->cause(), "int");
}

TEST_F(PlayersTest, PassOverAnIllegalChoiceThatNobodyNeeds) {
  decide = [](Decision&) { return 9; };
  start("a");
  ask({{"a", 1}});
  work_once();
  const auto job = players.next();
  end("a");
  job->run(bot);
  EXPECT_FALSE(players.finish(*job));
}

}  // namespace
}  // namespace arena::testing
