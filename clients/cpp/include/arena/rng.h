/// Randomness that is the same on every machine, which that of <random>'s distributions is not.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

namespace arena {

/// A xoshiro256** generator. Fits wherever <algorithm> and <random> want a generator.
class Rng {
 public:
  using result_type = std::uint64_t;

  /// Uses all bytes of the seed: they are the state, little end first.
  explicit Rng(std::string_view seed);

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

  /// Returns any 64 bits.
  result_type operator()();
  /// Returns a number from 0 to n - 1, each equally often. Throws std::invalid_argument for 0.
  std::uint64_t below(std::uint64_t n);
  /// Returns a number from 0 to below 1.
  double uniform();

 private:
  std::array<std::uint64_t, 4> state_{};
};

}  // namespace arena
