#include "src/texts.h"

#include <algorithm>
#include <cstdio>
#include <utility>

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
      return {"the arena rejected the token", "set ARENA_TOKEN to the token from the organiser"};
    case GRPC_STATUS_ALREADY_EXISTS:
      return {
          "the token is in use",
          "stop the other program that uses it, or wait until the arena has closed its session"};
    case GRPC_STATUS_FAILED_PRECONDITION:
      return {"the arena does not accept this bot",
              "this SDK speaks protocol " + std::to_string(kProtocol) +
                  ": install a matching version, or check the bot's games"};
    case GRPC_STATUS_RESOURCE_EXHAUSTED:
      return {"a limit of the arena was exceeded",
              "try again later, or take fewer matches at once (max_matches)"};
    case GRPC_STATUS_UNIMPLEMENTED:
      return {"the server at " + address + " is not an arena", "check ARENA_ADDRESS"};
    default:
      return {"the arena ended the session", "see arena's documentation"};
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

// gRPC has no codes for these, only texts, and newer versions have others; a conformance scenario
// notices when they change.
constexpr const char* kNoTls =
    "it does not use TLS: unset ARENA_TLS, ARENA_CA_FILE, ARENA_CERT_FILE and ARENA_KEY_FILE";
constexpr const char* kWrongName =
    "its certificate is for another host name: set ARENA_ADDRESS to a name in the certificate";
constexpr const char* kUnknownAuthority =
    "its certificate is not signed by a trusted authority: set ARENA_CA_FILE to the organiser's "
    "file";
constexpr std::pair<const char*, const char*> kHandshakeHints[] = {
    {"WRONG_VERSION_NUMBER", kNoTls},
    {"wrong version number", kNoTls},
    {"Hostname Verification Check failed", kWrongName},
    {"is not in peer certificate", kWrongName},
    {"CERTIFICATE_VERIFY_FAILED", kUnknownAuthority},
    {"certificate verify failed", kUnknownAuthority},
};

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
      return "check that arena and the SDK have the same version";
    case v1::Rejected::REASON_NOTE_TOO_LONG:
      return "write shorter notes";
    default:
      return "see arena's documentation";
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

std::string silence_hint(const std::string& details, const Settings& settings) {
  const std::string is_running = "is it running, and is ARENA_ADDRESS right?";
  const auto says = [&details](const char* mark) {
    return details.find(mark) != std::string::npos;
  };
  if (settings.tls) {
    for (const auto& [mark, hint] : kHandshakeHints) {
      if (says(mark)) return hint;
    }
  }
  if (says("refused") || settings.address.rfind("unix:", 0) == 0) return is_running;
  if (!settings.tls) return is_running + " If it uses TLS, set ARENA_CA_FILE or ARENA_TLS=1";
  if (!settings.cert_file.empty()) return is_running;
  return is_running +
         " If it requires a client certificate, set ARENA_CERT_FILE and ARENA_KEY_FILE";
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
