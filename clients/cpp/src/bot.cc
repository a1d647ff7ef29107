#include "arena/bot.h"

#include <cxxabi.h>

#include <cstdlib>

#include "arena/errors.h"
#include "src/texts.h"

namespace arena {
namespace {

constexpr std::size_t kMaxName = 64;  // characters, by the protocol

void check_text(const BotClass& bot, const char* field, const std::string& text) {
  if (!is_utf8(text) || length_of(text) > kMaxName) {
    throw UsageError(bot.class_name + "::" + field +
                     " must be a text of up to 64 characters: " + inert(text));
  }
}

}  // namespace

std::string type_name(const std::type_info& type) {
  int status = 0;
  char* demangled = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  std::string name = demangled != nullptr ? demangled : type.name();
  std::free(demangled);
  constexpr std::string_view kNowhere = "(anonymous namespace)::";
  for (auto at = name.find(kNowhere); at != std::string::npos; at = name.find(kNowhere)) {
    name.erase(at, kNowhere.size());
  }
  return name;
}

void check_bot(const BotClass& bot) {
  check_text(bot, "name", bot.name);
  check_text(bot, "version", bot.version);
  for (const std::string& game : bot.games) check_text(bot, "games", game);
  if (bot.max_matches < 1) {
    throw UsageError(bot.class_name +
                     "::max_matches must be 1 or more: " + std::to_string(bot.max_matches));
  }
  if (bot.workers < 1) {
    throw UsageError(bot.class_name +
                     "::workers must be 1 or more: " + std::to_string(bot.workers));
  }
}

}  // namespace arena
