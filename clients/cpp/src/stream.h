/// One stream to an arena. Knows gRPC, so that nothing else need.
#pragma once

#include <memory>

#include "arena/settings.h"
#include "src/status.h"

namespace arena {

namespace v1 {
class PlayRequest;
class PlayResponse;
}  // namespace v1

/// A stream of a session. May be used by several threads. Its owner keeps it until on_end(), and
/// then destroys it in a thread of its own: closing a channel waits for the threads of gRPC.
class Stream {
 public:
  /// Who is told what comes over a stream, by threads of gRPC.
  class Listener {
   public:
    virtual void on_message(std::shared_ptr<const v1::PlayResponse> message) = 0;
    /// The last call of a stream.
    virtual void on_end(const Status& status) = 0;

   protected:
    ~Listener() = default;
  };

  virtual ~Stream() = default;
  /// Sends a message after those before it; never waits. Once the stream is over it does nothing.
  virtual void send(const v1::PlayRequest& message) = 0;
  /// Closes the own side after what has been sent.
  virtual void close() = 0;
  /// Ends the stream at once.
  virtual void cancel() = 0;
};

/// Dials an arena over a new channel. Throws UsageError if a certificate cannot be read.
std::unique_ptr<Stream> open_stream(const Settings& settings, Stream::Listener& listener);

}  // namespace arena
