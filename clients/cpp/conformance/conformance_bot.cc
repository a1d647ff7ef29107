// Plays as CONFORMANCE says, for the tests of clients/conformance (see clients/README.md).

#include <cstdlib>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>

#include "arena/client.h"
#include "arena/messages.h"

std::string variable(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

const std::string kBehaviour = variable("CONFORMANCE", "first");
const std::chrono::milliseconds kDelay(std::stoi(variable("CONFORMANCE_DELAY_MS", "1000")));

std::string hex(const std::string& bytes) {
  std::string text;
  for (const unsigned char byte : bytes) {
    text += "0123456789abcdef"[byte / 16];
    text += "0123456789abcdef"[byte % 16];
  }
  return text;
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

// One object a match, as every bot.
class ConformanceBot : public arena::Bot {
 public:
  static constexpr auto name = "conformance";
  static constexpr auto version = "1";
  inline static const std::vector<std::string> games = words(variable("CONFORMANCE_GAMES", ""));
  inline static const int max_matches = std::stoi(variable("CONFORMANCE_MAX_MATCHES", "8"));
  inline static const int workers = std::stoi(variable("CONFORMANCE_WORKERS", "1"));

  ConformanceBot() { fail_if("fail_on_start"); }

  // Does what the scenario wants to see.
  arena::Choice decide(arena::Decision& decision) override {
    ++asked_;
    fail_if("fail");
    if (kBehaviour == "last") {
      decision.note = decision.legal_moves().back().text();
      return decision.legal_moves().back();
    }
    if (kBehaviour == "illegal") return decision.legal_count();
    if (kBehaviour == "slow") {
      const std::string which = " " + match().id() + " " + std::to_string(decision.id()) + "\n";
      std::cout << "deciding" + which << std::flush;
      std::this_thread::sleep_for(kDelay);
      std::cout << "decided" + which << std::flush;
    } else if (kBehaviour == "count") {
      decision.note = std::to_string(asked_);
    } else if (kBehaviour == "seed") {
      decision.note = hex(match().message().bot_seed());
    } else if (kBehaviour == "note") {
      decision.note = repeated("é", 2000);
    }
    return 0;
  }

  // Tells that it was told.
  void ended(const arena::Outcome& outcome) override {
    fail_if("fail_on_end");
    const std::string told = outcome.is_void()
                                 ? "void"
                                 : "rank " + std::to_string(outcome.rank().value()) + " score " +
                                       std::to_string(outcome.score().value());
    std::cout << "ended " + match().id() + " " + told + "\n" << std::flush;
  }

 private:
  static void fail_if(const char* behaviour) {
    if (kBehaviour == behaviour) throw std::runtime_error("the author's mistake");
  }

  int asked_ = 0;
};

int main(int argc, char** argv) { return arena::run<ConformanceBot>(argc, argv); }
