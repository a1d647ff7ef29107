#include "src/channel.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "arena/errors.h"

namespace arena {
namespace {

struct Option {
  const char* name;
  int value;
};

constexpr Option kOptions[] = {
    // Without these a dead host is noticed after many minutes, a stopped one never.
    {"grpc.keepalive_time_ms", 10'000},
    {"grpc.keepalive_timeout_ms", 5'000},
    {"grpc.http2.ping_timeout_ms", 5'000},
    {"grpc.keepalive_permit_without_calls", 1},
    {"grpc.http2.max_pings_without_data", 0},
    // Each attempt dials at once: the pauses between them are the session's business.
    {"grpc.use_local_subchannel_pool", 1},
    {"grpc.min_reconnect_backoff_ms", 5'000},
    {"grpc.enable_retries", 0},
    // A batch has no upper size; the arena is trusted not to send nonsense.
    {"grpc.max_receive_message_length", -1},
    {"grpc.max_send_message_length", -1},
};

bool is_loopback(const std::string& address) {
  for (const char* begin : {"unix:", "localhost:", "127.", "[::1]:"}) {
    if (address.rfind(begin, 0) == 0) return true;
  }
  return false;
}

std::string content_of(const std::string& path) {
  if (path.empty()) return {};
  std::ifstream file(path, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(file), {}};
  if (!file || content.empty()) {
    throw UsageError("cannot read a certificate: " + path + ": " +
                     (file ? "it is empty" : std::strerror(errno)));
  }
  return content;
}

}  // namespace

std::shared_ptr<grpc::Channel> open_channel(const Settings& settings) {
  grpc::ChannelArguments arguments;
  for (const Option& option : kOptions) arguments.SetInt(option.name, option.value);
  if (is_loopback(settings.address)) {
    arguments.SetInt("grpc.enable_http_proxy", 0);  // a proxy would look on its own machine
  }
  auto credentials = grpc::InsecureChannelCredentials();
  if (settings.tls) {
    credentials = grpc::SslCredentials({content_of(settings.ca_file), content_of(settings.key_file),
                                        content_of(settings.cert_file)});
  }
  return grpc::CreateCustomChannel(settings.address, credentials, arguments);
}

}  // namespace arena
