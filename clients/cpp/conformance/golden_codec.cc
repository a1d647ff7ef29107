// Between binary and JSON form, line by line, for the tests of clients/conformance.

#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

#include "arena/messages.h"
#include "conformance/base64.h"

namespace util = google::protobuf::util;

std::unique_ptr<google::protobuf::Message> make_message(const std::string& type) {
  if (type == "PlayRequest") return std::make_unique<arena::v1::PlayRequest>();
  if (type == "PlayResponse") return std::make_unique<arena::v1::PlayResponse>();
  throw std::invalid_argument("there is no message " + type);
}

std::string to_json(google::protobuf::Message& message, const std::string& base64) {
  const auto bytes = from_base64(base64);
  if (!bytes || !message.ParseFromString(*bytes)) throw std::invalid_argument("no such message");
  std::string json;
  const auto status = util::MessageToJsonString(message, &json);
  if (!status.ok()) throw std::invalid_argument(status.ToString());
  return json;
}

std::string to_binary(google::protobuf::Message& message, const std::string& json) {
  const auto status = util::JsonStringToMessage(json, &message);
  if (!status.ok()) throw std::invalid_argument(status.ToString());
  return to_base64(message.SerializeAsString());
}

// Returns a message in its other form.
std::string answer(const std::string& line) {
  const auto first = line.find(' ');
  const auto second = line.find(' ', first + 1);
  if (first == std::string::npos || second == std::string::npos) {
    throw std::invalid_argument("a line is FORM TYPE CONTENT");
  }
  const auto message = make_message(line.substr(first + 1, second - first - 1));
  const std::string form = line.substr(0, first);
  if (form == "binary") return to_json(*message, line.substr(second + 1));
  if (form == "json") return to_binary(*message, line.substr(second + 1));
  throw std::invalid_argument("there is no form " + form);
}

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::string answered;
    try {
      answered = answer(line);
    } catch (const std::exception& error) {
      answered = std::string("error ") + error.what();
      std::replace(answered.begin(), answered.end(), '\n', ' ');
    }
    std::cout << answered << std::endl;
  }
}
