#include "tests/messages.h"

#include <fstream>
#include <stdexcept>

namespace arena::testing {
namespace {

void add_material(v1::SchwarzmarktMaterial& material) {
  auto& first = *material.add_track();
  first.set_price(1);
  first.set_steps(4);
  material.add_track()->set_price(50);
  auto& offer = *material.add_cards();
  offer.set_name("offer:potatoes-2,butter-2");
  offer.set_copies(1);
  for (const auto good : {v1::SCHWARZMARKT_GOOD_POTATOES, v1::SCHWARZMARKT_GOOD_BUTTER}) {
    offer.add_demand(good);
    offer.add_demand(good);
  }
  auto& debt = *material.add_cards();
  debt.set_name("old_debt");
  debt.set_copies(2);
  debt.set_effect(v1::SCHWARZMARKT_EFFECT_OLD_DEBT);
  auto& foraging = *material.add_cards();
  foraging.set_name("foraging");
  foraging.set_copies(1);
  foraging.set_effect(v1::SCHWARZMARKT_EFFECT_FORAGING);
  material.add_goods(v1::SCHWARZMARKT_GOOD_POTATOES);
  material.add_goods(v1::SCHWARZMARKT_GOOD_FLOUR);
}

}  // namespace

v1::MatchStarted started(const std::string& match_id, const std::string& game) {
  v1::MatchStarted message;
  message.set_match_id(match_id);
  message.set_game(game);
  message.set_options_json(R"({"deck":"uneven"})");
  message.set_seat(1);
  auto& other = *message.add_seats();
  other.set_bot("other");
  other.set_version("2");
  message.add_seats()->set_bot("mine");
  auto& control = *message.mutable_time_control();
  control.mutable_move_time()->set_nanos(500'000'000);
  control.mutable_bank()->set_seconds(10);
  control.set_max_faults(3);
  std::string seed;
  for (char byte = 0; byte < 32; ++byte) seed += byte;
  message.set_bot_seed(seed);
  if (game == "byzanz") message.mutable_byzanz()->set_rounds(8);
  if (game == "schwarzmarkt") add_material(*message.mutable_schwarzmarkt());
  return message;
}

v1::Decision auction(const std::string& match_id, std::uint32_t id) {
  v1::Decision message;
  message.set_match_id(match_id);
  message.set_decision_id(id);
  message.set_legal_count(3);
  message.mutable_bank()->set_seconds(7);
  auto& game = *message.mutable_byzanz();
  auto& seen = *game.mutable_observation();
  seen.set_seat(1);
  seen.set_round(3);
  seen.add_hand(v1::BYZANZ_CARD_SPICE_2);
  seen.add_hand(v1::BYZANZ_CARD_WINE_1);
  seen.add_seats();
  seen.add_seats();
  game.add_legal_moves()->set_type(v1::ByzanzMove::TYPE_PASS);
  auto& low = *game.add_legal_moves();
  low.set_type(v1::ByzanzMove::TYPE_BID);
  low.add_cards(v1::BYZANZ_CARD_WINE_1);
  auto& high = *game.add_legal_moves();
  high.set_type(v1::ByzanzMove::TYPE_BID);
  high.add_cards(v1::BYZANZ_CARD_SPICE_2);
  high.add_cards(v1::BYZANZ_CARD_WINE_1);
  return message;
}

v1::Decision exchange(const std::string& match_id, std::uint32_t id) {
  v1::Decision message;
  message.set_match_id(match_id);
  message.set_decision_id(id);
  message.set_legal_count(2);
  auto& game = *message.mutable_schwarzmarkt();
  auto& seen = *game.mutable_observation();
  seen.set_seat(1);
  seen.set_offer(0);
  seen.add_goods(v1::SCHWARZMARKT_GOOD_POTATOES);
  seen.add_demand(v1::SCHWARZMARKT_GOOD_POTATOES);
  auto& trade = *game.add_legal_moves();
  trade.set_type(v1::SchwarzmarktMove::TYPE_TRADE);
  trade.add_goods(v1::SCHWARZMARKT_GOOD_POTATOES);
  auto& step = *game.add_legal_moves();
  step.set_type(v1::SchwarzmarktMove::TYPE_STEP);
  step.set_spaces(1);
  return message;
}

v1::MatchEnded ended(const std::string& match_id) {
  v1::MatchEnded message;
  message.set_match_id(match_id);
  for (const int score : {3, 9}) message.add_scores(score);
  for (const unsigned rank : {2U, 1U}) message.add_ranks(rank);
  message.add_forfeits(v1::FAULT_TIMEOUT);
  message.add_forfeits(v1::FAULT_UNSPECIFIED);
  return message;
}

v1::PlayResponse golden(const std::string& name) {
  std::ifstream file(std::string(GOLDEN_DIRECTORY) + "/" + name + ".binpb", std::ios::binary);
  v1::PlayResponse response;
  if (!file || !response.ParseFromIstream(&file)) throw std::runtime_error("no message " + name);
  return response;
}

}  // namespace arena::testing
