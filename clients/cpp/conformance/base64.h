// Base64 as in RFC 4648, with padding.
#pragma once

#include <optional>
#include <string>

inline constexpr char kDigits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

inline std::string to_base64(const std::string& bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += i + k <= bytes.size() ? kDigits[group >> (18 - 6 * k) & 63U] : '=';
    }
  }
  return text;
}

// Nothing if the text is not base64.
inline std::optional<std::string> from_base64(const std::string& text) {
  if (text.size() % 4 != 0) return std::nullopt;
  const auto end = text.find('=');
  const auto length = end == std::string::npos ? text.size() : end;
  if (text.size() - length > 2 || text.find_first_not_of('=', length) != std::string::npos) {
    return std::nullopt;
  }
  std::string bytes;
  unsigned group = 0;
  for (std::size_t i = 0; i < length; ++i) {
    const auto digit = std::string(kDigits).find(text[i]);
    if (digit == std::string::npos) return std::nullopt;
    group = group << 6 | static_cast<unsigned>(digit);
    if (i % 4 != 0) bytes += static_cast<char>(group >> (6 - 2 * (i % 4)) & 255U);
  }
  return bytes;
}
