#include "arena/schwarzmarkt.h"

#include <algorithm>

#include "src/convert.h"

namespace arena::schwarzmarkt {
namespace {

constexpr const char* kGoods[] = {"unknown", "potatoes", "butter", "sugar", "coffee", "flour"};
constexpr const char* kEffects[] = {"unknown",  "old_debt",   "new_goods", "scarce_goods",
                                    "foraging", "protection", "raid",      "slow_trade"};
constexpr const char* kPhases[] = {"unknown", "play", "find", "exchange", "return", "over"};
constexpr const char* kMoveTypes[] = {"unknown", "play", "find", "bury",
                                      "trade",   "step", "hold", "return"};

template <class Numbers>
Goods to_goods(const Numbers& numbers) {
  Goods goods;
  goods.reserve(static_cast<std::size_t>(numbers.size()));
  for (const int number : numbers) goods.push_back(to_enum(number, Good::Flour));
  return goods;
}

template <class Numbers>
std::vector<const Card*> to_cards(const Numbers& numbers, const Material& material) {
  std::vector<const Card*> cards;
  cards.reserve(static_cast<std::size_t>(numbers.size()));
  for (const auto number : numbers) cards.push_back(&material.card(number));
  return cards;
}

template <class Messages>
std::vector<Known> to_known(const Messages& messages) {
  std::vector<Known> known;
  for (const v1::SchwarzmarktKnown& message : messages) {
    known.push_back({to_goods(message.goods()), static_cast<int>(message.unseen())});
  }
  return known;
}

Card to_card(int number, const v1::SchwarzmarktCard& message) {
  Card card;
  card.number = number;
  card.name = message.name();
  card.copies = static_cast<int>(message.copies());
  card.demand = to_goods(message.demand());
  const Effect effect = to_enum(message.effect(), Effect::SlowTrade);
  if (effect != Effect{}) card.effect = effect;
  return card;
}

}  // namespace

std::string to_string(Good good) { return kGoods[static_cast<std::size_t>(good)]; }

std::string to_string(Effect effect) { return kEffects[static_cast<std::size_t>(effect)]; }

std::string to_string(Phase phase) { return kPhases[static_cast<std::size_t>(phase)]; }

std::string to_string(MoveType type) { return kMoveTypes[static_cast<std::size_t>(type)]; }

int wanted(const Goods& held, const Goods& demand) {
  Goods open = demand;
  for (const Good good : held) {
    const auto place = std::find(open.begin(), open.end(), good);
    if (place != open.end()) open.erase(place);
  }
  return static_cast<int>(demand.size() - open.size());
}

Material::Material(const v1::SchwarzmarktMaterial& message) : goods(to_goods(message.goods())) {
  for (const auto& space : message.track()) {
    prices.push_back(static_cast<int>(space.price()));
    steps.push_back(static_cast<int>(space.steps()));
  }
  for (const auto& card : message.cards()) {
    cards.push_back(to_card(static_cast<int>(cards.size()), card));
  }
}

const Card& Material::card(std::size_t number) const {
  static const Card unknown;
  return number < cards.size() ? cards[number] : unknown;
}

Move::Move(std::size_t place, const v1::SchwarzmarktMove& message, const Material& material)
    : index(place),
      type(to_enum(message.type(), MoveType::Return)),
      card(message.has_card() ? &material.card(message.card()) : nullptr),
      goods(to_goods(message.goods())),
      spaces(static_cast<int>(message.spaces())) {
  if (message.has_target()) target = static_cast<int>(message.target());
}

std::string Move::text() const {
  std::string words = to_string(type);
  if (card != nullptr) words += " " + card->name;
  if (target) words += " " + std::to_string(*target);
  for (const Good good : goods) words += " " + to_string(good);
  if (spaces != 0) words += " " + std::to_string(spaces);
  return words;
}

Observation::Observation(const v1::SchwarzmarktObservation& message, const Material& material)
    : seat(static_cast<int>(message.seat())),
      phase(to_enum(message.phase(), Phase::Over)),
      game_round(static_cast<int>(message.game_round())),
      start(static_cast<int>(message.start())),
      marker(static_cast<int>(message.marker())),
      price(message.marker() < material.prices.size() ? material.prices[message.marker()] : 0),
      offer(message.has_offer() ? &material.card(message.offer()) : nullptr),
      resolving(message.has_resolving() ? &material.card(message.resolving()) : nullptr),
      goods(to_goods(message.goods())),
      cards(to_cards(message.cards(), material)),
      demand(to_goods(message.demand())),
      traded(to_goods(message.traded())),
      goods_pile_size(static_cast<int>(message.goods_pile_size())),
      black_market_pile_size(static_cast<int>(message.black_market_pile_size())),
      pile_known(to_known(message.pile_known())),
      seen_cards(to_cards(message.seen_cards(), material)),
      cards_dealt_with(static_cast<int>(message.cards_dealt_with())),
      idle_rounds(static_cast<int>(message.idle_rounds())) {
  for (const auto& open : message.open_cards()) {
    open_cards.push_back({&material.card(open.card()), {}});
    if (open.has_target()) open_cards.back().target = static_cast<int>(open.target());
  }
  for (const auto& known : message.seats()) {
    seats.push_back({static_cast<int>(seats.size()), static_cast<int>(known.hand_size()),
                     static_cast<int>(known.luxury()), known.has_traded(),
                     to_known(known.known())});
  }
}

std::vector<const Seat*> Observation::others() const { return clockwise_from(seats, seat); }

Match::Match(const v1::MatchStarted& message)
    : arena::Match(message), material_(message.schwarzmarkt()) {}

std::unique_ptr<arena::Decision> Match::decision(
    std::shared_ptr<const v1::Decision> message) const {
  return std::make_unique<Decision>(*this, std::move(message));
}

const std::vector<Move>& Decision::legal_moves() const {
  if (moves_.empty()) {
    const auto& messages = message().schwarzmarkt().legal_moves();
    moves_.reserve(static_cast<std::size_t>(messages.size()));
    for (const auto& move : messages) moves_.emplace_back(moves_.size(), move, match().material());
  }
  return moves_;
}

std::vector<Move> Decision::moves_of(std::initializer_list<MoveType> types) const {
  return of_types(legal_moves(), types);
}

const Observation& Decision::observation() const {
  if (!observation_) {
    observation_.emplace(message().schwarzmarkt().observation(), match().material());
  }
  return *observation_;
}

std::vector<const v1::SchwarzmarktEvent*> Decision::events() const {
  return pointers_to<v1::SchwarzmarktEvent>(message().schwarzmarkt().events());
}

std::string Decision::text_of(std::size_t index) const {
  return index < legal_moves().size() ? legal_moves()[index].text()
                                      : arena::Decision::text_of(index);
}

}  // namespace arena::schwarzmarkt
