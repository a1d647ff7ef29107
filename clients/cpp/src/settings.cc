#include "arena/settings.h"

#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string_view>

#include "arena/errors.h"
#include "src/texts.h"

namespace arena {
namespace {

struct Flag {
  const char* name;      // without the dashes
  const char* variable;  // of the environment
  const char* value;     // what it is called in the help; empty if the flag takes none
  const char* meaning;
};

constexpr Flag kFlags[] = {
    {"address", "ARENA_ADDRESS", "ADDRESS", "unix:/path or host:port (ARENA_ADDRESS)"},
    {"token", "ARENA_TOKEN", "TOKEN",
     "the token from the organiser (prefer ARENA_TOKEN: other users can see flags)"},
    {"tls", "ARENA_TLS", "", "TLS with the system's certificate authorities (ARENA_TLS=1)"},
    {"ca-file", "ARENA_CA_FILE", "FILE",
     "TLS with the certificate authority in this PEM file (ARENA_CA_FILE)"},
    {"cert-file", "ARENA_CERT_FILE", "FILE", "a client certificate (ARENA_CERT_FILE)"},
    {"key-file", "ARENA_KEY_FILE", "FILE", "its key (ARENA_KEY_FILE)"},
    {"connect-timeout", "ARENA_CONNECT_TIMEOUT", "TIMEOUT",
     "seconds to keep trying at the start: 5 (ARENA_CONNECT_TIMEOUT)"},
    {"resume-timeout", "ARENA_RESUME_TIMEOUT", "TIMEOUT",
     "seconds to keep trying later: 30 (ARENA_RESUME_TIMEOUT)"},
};

using Values = std::map<std::string, std::string>;  // by the variable's name

const Flag& find_flag(const std::string& name) {
  for (const Flag& flag : kFlags) {
    if (name == std::string("--") + flag.name) return flag;
  }
  throw UsageError("unknown flag " + inert(name) + " (--help lists them)");
}

/// Puts the values of flags over those of the environment; returns whether help was asked for.
bool read_flags(const std::vector<std::string>& flags, Values& values) {
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const std::string& word = flags[i];
    if (word == "--help" || word == "-h") return true;
    const auto equals = word.rfind("--", 0) == 0 ? word.find('=') : std::string::npos;
    const Flag& flag = find_flag(word.substr(0, equals));
    std::string value = "1";
    if (*flag.value == '\0') {
      if (equals != std::string::npos) {
        throw UsageError(std::string("--") + flag.name + " takes no value");
      }
    } else if (equals != std::string::npos) {
      value = word.substr(equals + 1);
    } else if (i + 1 < flags.size() && flags[i + 1].rfind("--", 0) != 0) {
      value = flags[++i];
    } else {
      throw UsageError(std::string("--") + flag.name + " needs a value");
    }
    values[flag.variable] = value;
  }
  return false;
}

/// Whether a text is a name, a v4 address or a v6 address in brackets.
bool is_host(std::string_view text) {
  const bool is_v6 = text.size() > 2 && text.front() == '[' && text.back() == ']';
  if (is_v6) text = text.substr(1, text.size() - 2);
  const char* outside = is_v6 ? " \t\r\n\v\f/[]" : " \t\r\n\v\f/[]:";
  return !text.empty() && is_utf8(text) && text.find_first_of(outside) == std::string_view::npos;
}

bool is_port(std::string_view text) {
  const bool is_number = !text.empty() && text.size() <= 5 &&
                         text.find_first_not_of("0123456789") == std::string_view::npos;
  const int port = is_number ? std::stoi(std::string(text)) : 0;
  return 0 < port && port < 65536;
}

std::string to_address(const std::string& text) {
  if (text.empty()) {
    throw UsageError("no address: set ARENA_ADDRESS to unix:/path or host:port, or --address");
  }
  constexpr std::string_view kUnix = "unix:";
  const std::string_view whole = text;
  if (whole.substr(0, kUnix.size()) == kUnix) {
    if (whole.size() > kUnix.size()) return text;
  } else if (const auto colon = whole.rfind(':'); colon != std::string_view::npos) {
    if (is_host(whole.substr(0, colon)) && is_port(whole.substr(colon + 1))) return text;
  }
  throw UsageError("ARENA_ADDRESS must be unix:/path or host:port, not '" + inert(text) + "'");
}

std::string to_token(const std::string& text) {
  if (inert(text) != text)
    throw UsageError("ARENA_TOKEN has characters that no token has: copy it again");
  return text;
}

bool to_tls(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char sign) { return static_cast<char>(std::tolower(sign)); });
  for (const char* yes : {"1", "true", "yes", "on"}) {
    if (text == yes) return true;
  }
  for (const char* no : {"", "0", "false", "no", "off"}) {
    if (text == no) return false;
  }
  throw UsageError("ARENA_TLS must be 1 or 0, not '" + inert(text) + "'");
}

std::string to_file(const char* variable, const std::string& path) {
  struct stat found = {};
  if (!path.empty() && (stat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode))) {
    throw UsageError(std::string(variable) + ": there is no file " + inert(path));
  }
  return path;
}

std::chrono::duration<double> to_timeout(const char* variable, const std::string& text,
                                         std::chrono::duration<double> otherwise) {
  if (text.empty()) return otherwise;
  char* end = nullptr;
  const double seconds = std::strtod(text.c_str(), &end);
  if (*end != '\0' || !std::isfinite(seconds) || seconds < 0) {
    throw UsageError(std::string(variable) + " must be a number of seconds, not '" + inert(text) +
                     "'");
  }
  return std::chrono::duration<double>(seconds);
}

}  // namespace

std::string process_environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value != nullptr ? value : "";
}

std::optional<Settings> read_settings(const std::vector<std::string>& flags,
                                      const Environment& environment) {
  Values values;
  for (const Flag& flag : kFlags) values[flag.variable] = environment(flag.variable);
  if (read_flags(flags, values)) return std::nullopt;
  Settings settings;
  settings.address = to_address(values["ARENA_ADDRESS"]);
  settings.token = to_token(values["ARENA_TOKEN"]);
  settings.tls = to_tls(values["ARENA_TLS"]);
  settings.ca_file = to_file("ARENA_CA_FILE", values["ARENA_CA_FILE"]);
  settings.cert_file = to_file("ARENA_CERT_FILE", values["ARENA_CERT_FILE"]);
  settings.key_file = to_file("ARENA_KEY_FILE", values["ARENA_KEY_FILE"]);
  settings.tls = settings.tls || !settings.ca_file.empty() || !settings.cert_file.empty();
  settings.connect_timeout = to_timeout("ARENA_CONNECT_TIMEOUT", values["ARENA_CONNECT_TIMEOUT"],
                                        settings.connect_timeout);
  settings.resume_timeout =
      to_timeout("ARENA_RESUME_TIMEOUT", values["ARENA_RESUME_TIMEOUT"], settings.resume_timeout);
  if (settings.cert_file.empty() != settings.key_file.empty()) {
    throw UsageError("a client certificate needs both ARENA_CERT_FILE and ARENA_KEY_FILE");
  }
  return settings;
}

std::string settings_help() {
  std::string help = "A bot for arena. Each flag can also be set as an environment variable.\n\n";
  for (const Flag& flag : kFlags) {
    std::string line = std::string("  --") + flag.name + " " + flag.value;
    line.resize(std::max<std::size_t>(line.size() + 1, 28), ' ');
    help += line + flag.meaning + "\n";
  }
  return help;
}

}  // namespace arena
