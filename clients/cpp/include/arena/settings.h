/// Where the arena is and who the bot is: from the environment, or from flags, which count more.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace arena {

/// How to reach an arena. Files are paths to PEM files; empty means none.
struct Settings {
  std::string address;
  std::string token;
  bool tls = false;
  std::string ca_file;
  std::string cert_file;
  std::string key_file;
  std::chrono::duration<double> connect_timeout{5};
  std::chrono::duration<double> resume_timeout{30};
};

/// Looks up a variable; empty if it is not set.
using Environment = std::function<std::string(const std::string& name)>;

/// Returns a variable of the process.
std::string process_environment(const std::string& name);

/// Returns the settings of a bot program; nothing if the flags ask for help.
/// Throws UsageError if an address is missing or something makes no sense.
std::optional<Settings> read_settings(const std::vector<std::string>& flags,
                                      const Environment& environment);

/// Returns what --help prints.
std::string settings_help();

}  // namespace arena
