/// From messages to values. What this version does not know becomes `Unknown`.
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

#include "arena/match.h"
#include "arena/messages.h"

namespace arena {

inline std::chrono::nanoseconds to_duration(const google::protobuf::Duration& duration) {
  return std::chrono::seconds(duration.seconds()) + std::chrono::nanoseconds(duration.nanos());
}

/// Returns an enumerator by its number, if it is one from 0 to `last`; else the one of number 0.
template <class Enum>
Enum to_enum(int number, Enum last) {
  return 0 <= number && number <= static_cast<int>(last) ? static_cast<Enum>(number) : Enum{};
}

inline Fault to_fault(int number) {
  const bool is_known = 1 <= number && number <= static_cast<int>(Fault::OutOfDisk);
  return is_known ? static_cast<Fault>(number) : Fault::Unknown;
}

template <class Messages>
std::vector<SeatFault> to_faults(const Messages& messages) {
  std::vector<SeatFault> faults;
  for (const v1::SeatFault& message : messages) {
    faults.push_back(
        {static_cast<int>(message.seat()), to_fault(message.fault()), message.forfeited()});
  }
  return faults;
}

/// Returns pointers to the seats after the own one, clockwise.
template <class Seat>
std::vector<const Seat*> clockwise_from(const std::vector<Seat>& seats, int own) {
  std::vector<const Seat*> others;
  for (std::size_t i = 1; i < seats.size(); ++i) {
    others.push_back(&seats[(static_cast<std::size_t>(own) + i) % seats.size()]);
  }
  return others;
}

/// Returns the moves of some types, in their order.
template <class Move, class Types>
std::vector<Move> of_types(const std::vector<Move>& moves, const Types& types) {
  std::vector<Move> found;
  for (const Move& move : moves) {
    if (std::find(types.begin(), types.end(), move.type) != types.end()) found.push_back(move);
  }
  return found;
}

/// Returns pointers to events.
template <class Event, class Messages>
std::vector<const Event*> pointers_to(const Messages& messages) {
  std::vector<const Event*> pointers;
  for (const Event& message : messages) pointers.push_back(&message);
  return pointers;
}

}  // namespace arena
