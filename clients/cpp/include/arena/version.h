#pragma once

namespace arena {

/// The version of this library.
inline constexpr const char* kVersion = "0.1.0";

}  // namespace arena
