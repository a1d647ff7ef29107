/// The gRPC channel to an arena: address, TLS, and how a dead arena is noticed.
#pragma once

#include <grpcpp/channel.h>

#include <memory>

#include "arena/settings.h"

namespace arena {

/// Returns a new channel. Throws UsageError if a certificate cannot be read.
std::shared_ptr<grpc::Channel> open_channel(const Settings& settings);

}  // namespace arena
