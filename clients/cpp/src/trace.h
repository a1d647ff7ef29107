/// Where an exception of the author's code was thrown, which standard C++ forgets.
#pragma once

#include <string>

namespace arena {

/// While one is alive, the stack of every throw of this thread is remembered, the last one counts.
class ThrowWatch {
 public:
  ThrowWatch();
  ~ThrowWatch();
  ThrowWatch(const ThrowWatch&) = delete;
  ThrowWatch& operator=(const ThrowWatch&) = delete;

  /// Returns the stack of the last throw, a line for each function; empty if it is not known.
  std::string trace() const;
};

}  // namespace arena
