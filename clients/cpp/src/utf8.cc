#include <algorithm>
#include <cstdint>
#include <iterator>

#include "src/texts.h"

namespace arena {
namespace {

constexpr char32_t kBroken = 0xFFFFFFFF;  // stands for bytes that are no character

struct Range {
  char32_t first;
  char32_t last;
};

/// What is not printable: controls, format signs, separators other than the space, surrogates and
/// what is private or no character.
constexpr Range kHidden[] = {
    {0x00, 0x1F},          {0x7F, 0xA0},       {0xAD, 0xAD},       {0x600, 0x605},
    {0x61C, 0x61C},        {0x6DD, 0x6DD},     {0x70F, 0x70F},     {0x890, 0x891},
    {0x8E2, 0x8E2},        {0x1680, 0x1680},   {0x180E, 0x180E},   {0x2000, 0x200F},
    {0x2028, 0x202F},      {0x205F, 0x206F},   {0x3000, 0x3000},   {0xD800, 0xF8FF},
    {0xFEFF, 0xFEFF},      {0xFFF0, 0xFFFB},   {0xFFFE, 0xFFFF},   {0x110BD, 0x110BD},
    {0x110CD, 0x110CD},    {0x13430, 0x1343F}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A},
    {0xE0000, 0xFFFFFFFF},
};

bool is_printable(char32_t sign) {
  return std::none_of(std::begin(kHidden), std::end(kHidden), [sign](const Range& range) {
    return range.first <= sign && sign <= range.last;
  });
}

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

/// Returns how many bytes a character has that begins with this one; 0 if none does.
std::size_t length_by(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xC2 || first >= 0xF5) return 0;
  if (first < 0xE0) return 2;
  return first < 0xF0 ? 3 : 4;
}

/// Takes one character off the front of a text; kBroken, and one byte, if there is none.
char32_t take_character(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t length = length_by(first);
  char32_t sign = length > 1 ? first & (0xFFU >> (length + 1)) : first;
  bool is_whole = length > 0 && length <= text.size();
  for (std::size_t i = 1; is_whole && i < length; ++i) {
    is_whole = is_continuation(text[i]);
    sign = (sign << 6) | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  if (!is_whole || sign < kLeast[length] || sign > 0x10FFFF || (sign >= 0xD800 && sign < 0xE000)) {
    text.remove_prefix(1);
    return kBroken;
  }
  text.remove_prefix(length);
  return sign;
}

}  // namespace

std::string inert(std::string_view text) {
  std::string made;
  made.reserve(text.size());
  while (!text.empty()) {
    const char* begin = text.data();
    const char32_t sign = take_character(text);
    if (is_printable(sign)) {
      made.append(begin, static_cast<std::size_t>(text.data() - begin));
    } else {
      made += "\xEF\xBF\xBD";  // U+FFFD
    }
  }
  return made;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    if (take_character(text) == kBroken) return false;
  }
  return true;
}

std::size_t length_of(std::string_view text) {
  std::size_t length = 0;
  for (; !text.empty(); ++length) take_character(text);
  return length;
}

std::string_view cut_bytes(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && is_continuation(text[bytes])) --bytes;
  return text.substr(0, bytes);
}

std::string_view cut_characters(std::string_view text, std::size_t characters) {
  std::string_view rest = text;
  for (; characters > 0 && !rest.empty(); --characters) take_character(rest);
  return text.substr(0, text.size() - rest.size());
}

}  // namespace arena
