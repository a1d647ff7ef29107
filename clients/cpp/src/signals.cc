#include "src/signals.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

namespace arena {
namespace {

constexpr std::array<int, 2> kSignals = {SIGINT, SIGTERM};
constexpr unsigned char kEnd = 0;  // no signal has this number

// A handler may do little more than write(): it writes the number into a pipe.
std::atomic<bool> is_in_use{false};
int pipe_ends[2] = {-1, -1};
std::array<struct sigaction, kSignals.size()> before;

extern "C" void write_signal(int number) {
  const int error = errno;
  const auto byte = static_cast<unsigned char>(number);
  [[maybe_unused]] const auto written = write(pipe_ends[1], &byte, 1);
  errno = error;
}

void listen(const std::function<void(int)>& handle) {
  unsigned char byte = kEnd;
  while (true) {
    const auto size = ::read(pipe_ends[0], &byte, 1);
    if (size < 0 && errno == EINTR) continue;
    if (size != 1 || byte == kEnd) return;
    handle(byte);
  }
}

}  // namespace

Signals::Signals(std::function<void(int)> handle) : is_first_(!is_in_use.exchange(true)) {
  if (!is_first_) return;
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) {
    is_in_use = false;
    throw std::system_error(errno, std::generic_category(), "no pipe for signals");
  }
  thread_ = std::thread([handle = std::move(handle)] { listen(handle); });
  struct sigaction action = {};
  action.sa_handler = write_signal;
  action.sa_flags = SA_RESTART;
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &action, &before[i]);
}

Signals::~Signals() {
  if (!is_first_) return;
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before[i], nullptr);
  write_signal(kEnd);
  thread_.join();
  for (const int end : pipe_ends) close(end);
  is_in_use = false;
}

}  // namespace arena
