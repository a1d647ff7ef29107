#include "arena/sample.h"

#include <fstream>
#include <stdexcept>

#include "arena/messages.h"

namespace arena {
namespace {

std::shared_ptr<const v1::PlayResponse> read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::invalid_argument(path + ": there is no such file");
  auto response = std::make_shared<v1::PlayResponse>();
  if (!response->ParseFromIstream(&file)) {
    throw std::invalid_argument(path + ": it holds no PlayResponse in binary form");
  }
  return response;
}

}  // namespace

std::unique_ptr<Match> read_match(const std::string& path) {
  const auto response = read(path);
  if (!response->has_match_started()) {
    throw std::invalid_argument(path + ": its message is no match_started");
  }
  return make_match(response->match_started());
}

std::vector<std::unique_ptr<Decision>> read_decisions(const Match& match, const std::string& path) {
  const auto response = read(path);
  if (!response->has_decisions()) {
    throw std::invalid_argument(path + ": its message is no decisions");
  }
  std::vector<std::unique_ptr<Decision>> decisions;
  for (const auto& message : response->decisions().decisions()) {
    decisions.push_back(match.decision({response, &message}));
  }
  return decisions;
}

}  // namespace arena
