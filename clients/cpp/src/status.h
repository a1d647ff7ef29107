/// How a stream ended.
#pragma once

#include <grpc/status.h>

#include <string>

namespace arena {

struct Status {
  grpc_status_code code = GRPC_STATUS_OK;
  std::string details;
};

}  // namespace arena
