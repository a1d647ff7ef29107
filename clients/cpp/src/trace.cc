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
  std::string text;
};

Place place_of(void* frame) {
  static const char here = 0;
  Dl_info own{};
  dladdr(&here, &own);
  // A frame is where a call returns to: the call itself is one byte before at the latest.
  Place place{reinterpret_cast<std::uintptr_t>(frame) - 1, false, "?"};
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(place.offset), &info) != 0) {
    place.offset -= reinterpret_cast<std::uintptr_t>(info.dli_fbase);
    place.is_in_program = info.dli_fbase == own.dli_fbase;
    const char* file = std::strrchr(info.dli_fname, '/');
    place.text = function_name(info.dli_sname) + " in " + (file != nullptr ? file + 1 : info.dli_fname);
  }
  place.text += "+" + hex(place.offset);
  return place;
}

/// Puts function, file and line in the place of offsets of this program, if binutils are installed.
void find_lines(std::vector<Place>& places) {
  std::string command = "addr2line -Cfpe /proc/" + std::to_string(getpid()) + "/exe";
  for (const Place& place : places) command += " " + hex(place.is_in_program ? place.offset : 0);
  FILE* output = popen((command + " 2>/dev/null").c_str(), "r");
  if (output == nullptr) return;
  std::array<char, 4096> line{};
  for (Place& place : places) {
    if (std::fgets(line.data(), line.size(), output) == nullptr) break;
    line[std::strcspn(line.data(), "\n")] = '\0';
    if (place.is_in_program && line[0] != '?') place.text = line.data();
  }
  pclose(output);
}

/// Whether a frame and those below it are the library's own, or what the compiler made of it.
bool is_library(const std::string& text) {
  for (const char* own : {"arena::Job::", "arena::GameBot<", "arena::make_bot<"}) {
    if (text.find(own) != std::string::npos) return true;
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
    if (is_library(place.text)) break;
    lines += "  at " + place.text + "\n";
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
