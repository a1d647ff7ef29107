/// SIGINT and SIGTERM, brought to a thread.
#pragma once

#include <functional>
#include <thread>

namespace arena {

/// While one is alive, it handles SIGINT and SIGTERM: the function is called with the signal's
/// number, by a thread of its own. A second one at the same time does nothing.
class Signals {
 public:
  explicit Signals(std::function<void(int)> handle);
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

 private:
  bool is_first_;
  std::thread thread_;
};

}  // namespace arena
