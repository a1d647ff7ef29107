// Matches, decisions, and the cards and moves of both games.

#include <google/protobuf/struct.pb.h>
#include <gtest/gtest.h>

#include <set>

#include "arena/client.h"
#include "tests/messages.h"

namespace arena::testing {
namespace {

using namespace std::chrono_literals;

template <class MoveT>
std::vector<std::string> texts(const std::vector<MoveT>& moves) {
  std::vector<std::string> found;
  for (const auto& move : moves) found.push_back(move.text());
  return found;
}

TEST(Match, TellsHowItStarts) {
  const auto match = make_match(started("m"));
  EXPECT_EQ(match->id(), "m");
  EXPECT_EQ(match->game(), "byzanz");
  EXPECT_EQ(match->seat(), 1);
  EXPECT_EQ(match->max_faults(), 3);
  ASSERT_EQ(match->seats().size(), 2U);
  EXPECT_EQ(match->seats()[0].bot, "other");
  EXPECT_EQ(match->options().fields().at("deck").string_value(), "uneven");
  EXPECT_EQ(match->move_time(), Limit(500ms));
  EXPECT_EQ(match->bank(), Limit(10s));
  EXPECT_EQ(to_string(*match), "<byzanz match m, seat 1 of 2>");
}

TEST(Match, HasNoLimitWhereNoneIsSaid) {
  const auto match = make_match(v1::MatchStarted());
  EXPECT_EQ(match->move_time(), std::nullopt);
  EXPECT_EQ(match->bank(), std::nullopt);
  EXPECT_TRUE(match->options().fields().empty());
}

TEST(Match, IsOfTheClassOfItsGame) {
  EXPECT_NE(dynamic_cast<byzanz::Match*>(make_match(started("m")).get()), nullptr);
  const auto other = make_match(started("m", "schwarzmarkt"));
  EXPECT_NE(dynamic_cast<schwarzmarkt::Match*>(other.get()), nullptr);
}

TEST(Rng, IsTheSameOnEveryMachine) {
  std::string seed;
  for (char byte = 0; byte < 32; ++byte) seed += byte;
  Rng rng(seed);
  EXPECT_EQ(rng(), 0xBC258EF861CB354DU);  // rotl(state[1] * 5, 7) * 9 by hand
  EXPECT_EQ(Rng(seed).below(10), 0xBC258EF861CB354DU % 10);
}

TEST(Rng, UsesAllOfTheSeed) {
  std::set<std::uint64_t> sums;
  for (std::size_t i = 0; i < 33; ++i) {
    std::string seed(32, '\x01');
    if (i < seed.size()) seed[i] = '\x02';
    Rng rng(seed);
    std::uint64_t sum = 0;
    for (int k = 0; k < 8; ++k) sum = sum * 31 + rng();
    sums.insert(sum);
  }
  EXPECT_EQ(sums.size(), 33U);
}

TEST(Rng, ChoosesEachNumberEquallyOften) {
  Rng rng("any seed");
  std::vector<int> counts(6);
  for (int i = 0; i < 6000; ++i) ++counts[rng.below(6)];
  for (const int count : counts) EXPECT_NEAR(count, 1000, 150);
  const double number = rng.uniform();
  EXPECT_TRUE(0 <= number && number < 1);
  EXPECT_NE(Rng("")(), Rng("")() + 1);
  EXPECT_THROW(rng.below(0), std::invalid_argument);
}

TEST(Decision, OfAnUnknownGameIsPlayedByIndex) {
  const auto match = make_match(started("m", "chess"));
  v1::Decision message;
  message.set_decision_id(2);
  message.set_legal_count(3);
  message.mutable_bank()->set_nanos(1);
  const Decision decision(*match, message);
  EXPECT_EQ(texts(decision.legal_moves()), (std::vector<std::string>{"0", "1", "2"}));
  EXPECT_EQ(decision.index_of(decision.legal_moves()[2]), 2U);
  EXPECT_EQ(decision.move_time(), std::nullopt);
  EXPECT_EQ(decision.bank(), Limit(1ns));
}

TEST(Decision, TakesAMoveOfAnEarlierDecisionIfItIsLegal) {
  const byzanz::Match match(started("m"));
  const byzanz::Decision before(match, auction("m", 1));
  v1::Decision message = auction("m", 2);
  message.mutable_byzanz()->mutable_legal_moves()->DeleteSubrange(1, 1);
  message.set_legal_count(2);
  const byzanz::Decision now(match, message);
  EXPECT_EQ(now.index_of(before.legal_moves()[2]), 1U);
  EXPECT_THROW(now.index_of(before.legal_moves()[1]), IllegalChoice);
}

TEST(Decision, ListsTheLegalMovesInARefusal) {
  const byzanz::Match match(started("m"));
  const byzanz::Decision decision(match, auction("m", 5));
  try {
    decision.index_of(-1);
    FAIL() << "-1 is no legal move";
  } catch (const IllegalChoice& error) {
    EXPECT_STREQ(error.what(),
                 "decide() returned -1, which is not one of the 3 legal moves:\n"
                 "  0: pass\n"
                 "  1: bid wine-1\n"
                 "  2: bid spice-2 wine-1\n"
                 "(decision 5 of <byzanz match m, seat 1 of 2>; return a legal move or its index)");
  }
  EXPECT_THROW(decision.index_of(3), IllegalChoice);
  EXPECT_THROW(decision.index_of(~0ULL), IllegalChoice);
}

TEST(Decision, ListsNoMoreThanFortyMoves) {
  const auto match = make_match(started("m", "chess"));
  v1::Decision message;
  message.set_legal_count(42);
  try {
    Decision(*match, message).index_of(42);
    FAIL() << "42 is no legal move";
  } catch (const IllegalChoice& error) {
    EXPECT_NE(std::string(error.what()).find("\n  39: 39\n  ... and 2 more\n"), std::string::npos);
  }
}

TEST(Decision, HasMoreLegalMovesThanItsGameShows) {
  const byzanz::Match match(started("m"));
  v1::Decision message = auction("m", 1);
  message.set_legal_count(5);
  const byzanz::Decision decision(match, message);
  EXPECT_EQ(decision.index_of(4), 4U);
  EXPECT_EQ(static_cast<const Decision&>(decision).legal_moves()[4].text(), "4");
}

TEST(Outcome, TellsScoresRanksAndForfeits) {
  const auto match = make_match(started("m"));
  const v1::MatchEnded message = ended("m");
  const Outcome outcome(*match, message);
  EXPECT_EQ(outcome.score(), 9);
  EXPECT_EQ(outcome.rank(), 1);
  EXPECT_EQ(outcome.forfeits, (std::vector<std::optional<Fault>>{Fault::Timeout, std::nullopt}));
  EXPECT_FALSE(outcome.is_void());
}

TEST(Outcome, OfAVoidMatchHasNoScore) {
  const auto match = make_match(started("m"));
  v1::MatchEnded message;
  message.set_void_reason("the power went");
  message.add_forfeits(static_cast<v1::Fault>(77));
  const Outcome outcome(*match, message);
  EXPECT_TRUE(outcome.is_void());
  EXPECT_EQ(outcome.score(), std::nullopt);
  EXPECT_EQ(outcome.rank(), std::nullopt);
  EXPECT_EQ(outcome.forfeits[0], Fault::Unknown);
}

TEST(Byzanz, NumbersCardsAsTheProtocol) {
  EXPECT_EQ(byzanz::Card(1).name(), "cloth-1");
  EXPECT_EQ(byzanz::Card(24).name(), "olives-4");
  EXPECT_EQ(byzanz::kTrader.name(), "trader");
  EXPECT_EQ(byzanz::kTrader.kind(), byzanz::Kind::Trader);
  EXPECT_EQ(byzanz::kTrader.value(), 0);
  const byzanz::Card wine = byzanz::cards("wine-3").at(0);
  EXPECT_EQ(wine.number(), 11);
  EXPECT_EQ(wine.kind(), byzanz::Kind::Wine);
  EXPECT_EQ(wine.value(), 3);
  EXPECT_THROW(byzanz::cards("wine-5"), std::invalid_argument);
}

TEST(Byzanz, TakesAnUnknownCardForOneNotSeen) {
  for (const int number : {-1, 0, 26, 99}) {
    EXPECT_EQ(byzanz::Card(number).number(), 0);
    EXPECT_EQ(byzanz::Card(number).kind(), byzanz::Kind::Unknown);
    EXPECT_EQ(byzanz::Card(number).name(), "unknown");
  }
}

TEST(Byzanz, CountsAndValuesGroups) {
  const auto group = byzanz::cards("cloth-1 cloth-4  trader");
  EXPECT_EQ(byzanz::value(group), 5);
  EXPECT_EQ(byzanz::sale_points(group), 4);
  EXPECT_EQ(byzanz::sale_points(byzanz::cards("trader trader trader")), 5);
  EXPECT_EQ(byzanz::of_kind(group, byzanz::Kind::Cloth), byzanz::cards("cloth-1 cloth-4"));
  const auto kinds = byzanz::by_kind(byzanz::cards("wine-1 cloth-4 wine-2"));
  ASSERT_EQ(kinds.size(), 2U);
  EXPECT_EQ(kinds[0].first, byzanz::Kind::Wine);
  EXPECT_EQ(kinds[0].second, byzanz::cards("wine-1 wine-2"));
  const auto left = byzanz::counts(group, group) - byzanz::counts(byzanz::cards("cloth-1 wine-1"));
  EXPECT_EQ(left[byzanz::Card(1)], 1);
  EXPECT_EQ(left.total(), 5);
  EXPECT_EQ((left - left).total(), 0);
  EXPECT_EQ(left.elements(), byzanz::cards("cloth-1 cloth-4 cloth-4 trader trader"));
}

TEST(Byzanz, WritesMovesAsTheRules) {
  const struct {
    v1::ByzanzMove::Type type;
    std::vector<int> cards;
    int kind;
    std::string text;
  } kCases[] = {
      {v1::ByzanzMove::TYPE_PASS, {}, 0, "pass"},
      {v1::ByzanzMove::TYPE_BID, {6, 9}, 0, "bid spice-2 wine-1"},
      {v1::ByzanzMove::TYPE_GIVE, {13}, 0, "give wood-1"},
      {v1::ByzanzMove::TYPE_TAKE, {}, 4, "take wood"},
      {v1::ByzanzMove::TYPE_TAKE, {}, 7, "take trader"},
      {v1::ByzanzMove::TYPE_SELL, {1, 4, 25}, 0, "sell cloth-1 cloth-4 trader"},
      {v1::ByzanzMove::TYPE_DISCARD, {17}, 0, "discard grain-1"},
      {v1::ByzanzMove::TYPE_DONE, {}, 0, "done"},
      {static_cast<v1::ByzanzMove::Type>(99), {99}, 0, "unknown unknown"},
  };
  for (const auto& expected : kCases) {
    v1::ByzanzMove message;
    message.set_type(expected.type);
    for (const int card : expected.cards) message.add_cards(static_cast<v1::ByzanzCard>(card));
    message.set_kind(static_cast<v1::ByzanzKind>(expected.kind));
    EXPECT_EQ(byzanz::Move(0, message).text(), expected.text);
  }
}

TEST(Byzanz, ShowsMovesAndTable) {
  const byzanz::Match match(started("m"));
  const byzanz::Decision decision(match, auction("m", 1));
  const auto bids = decision.moves_of({byzanz::MoveType::Bid});
  ASSERT_EQ(bids.size(), 2U);
  EXPECT_EQ(bids[1].index, 2U);
  EXPECT_EQ(bids[1].value(), 3);
  const auto& seen = decision.observation();
  EXPECT_EQ(&seen, &decision.observation());
  EXPECT_EQ(seen.hand, byzanz::cards("spice-2 wine-1"));
  EXPECT_EQ(seen.leader, std::nullopt);
  EXPECT_EQ(seen.own().number, 1);
  ASSERT_EQ(seen.others().size(), 1U);
  EXPECT_EQ(seen.others()[0]->number, 0);
  EXPECT_EQ(decision.rounds_left(), 5);
  EXPECT_TRUE(decision.events().empty());
}

TEST(Byzanz, SurvivesAMessageWithoutAnything) {
  const byzanz::Match match(started("m", "byzanz"));
  const byzanz::Decision decision(match, v1::Decision());
  EXPECT_TRUE(decision.legal_moves().empty());
  EXPECT_TRUE(decision.observation().seats.empty());
  EXPECT_TRUE(decision.observation().others().empty());
}

v1::SchwarzmarktMove schwarzmarkt_move(v1::SchwarzmarktMove::Type type, int card, int target,
                                       const std::vector<int>& goods, unsigned spaces) {
  v1::SchwarzmarktMove message;
  message.set_type(type);
  if (card >= 0) message.set_card(static_cast<unsigned>(card));
  if (target >= 0) message.set_target(static_cast<unsigned>(target));
  for (const int good : goods) message.add_goods(static_cast<v1::SchwarzmarktGood>(good));
  message.set_spaces(spaces);
  return message;
}

TEST(Schwarzmarkt, WritesMovesAsTheRules) {
  using Type = v1::SchwarzmarktMove;
  const schwarzmarkt::Match match(started("m", "schwarzmarkt"));
  const std::pair<v1::SchwarzmarktMove, std::string> kCases[] = {
      {schwarzmarkt_move(Type::TYPE_PLAY, 0, -1, {}, 0), "play offer:potatoes-2,butter-2"},
      {schwarzmarkt_move(Type::TYPE_PLAY, 1, 0, {}, 0), "play old_debt 0"},
      {schwarzmarkt_move(Type::TYPE_PLAY, 2, -1, {3, 5}, 0), "play foraging sugar flour"},
      {schwarzmarkt_move(Type::TYPE_FIND, -1, -1, {1}, 0), "find potatoes"},
      {schwarzmarkt_move(Type::TYPE_BURY, 1, -1, {}, 0), "bury old_debt"},
      {schwarzmarkt_move(Type::TYPE_TRADE, -1, -1, {1, 2}, 0), "trade potatoes butter"},
      {schwarzmarkt_move(Type::TYPE_STEP, -1, -1, {}, 4), "step 4"},
      {schwarzmarkt_move(Type::TYPE_HOLD, -1, -1, {}, 0), "hold"},
      {schwarzmarkt_move(Type::TYPE_RETURN, -1, -1, {4}, 0), "return coffee"},
      {schwarzmarkt_move(static_cast<Type::Type>(99), 99, -1, {99}, 0), "unknown unknown unknown"},
  };
  for (const auto& [message, text] : kCases) {
    EXPECT_EQ(schwarzmarkt::Move(0, message, match.material()).text(), text);
  }
}

TEST(Schwarzmarkt, ShowsOfferPriceAndSeats) {
  const schwarzmarkt::Match match(started("m", "schwarzmarkt"));
  v1::Decision message = exchange("m", 1);
  auto& given = *message.mutable_schwarzmarkt()->mutable_observation();
  given.set_marker(1);
  given.add_goods(v1::SCHWARZMARKT_GOOD_POTATOES);
  given.add_cards(1);
  given.add_cards(99);
  given.add_open_cards()->set_card(2);
  given.add_seats()->set_luxury(7);
  auto& own = *given.add_seats();
  own.set_luxury(9);
  own.add_known()->add_goods(v1::SCHWARZMARKT_GOOD_SUGAR);

  const schwarzmarkt::Decision decision(match, message);
  const auto& seen = decision.observation();
  ASSERT_NE(seen.offer, nullptr);
  EXPECT_TRUE(seen.offer->is_offer());
  EXPECT_EQ(seen.price, 50);
  EXPECT_EQ(schwarzmarkt::wanted(seen.goods, seen.demand), 1);
  EXPECT_EQ(schwarzmarkt::wanted(seen.goods, seen.offer->demand), 2);
  EXPECT_EQ(seen.cards[0]->effect, schwarzmarkt::Effect::OldDebt);
  EXPECT_EQ(seen.cards[1]->name, "unknown");
  EXPECT_EQ(seen.open_cards[0].card->name, "foraging");
  EXPECT_EQ(seen.open_cards[0].target, std::nullopt);
  EXPECT_EQ(seen.own().luxury, 9);
  EXPECT_EQ(seen.own().known[0].goods, schwarzmarkt::Goods{schwarzmarkt::Good::Sugar});
  EXPECT_EQ(seen.others()[0]->luxury, 7);
  EXPECT_EQ(seen.resolving, nullptr);
}

TEST(Schwarzmarkt, HasTheMaterialThatIsPrinted) {
  const schwarzmarkt::Match match(started("m", "schwarzmarkt"));
  EXPECT_EQ(match.material().prices, (std::vector<int>{1, 50}));
  EXPECT_EQ(match.material().steps, (std::vector<int>{4, 0}));
  EXPECT_EQ(match.material().last_space(), 1);
  EXPECT_EQ(match.material().goods.back(), schwarzmarkt::Good::Flour);
}

TEST(Schwarzmarkt, SurvivesAMessageWithoutAnything) {
  v1::MatchStarted message;
  message.set_game("schwarzmarkt");
  const schwarzmarkt::Match match(message);
  const schwarzmarkt::Decision decision(match, v1::Decision());
  EXPECT_EQ(decision.observation().price, 0);
  EXPECT_EQ(match.material().last_space(), -1);
}

TEST(MakeBot, RefusesAnotherGame) {
  class Mine : public ByzanzBot {
    Choice decide(byzanz::Decision&) override { return 0; }
  };
  const auto match = make_match(started("m"));
  EXPECT_EQ(&make_bot<Mine>(*match)->match(), match.get());
  EXPECT_THROW(make_bot<Mine>(*make_match(started("m", "chess"))), std::invalid_argument);
}

TEST(MakeBot, GivesTheMatchToAConstructorThatWantsIt) {
  class Mine : public ByzanzBot {
   public:
    explicit Mine(const byzanz::Match& match) : rounds(match.material().rounds) {
      EXPECT_THROW(this->match(), std::logic_error);
    }
    Choice decide(byzanz::Decision&) override { return 0; }
    int rounds;
  };
  EXPECT_EQ(make_bot<Mine>(*make_match(started("m")))->rounds, 8);
}

}  // namespace
}  // namespace arena::testing
