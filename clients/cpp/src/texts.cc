#include "src/texts.h"

#include <algorithm>
#include <cstdio>

#include "arena/messages.h"

namespace arena {
namespace {

struct Refusal {
  std::string what;
  std::string advice;
};

Refusal refusal_of(grpc_status_code code, const std::string& address) {
  switch (code) {
    case GRPC_STATUS_UNAUTHENTICATED:
    case GRPC_STATUS_PERMISSION_DENIED:
      return {"the arena refuses the token", "set ARENA_TOKEN to the token from the organiser"};
    case GRPC_STATUS_ALREADY_EXISTS:
      return {
          "the token is in use",
          "end the other program that plays with it, or wait until the arena has noticed its end"};
    case GRPC_STATUS_FAILED_PRECONDITION:
      return {"the arena does not accept this bot",
              "this library speaks protocol " + std::to_string(kProtocol) +
                  "; install one that fits, or check the bot's games"};
    case GRPC_STATUS_RESOURCE_EXHAUSTED:
      return {"a limit of the arena was exceeded",
              "try again later, or take fewer matches at once (max_matches)"};
    case GRPC_STATUS_UNIMPLEMENTED:
      return {"what answers at " + address + " is no arena", "check ARENA_ADDRESS"};
    default:
      return {"the arena ended the session", "see the documentation of the arena"};
  }
}

const char* name_of(grpc_status_code code) {
  static constexpr const char* kNames[] = {
      "OK",
      "CANCELLED",
      "UNKNOWN",
      "INVALID_ARGUMENT",
      "DEADLINE_EXCEEDED",
      "NOT_FOUND",
      "ALREADY_EXISTS",
      "PERMISSION_DENIED",
      "RESOURCE_EXHAUSTED",
      "FAILED_PRECONDITION",
      "ABORTED",
      "OUT_OF_RANGE",
      "UNIMPLEMENTED",
      "INTERNAL",
      "UNAVAILABLE",
      "DATA_LOSS",
      "UNAUTHENTICATED",
  };
  const auto place = static_cast<std::size_t>(code);
  return place < std::size(kNames) ? kNames[place] : "an unknown status";
}

const char* advice_for(v1::Rejected::Reason reason) {
  switch (reason) {
    case v1::Rejected::REASON_LATE:
      return "decide faster: see move_time and bank of the decision";
    case v1::Rejected::REASON_REPEATED:
      return "nothing to do: the first answer counts";
    case v1::Rejected::REASON_UNKNOWN_DECISION:
    case v1::Rejected::REASON_UNKNOWN_MATCH:
      return "nothing to do, unless it happens often";
    case v1::Rejected::REASON_MATCH_OVER:
      return "nothing to do: the match ended while the bot was thinking";
    case v1::Rejected::REASON_ILLEGAL_MOVE:
    case v1::Rejected::REASON_INCOMPLETE:
      return "check that arena and library have the same version";
    case v1::Rejected::REASON_NOTE_TOO_LONG:
      return "write shorter notes";
    default:
      return "see the documentation of the arena";
  }
}

/// Returns a reason in words: "unknown match" for REASON_UNKNOWN_MATCH, "77" for one not known.
std::string words_of(v1::Rejected::Reason reason) {
  if (!v1::Rejected::Reason_IsValid(reason)) return std::to_string(reason);
  std::string words(v1::Rejected::Reason_Name(reason).substr(sizeof("REASON_") - 1));
  std::transform(words.begin(), words.end(), words.begin(), [](char sign) {
    return 'A' <= sign && sign <= 'Z' ? static_cast<char>(sign - 'A' + 'a') : ' ';
  });
  return words;
}

}  // namespace

std::string refusal(const Status& status, const std::string& address) {
  const auto [what, advice] = refusal_of(status.code, address);
  return what + ": " + reason_of(status) + " (" + advice + ")";
}

std::string reason_of(const Status& status) {
  return status.details.empty() ? name_of(status.code) : inert(status.details);
}

std::string rejection(const v1::Rejected& rejected) {
  const std::string told =
      rejected.message().empty() ? advice_for(rejected.reason()) : inert(rejected.message());
  return "warning: the arena rejected the answer to decision " +
         std::to_string(rejected.decision_id()) + " of match " + inert(rejected.match_id()) + " (" +
         words_of(rejected.reason()) + "): " + told;
}

std::string seconds_text(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", seconds);
  return text;
}

void report(const std::string& text) {
  const std::string line = "arena_client: " + text + "\n";  // in one piece: threads share stderr
  std::fwrite(line.data(), 1, line.size(), stderr);
  std::fflush(stderr);
}

}  // namespace arena
