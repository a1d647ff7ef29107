// Settings, texts, and the fields of a bot class.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <map>

#include "arena/client.h"
#include "src/texts.h"
#include "tests/bots.h"
#include "tests/messages.h"

namespace arena::testing {
namespace {

std::optional<Settings> read(const std::vector<std::string>& flags,
                             const std::map<std::string, std::string>& variables) {
  return read_settings(flags, [&variables](const std::string& name) {
    const auto found = variables.find(name);
    return found != variables.end() ? found->second : "";
  });
}

/// Returns what is wrong with settings.
std::string refused(const std::vector<std::string>& flags,
                    const std::map<std::string, std::string>& variables = {}) {
  try {
    read(flags, variables);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "nothing is wrong";
}

TEST(Settings, AreReadFromTheEnvironment) {
  const std::string file = "/proc/self/cmdline";
  const auto settings = read({}, {{"ARENA_ADDRESS", "arena.example:50051"},
                                  {"ARENA_TOKEN", "t"},
                                  {"ARENA_CA_FILE", file},
                                  {"ARENA_CERT_FILE", file},
                                  {"ARENA_KEY_FILE", file},
                                  {"ARENA_RESUME_TIMEOUT", "2.5"}});
  EXPECT_EQ(settings->address, "arena.example:50051");
  EXPECT_EQ(settings->token, "t");
  EXPECT_TRUE(settings->tls);
  EXPECT_EQ(settings->ca_file, file);
  EXPECT_EQ(settings->connect_timeout.count(), 5);
  EXPECT_EQ(settings->resume_timeout.count(), 2.5);
}

TEST(Settings, OfFlagsCountMore) {
  const auto settings = read({"--address", "[::1]:5", "--token=flag", "--tls"},
                             {{"ARENA_ADDRESS", "elsewhere:1"}, {"ARENA_TOKEN", "variable"}});
  EXPECT_EQ(settings->address, "[::1]:5");
  EXPECT_EQ(settings->token, "flag");
  EXPECT_TRUE(settings->tls);
}

TEST(Settings, MayAskForHelp) {
  EXPECT_EQ(read({"--help"}, {}), std::nullopt);
  EXPECT_NE(settings_help().find("--resume-timeout TIMEOUT"), std::string::npos);
}

TEST(Settings, ThatMakeNoSenseAreNamed) {
  const std::pair<const char*, const char*> kWrong[] = {
      {"ARENA_ADDRESS", "http://localhost:5"},
      {"ARENA_ADDRESS", "localhost"},
      {"ARENA_ADDRESS", "localhost:99999"},
      {"ARENA_ADDRESS", "localhost:0"},
      {"ARENA_ADDRESS", "unix:"},
      {"ARENA_ADDRESS", "::1:5"},
      {"ARENA_ADDRESS", ":5"},
      {"ARENA_TOKEN", "broken\n"},
      {"ARENA_TOKEN", "\x80"},
      {"ARENA_TLS", "maybe"},
      {"ARENA_CA_FILE", "/nowhere/ca.pem"},
      {"ARENA_CA_FILE", "/"},
      {"ARENA_CONNECT_TIMEOUT", "soon"},
      {"ARENA_CONNECT_TIMEOUT", "-1"},
      {"ARENA_RESUME_TIMEOUT", "nan"},
      {"ARENA_RESUME_TIMEOUT", "inf"},
  };
  for (const auto& [variable, value] : kWrong) {
    std::map<std::string, std::string> variables = {{"ARENA_ADDRESS", "localhost:5"}};
    variables[variable] = value;
    EXPECT_EQ(refused({}, variables).rfind(variable, 0), 0U) << refused({}, variables);
  }
  EXPECT_EQ(refused({}, {{"ARENA_TOKEN", "secret\n"}, {"ARENA_ADDRESS", "a:1"}}).find("secret"),
            std::string::npos);
}

TEST(Settings, ThatAreMissingAreNamed) {
  EXPECT_EQ(refused({}), "no address: set ARENA_ADDRESS to unix:/path or host:port, or --address");
  EXPECT_EQ(refused({"--address"}), "--address needs a value");
  EXPECT_EQ(refused({"--address", "--tls"}), "--address needs a value");
  EXPECT_EQ(refused({"--tls=1"}), "--tls takes no value");
  EXPECT_EQ(refused({"--level", "3"}), "unknown flag --level (--help lists them)");
  EXPECT_EQ(refused({"more"}), "unknown flag more (--help lists them)");
  EXPECT_EQ(refused({"--address=a:5", "--cert-file=/proc/self/cmdline"}),
            "a client certificate needs both ARENA_CERT_FILE and ARENA_KEY_FILE");
}

TEST(BotClass, IsDescribedByItsFields) {
  const BotClass first = describe<First>();
  EXPECT_EQ(first.name, "first");
  EXPECT_EQ(first.version, "3");
  EXPECT_EQ(first.max_matches, 64);
  EXPECT_EQ(first.games.size(), 2U);
  class Nameless : public SchwarzmarktBot {
    Choice decide(schwarzmarkt::Decision&) override { return 0; }
  };
  const BotClass nameless = describe<Nameless>();
  EXPECT_NE(nameless.name.find("Nameless"), std::string::npos);
  EXPECT_EQ(nameless.games, std::vector<std::string>{"schwarzmarkt"});
  EXPECT_EQ(nameless.max_matches, 16);
}

TEST(BotClass, ThatTheArenaWouldRefuseIsRefused) {
  BotClass bot = describe<First>();
  EXPECT_NO_THROW(check_bot(bot));
  bot.name = std::string(65, 'x');
  EXPECT_THROW(check_bot(bot), UsageError);
  bot = describe<First>();
  bot.version = "\xFF";
  EXPECT_THROW(check_bot(bot), UsageError);
  bot = describe<First>();
  bot.max_matches = 0;
  EXPECT_THROW(check_bot(bot), UsageError);
  bot = describe<First>();
  bot.workers = 0;
  EXPECT_THROW(check_bot(bot), UsageError);
}

TEST(Inert, LeavesNothingThatATerminalObeys) {
  EXPECT_EQ(inert("plain é € 😀"), "plain é € 😀");
  EXPECT_EQ(inert("a\x1B[2J\n"), "a\uFFFD[2J\uFFFD");
  EXPECT_EQ(inert("\u202E\u200B\u00A0\u009B"), "\uFFFD\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(inert("\xC0\x80 \xED\xA0\x80 \xF5 \xE2\x82"),
            "\uFFFD\uFFFD \uFFFD\uFFFD\uFFFD \uFFFD \uFFFD\uFFFD");
}

TEST(Cut, NeverCutsWithinACharacter) {
  EXPECT_EQ(cut_bytes("ab€", 4), "ab");
  EXPECT_EQ(cut_bytes("ab€", 5), "ab€");
  EXPECT_EQ(cut_characters("é€x", 2), "é€");
  EXPECT_EQ(length_of("é€x"), 3U);
}

TEST(Refusal, SaysWhatToDo) {
  const std::pair<grpc_status_code, const char*> kExpected[] = {
      {GRPC_STATUS_UNAUTHENTICATED,
       "the arena rejected the token: because (set ARENA_TOKEN to the token from the organiser)"},
      {GRPC_STATUS_ALREADY_EXISTS,
       "the token is in use: because (stop the other program that uses it, or wait until the arena "
       "has closed its session)"},
      {GRPC_STATUS_FAILED_PRECONDITION,
       "the arena does not accept this bot: because (this SDK speaks protocol 1: install a "
       "matching version, or check the bot's games)"},
      {GRPC_STATUS_RESOURCE_EXHAUSTED,
       "a limit of the arena was exceeded: because (try again later, or take fewer matches at once "
       "(max_matches))"},
      {GRPC_STATUS_UNIMPLEMENTED,
       "the server at a:1 is not an arena: because (check ARENA_ADDRESS)"},
      {GRPC_STATUS_INVALID_ARGUMENT,
       "the arena ended the session: because (see arena's documentation)"},
  };
  for (const auto& [code, text] : kExpected) {
    EXPECT_EQ(refusal({code, "because"}, "a:1"), text);
  }
  EXPECT_NE(refusal({GRPC_STATUS_OUT_OF_RANGE, ""}, "a:1").find(": OUT_OF_RANGE ("),
            std::string::npos);
}

TEST(Rejection, SaysWhichAnswerAndWhy) {
  v1::Rejected rejected;
  rejected.set_match_id("m1");
  rejected.set_decision_id(3);
  rejected.set_reason(v1::Rejected::REASON_LATE);
  rejected.set_message("be quick");
  EXPECT_EQ(rejection(rejected),
            "warning: the arena rejected the answer to decision 3 of match m1 (late): be quick");
  rejected.clear_message();
  rejected.set_reason(v1::Rejected::REASON_UNKNOWN_MATCH);
  EXPECT_NE(rejection(rejected).find("(unknown match): nothing to do"), std::string::npos);
  rejected.set_reason(static_cast<v1::Rejected::Reason>(77));
  EXPECT_NE(rejection(rejected).find("(77): see arena's documentation"), std::string::npos);
}

}  // namespace
}  // namespace arena::testing
