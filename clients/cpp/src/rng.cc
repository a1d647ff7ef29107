#include "arena/rng.h"

#include <stdexcept>

namespace arena {
namespace {

std::uint64_t rotate_left(std::uint64_t bits, int by) { return (bits << by) | (bits >> (64 - by)); }

}  // namespace

Rng::Rng(std::string_view seed) {
  for (std::size_t i = 0; i < seed.size(); ++i) {
    const std::uint64_t byte = static_cast<unsigned char>(seed[i]);
    state_[i / 8 % state_.size()] ^= byte << (8 * (i % 8));
  }
  if (state_ == decltype(state_){}) state_[0] = 1;  // all zeros would give zeros for ever
}

Rng::result_type Rng::operator()() {
  const std::uint64_t result = rotate_left(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = rotate_left(state_[3], 45);
  return result;
}

std::uint64_t Rng::below(std::uint64_t n) {
  if (n == 0) throw std::invalid_argument("Rng::below(0): there is nothing to choose from");
  const std::uint64_t uneven = (max() - n + 1) % n;  // so many numbers would make some likelier
  std::uint64_t bits = (*this)();
  while (bits < uneven) bits = (*this)();
  return bits % n;
}

double Rng::uniform() { return static_cast<double>((*this)() >> 11) * 0x1.0p-53; }

}  // namespace arena
