#include "src/trace.h"

// Exceptions are thrown through __cxa_throw. This library puts its own in front, which notes the
// stack and calls the one of the C++ runtime. Without it (ARENA_CLIENT_TRACE=OFF, or another
// system) traces are empty, and all else is the same.
#ifdef ARENA_CLIENT_TRACE

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <typeinfo>
#include <vector>

namespace {

struct Stack {
  int watches = 0;
  int size = 0;
  std::array<void*, 64> frames{};
};

thread_local Stack thrown_at;

std::string hex(std::uintptr_t number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "0x%zx", static_cast<std::size_t>(number));
  return text.data();
}

std::string function_name(const char* symbol) {
  if (symbol == nullptr) return "?";
  int status = 0;
  char* demangled = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
  std::string name = demangled != nullptr ? demangled : symbol;
  std::free(demangled);
  return name;
}

/// Where one frame of a stack is.
struct Place {
  std::uintptr_t offset = 0;  // within its file
  bool is_in_program = false;
  std::vector<std::string> functions;  // several if they were inlined, the innermost first
};

Place place_of(void* frame) {
  static const char here = 0;
  Dl_info own{};
  dladdr(&here, &own);
  // A frame is where a call returns to: the call itself is one byte before at the latest.
  Place place{reinterpret_cast<std::uintptr_t>(frame) - 1, false, {}};
  std::string text = "?";
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(place.offset), &info) != 0) {
    place.offset -= reinterpret_cast<std::uintptr_t>(info.dli_fbase);
    place.is_in_program = info.dli_fbase == own.dli_fbase;
    const char* file = std::strrchr(info.dli_fname, '/');
    text = function_name(info.dli_sname) + " in " + (file != nullptr ? file + 1 : info.dli_fname);
  }
  place.functions = {text + "+" + hex(place.offset)};
  return place;
}

/// Takes functions with files and lines from the output of addr2line.
void read_lines(FILE* output, std::vector<Place>& places) {
  constexpr std::string_view kInlined = " (inlined by) ";
  std::array<char, 4096> buffer{};
  auto place = places.begin();
  for (bool is_first = true; std::fgets(buffer.data(), buffer.size(), output) != nullptr;) {
    std::string_view line(buffer.data(), std::strcspn(buffer.data(), "\n"));
    if (line.substr(0, kInlined.size()) == kInlined) {
      line.remove_prefix(kInlined.size());
    } else if (!is_first && ++place == places.end()) {
      return;
    } else if (place->is_in_program && line.substr(0, 2) != "??") {
      place->functions.clear();
    }
    is_first = false;
    if (place->is_in_program && line.substr(0, 2) != "??") place->functions.emplace_back(line);
  }
}

/// Finds functions, files and lines of this program's frames, if binutils are installed.
void find_lines(std::vector<Place>& places) {
  if (places.empty()) return;
  std::string command = "addr2line -Cifpe /proc/" + std::to_string(getpid()) + "/exe";
  for (const Place& place : places) command += " " + hex(place.is_in_program ? place.offset : 0);
  FILE* output = popen((command + " 2>/dev/null").c_str(), "r");
  if (output == nullptr) return;
  read_lines(output, places);
  pclose(output);
}

/// Whether a function is the library's own: so are those that called it.
bool is_library(const std::string& function) {
  for (const char* own : {"arena::Job::", "arena::GameBot<", "arena::make_bot<"}) {
    if (function.find(own) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

extern "C" void __cxa_throw(void* thrown, std::type_info* type, void (*destroy)(void*)) {
  using Throw = void (*)(void*, std::type_info*, void (*)(void*));
  static const auto next = reinterpret_cast<Throw>(dlsym(RTLD_NEXT, "__cxa_throw"));
  if (thrown_at.watches > 0) {
    thrown_at.size = backtrace(thrown_at.frames.data(), static_cast<int>(thrown_at.frames.size()));
  }
  if (next != nullptr) next(thrown, type, destroy);
  std::abort();
}

namespace arena {

ThrowWatch::ThrowWatch() {
  thrown_at.size = 0;
  ++thrown_at.watches;
}

ThrowWatch::~ThrowWatch() { --thrown_at.watches; }

std::string ThrowWatch::trace() const {
  std::vector<Place> places;
  for (int i = 1; i < thrown_at.size; ++i) {  // without the frame of __cxa_throw
    places.push_back(place_of(thrown_at.frames[static_cast<std::size_t>(i)]));
  }
  find_lines(places);
  std::string lines;
  for (const Place& place : places) {
    for (const std::string& function : place.functions) {
      if (is_library(function)) return lines;
      lines += "  at " + function + "\n";
    }
  }
  return lines;
}

}  // namespace arena

#else

namespace arena {

ThrowWatch::ThrowWatch() = default;
ThrowWatch::~ThrowWatch() = default;
std::string ThrowWatch::trace() const { return {}; }

}  // namespace arena

#endif
