/// What a bot is told about a match: how it starts and how it ended.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arena/rng.h"

namespace google::protobuf {
class Struct;
}  // namespace google::protobuf

namespace arena {

namespace v1 {  // the messages of the protocol: include arena/messages.h to look into them
class Decision;
class MatchEnded;
class MatchStarted;
}  // namespace v1

class Decision;

/// One way for a seat to misbehave. A default move was made for it.
enum class Fault {
  Unknown = -1,  ///< one that this version does not know
  Timeout = 1,
  IllegalMove = 2,
  ProtocolError = 3,
  Flood = 4,
  Crash = 5,
  OutOfMemory = 6,
  Disconnect = 7,
  NoStart = 8,
  OutOfProcesses = 9,
  OutOfDisk = 10,
};

/// Returns a fault as replays write it, such as "illegal_move".
std::string to_string(Fault fault);

/// One misbehaviour of a seat.
struct SeatFault {
  int seat;
  Fault fault;
  bool forfeited;  ///< the seat has lost its right to choose
};

/// Who sits in a seat; empty where names are hidden.
struct SeatInfo {
  std::string bot;
  std::string version;
};

/// A time limit; nothing means that there is none.
using Limit = std::optional<std::chrono::nanoseconds>;

/// One match, as one seat of it knows it from the start.
class Match {
 public:
  explicit Match(const v1::MatchStarted& message);
  virtual ~Match();
  Match(const Match&) = delete;
  Match& operator=(const Match&) = delete;

  /// Names the match.
  const std::string& id() const;
  /// The name of the game, such as "byzanz".
  const std::string& game() const;
  /// The bot's own seat, from 0, clockwise.
  int seat() const;
  /// All who play, by seat.
  const std::vector<SeatInfo>& seats() const { return seats_; }
  /// The game options that differ from the default (include google/protobuf/struct.pb.h).
  const google::protobuf::Struct& options() const;
  /// What is free for every decision.
  Limit move_time() const;
  /// The reserve for the whole match, for decisions that take longer.
  Limit bank() const;
  /// With how many faults a seat forfeits.
  int max_faults() const;
  /// Randomness of this seat in this match: a bot that draws from nothing else plays the same match
  /// the same way again.
  Rng& rng() const { return rng_; }
  /// The message it came in.
  const v1::MatchStarted& message() const { return *message_; }

  /// Returns a question of this match, of the class that fits its game.
  virtual std::unique_ptr<Decision> decision(std::shared_ptr<const v1::Decision> message) const;

 private:
  std::unique_ptr<const v1::MatchStarted> message_;
  std::vector<SeatInfo> seats_;
  mutable std::unique_ptr<google::protobuf::Struct> options_;
  mutable Rng rng_;
};

/// Returns a match for people, such as "<byzanz match m1, seat 0 of 3>".
std::string to_string(const Match& match);

/// Returns a match, of the class that fits its game.
std::unique_ptr<Match> make_match(const v1::MatchStarted& message);

/// How a match ended. Valid while the match and the message are.
class Outcome {
 public:
  Outcome(const Match& match, const v1::MatchEnded& message);

  const Match& match;
  const v1::MatchEnded& message;  ///< with the last events
  std::vector<int> scores;        ///< the points by seat; empty if the match is void
  std::vector<int> ranks;  ///< by seat, 1 is best, equal seats share one; empty if it is void
  std::vector<std::optional<Fault>> forfeits;  ///< by seat; nothing: it played to the end
  std::vector<SeatFault> faults;               ///< since this seat's last decision
  std::string void_reason;                     ///< why the match does not count; empty if it does

  bool is_void() const { return !void_reason.empty(); }
  /// The bot's own points; nothing if the match is void.
  std::optional<int> score() const;
  /// The bot's own rank; nothing if the match is void.
  std::optional<int> rank() const;
};

}  // namespace arena
