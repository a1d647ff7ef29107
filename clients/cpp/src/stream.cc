#include "src/stream.h"

#include <grpcpp/client_context.h>
#include <grpcpp/support/client_callback.h>

#include <deque>
#include <mutex>
#include <utility>

#include "arena/v1/play.grpc.pb.h"
#include "src/channel.h"

namespace arena {
namespace {

class GrpcStream final : public Stream,
                         private grpc::ClientBidiReactor<v1::PlayRequest, v1::PlayResponse> {
 public:
  GrpcStream(std::shared_ptr<grpc::Channel> channel, Listener& listener)
      : channel_(std::move(channel)),
        stub_(v1::PlayService::NewStub(channel_)),
        listener_(listener) {
    stub_->async()->Play(&context_, this);
    AddHold();  // messages are sent by other threads than those that call back
    StartRead(next_.get());
    StartCall();
  }

  void send(const v1::PlayRequest& message) override {
    const std::lock_guard lock(mutex_);
    if (is_over_ || is_closing_) return;
    unsent_.push_back(message);
    if (unsent_.size() == 1) StartWrite(&unsent_.front());
  }

  void close() override {
    const std::lock_guard lock(mutex_);
    if (is_over_ || is_closing_) return;
    is_closing_ = true;
    if (unsent_.empty()) StartWritesDone();
  }

  void cancel() override { context_.TryCancel(); }

 private:
  void OnReadDone(bool ok) override {
    if (ok) {
      listener_.on_message(std::exchange(next_, std::make_shared<v1::PlayResponse>()));
      StartRead(next_.get());
      return;
    }
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    RemoveHold();
  }

  void OnWriteDone(bool ok) override {
    const std::lock_guard lock(mutex_);
    unsent_.pop_front();
    if (!ok) is_over_ = true;  // reading will tell why
    if (is_over_) return;
    if (!unsent_.empty()) {
      StartWrite(&unsent_.front());
    } else if (is_closing_) {
      StartWritesDone();
    }
  }

  void OnDone(const grpc::Status& status) override {
    listener_.on_end({static_cast<grpc_status_code>(status.error_code()), status.error_message()});
  }

  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::PlayService::Stub> stub_;
  grpc::ClientContext context_;
  Listener& listener_;
  std::shared_ptr<v1::PlayResponse> next_ = std::make_shared<v1::PlayResponse>();

  std::mutex mutex_;                    // guards what follows
  std::deque<v1::PlayRequest> unsent_;  // the first is being written
  bool is_closing_ = false;
  bool is_over_ = false;
};

}  // namespace

std::unique_ptr<Stream> open_stream(const Settings& settings, Stream::Listener& listener) {
  return std::make_unique<GrpcStream>(open_channel(settings), listener);
}

}  // namespace arena
