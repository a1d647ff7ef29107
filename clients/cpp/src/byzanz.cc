#include "arena/byzanz.h"

#include <algorithm>
#include <stdexcept>

#include "src/convert.h"

namespace arena::byzanz {
namespace {

constexpr const char* kKinds[] = {"unknown", "cloth", "spice",  "wine",
                                  "wood",    "grain", "olives", "trader"};
constexpr const char* kPhases[] = {"unknown", "auction", "give", "take", "limit", "final", "over"};
constexpr const char* kMoveTypes[] = {"unknown", "pass", "bid",     "give",
                                      "take",    "sell", "discard", "done"};

template <class Numbers>
Cards to_cards(const Numbers& numbers) {
  Cards group;
  group.reserve(static_cast<std::size_t>(numbers.size()));
  for (const int number : numbers) group.emplace_back(number);
  return group;
}

Seat to_seat(int number, const v1::ByzanzSeat& message) {
  Seat seat{number,
            static_cast<int>(message.hand_size()),
            static_cast<int>(message.points()),
            message.passed(),
            static_cast<int>(message.offer()),
            static_cast<int>(message.face_down()),
            to_cards(message.laid()),
            to_cards(message.kept()),
            {}};
  for (const auto& known : message.known()) {
    seat.known.push_back({to_cards(known.cards()), static_cast<int>(known.unseen())});
  }
  return seat;
}

Material to_material(const v1::ByzanzMaterial& message) {
  return {std::vector<int>(message.offers().begin(), message.offers().end()),
          static_cast<int>(message.rounds()), static_cast<int>(message.removed())};
}

}  // namespace

std::string to_string(Kind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

std::string to_string(Phase phase) { return kPhases[static_cast<std::size_t>(phase)]; }

std::string to_string(MoveType type) { return kMoveTypes[static_cast<std::size_t>(type)]; }

std::string Card::name() const {
  return value() > 0 ? to_string(kind()) + "-" + std::to_string(value()) : to_string(kind());
}

Cards cards(std::string_view names) {
  Cards group;
  while (!names.empty()) {
    const std::string_view word = names.substr(0, names.find(' '));
    names.remove_prefix(std::min(names.size(), word.size() + 1));
    if (word.empty()) continue;
    int number = 1;
    while (number <= kTrader.number() && Card(number).name() != word) ++number;
    if (number > kTrader.number()) {
      throw std::invalid_argument("there is no card " + std::string(word));
    }
    group.emplace_back(number);
  }
  return group;
}

int value(const Cards& group) {
  int sum = 0;
  for (const Card card : group) sum += card.value();
  return sum;
}

int sale_points(const Cards& group) {
  int best = 0;
  for (const Card card : group) best = std::max(best, card.value());
  return best > 0 ? best : 5;
}

Cards of_kind(const Cards& group, Kind kind) {
  Cards found;
  for (const Card card : group) {
    if (card.kind() == kind) found.push_back(card);
  }
  return found;
}

std::vector<std::pair<Kind, Cards>> by_kind(const Cards& group) {
  std::vector<std::pair<Kind, Cards>> found;
  for (const Card card : group) {
    if (card.kind() == Kind::Unknown) continue;
    auto place = std::find_if(found.begin(), found.end(),
                              [card](const auto& entry) { return entry.first == card.kind(); });
    if (place == found.end()) place = found.insert(place, {card.kind(), {}});
    place->second.push_back(card);
  }
  return found;
}

int Counts::operator[](Card card) const {
  for (const auto& [counted, count] : counts_) {
    if (counted == card) return count;
  }
  return 0;
}

void Counts::add(const Cards& group) {
  for (const Card card : group) {
    auto place = std::find_if(counts_.begin(), counts_.end(),
                              [card](const auto& entry) { return entry.first == card; });
    if (place == counts_.end()) place = counts_.insert(place, {card, 0});
    ++place->second;
  }
}

Cards Counts::elements() const {
  Cards all;
  for (const auto& [card, count] : counts_)
    all.insert(all.end(), static_cast<std::size_t>(count), card);
  return all;
}

int Counts::total() const {
  int sum = 0;
  for (const auto& entry : counts_) sum += entry.second;
  return sum;
}

Counts operator-(Counts from, const Counts& what) {
  for (auto& [card, count] : from.counts_) count -= what[card];
  const auto is_gone = [](const auto& entry) { return entry.second <= 0; };
  from.counts_.erase(std::remove_if(from.counts_.begin(), from.counts_.end(), is_gone),
                     from.counts_.end());
  return from;
}

Move::Move(std::size_t place, const v1::ByzanzMove& message)
    : index(place),
      type(to_enum(message.type(), MoveType::Done)),
      cards(to_cards(message.cards())),
      kind(to_enum(message.kind(), Kind::Trader)) {}

std::string Move::text() const {
  std::string words = to_string(type);
  for (const Card card : cards) words += " " + card.name();
  if (kind != Kind::Unknown) words += " " + to_string(kind);
  return words;
}

Observation::Observation(const v1::ByzanzObservation& message)
    : seat(static_cast<int>(message.seat())),
      phase(to_enum(message.phase(), Phase::Over)),
      round(static_cast<int>(message.round())),
      deck_size(static_cast<int>(message.deck_size())),
      offer(static_cast<int>(message.offer())),
      speaker(static_cast<int>(message.speaker())),
      high(static_cast<int>(message.high())),
      takes(static_cast<int>(message.takes())),
      hand(to_cards(message.hand())),
      own_discards(to_cards(message.own_discards())),
      lot(to_cards(message.lot())),
      market(to_cards(message.market())),
      out(to_cards(message.out())) {
  if (message.has_leader()) leader = static_cast<int>(message.leader());
  if (message.has_first_passer()) first_passer = static_cast<int>(message.first_passer());
  seats.reserve(static_cast<std::size_t>(message.seats_size()));
  for (int i = 0; i < message.seats_size(); ++i) seats.push_back(to_seat(i, message.seats(i)));
}

std::vector<const Seat*> Observation::others() const { return clockwise_from(seats, seat); }

Match::Match(const v1::MatchStarted& message)
    : arena::Match(message), material_(to_material(message.byzanz())) {}

std::unique_ptr<arena::Decision> Match::decision(
    std::shared_ptr<const v1::Decision> message) const {
  return std::make_unique<Decision>(*this, std::move(message));
}

const std::vector<Move>& Decision::legal_moves() const {
  if (moves_.empty()) {
    const auto& messages = message().byzanz().legal_moves();
    moves_.reserve(static_cast<std::size_t>(messages.size()));
    for (const auto& move : messages) moves_.emplace_back(moves_.size(), move);
  }
  return moves_;
}

std::vector<Move> Decision::moves_of(std::initializer_list<MoveType> types) const {
  return of_types(legal_moves(), types);
}

const Observation& Decision::observation() const {
  if (!observation_) observation_.emplace(message().byzanz().observation());
  return *observation_;
}

std::vector<const v1::ByzanzEvent*> Decision::events() const {
  return pointers_to<v1::ByzanzEvent>(message().byzanz().events());
}

std::string Decision::text_of(std::size_t index) const {
  return index < legal_moves().size() ? legal_moves()[index].text()
                                      : arena::Decision::text_of(index);
}

}  // namespace arena::byzanz
