package arena_test

import (
	"reflect"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	arena "arena-bots"
	"arena-bots/byzanz"
	"arena-bots/schwarzmarkt"
	v1 "arena-bots/v1"
)

func TestByzanzCardsHaveKindValueAndName(t *testing.T) {
	for number := byzanz.Card(1); number <= byzanz.Trader; number++ {
		if got := byzanz.Cards(number.Name()); !slices.Equal(got, []byzanz.Card{number}) {
			t.Errorf("%s is %v", number.Name(), got)
		}
	}
	wine := byzanz.Cards("wine-3")[0]
	if wine.Kind() != byzanz.KindWine || wine.Value() != 3 || wine.Number() != 11 {
		t.Errorf("wine-3 is %d of %v", wine.Value(), wine.Kind())
	}
	if byzanz.Trader.Kind() != byzanz.KindTrader || byzanz.Trader.Value() != 0 || byzanz.Trader.Name() != "trader" {
		t.Errorf("a trader is %v", byzanz.Trader.Kind())
	}
	if got := byzanz.Card(99); got.Name() != "unknown" || got.Kind() != byzanz.KindUnknown || got.Value() != 0 {
		t.Errorf("card 99 is %v", got)
	}
}

func TestACardThatIsNoneIsAnError(t *testing.T) {
	defer func() {
		if got := recover(); got != `there is no card "wine-5"` {
			t.Error(got)
		}
	}()
	byzanz.Cards("wine-1 wine-5")
}

func TestByzanzGroupsAreCountedAndValued(t *testing.T) {
	group := byzanz.Cards("cloth-1 cloth-4 trader")
	traders := byzanz.Cards("trader trader trader")
	if byzanz.Value(group) != 5 || byzanz.SalePoints(group) != 4 || byzanz.SalePoints(traders) != 5 {
		t.Error("a group is not worth what it should")
	}
	if got := byzanz.OfKind(group, byzanz.KindCloth); !slices.Equal(got, group[:2]) {
		t.Errorf("cloth is %v", got)
	}
	want := []byzanz.Group{
		{Kind: byzanz.KindWine, Cards: byzanz.Cards("wine-1 wine-2")},
		{Kind: byzanz.KindCloth, Cards: group[:1]},
	}
	if got := byzanz.ByKind(append(byzanz.Cards("wine-1 cloth-1 wine-2"), byzanz.Unknown)); !reflect.DeepEqual(got, want) {
		t.Errorf("by kind: %v", got)
	}
	left := byzanz.Without(slices.Concat(group, group), byzanz.Cards("cloth-1 wine-1"))
	if got := byzanz.Counts(left); len(left) != 5 || got[group[0]] != 1 || got[group[1]] != 2 {
		t.Errorf("left are %v", left)
	}
}

// byzanzDecision returns a decision with these legal moves.
func byzanzDecision(seen *v1.ByzanzObservation, moves ...*v1.ByzanzMove) *byzanz.Decision {
	match := byzanz.NewMatch(&v1.MatchStarted{Game: byzanz.Game, Material: &v1.MatchStarted_Byzanz{
		Byzanz: &v1.ByzanzMaterial{Offers: []uint32{4, 3}, Rounds: 5, Removed: 2},
	}})
	return byzanz.NewDecision(match, &v1.Decision{LegalCount: uint32(len(moves)), Game: &v1.Decision_Byzanz{
		Byzanz: &v1.ByzanzDecision{Observation: seen, LegalMoves: moves},
	}})
}

func TestByzanzMovesReadAsInTheRules(t *testing.T) {
	for text, move := range map[string]*v1.ByzanzMove{
		"pass":                        {Type: v1.ByzanzMove_TYPE_PASS},
		"bid spice-2 wine-1":          {Type: v1.ByzanzMove_TYPE_BID, Cards: []v1.ByzanzCard{6, 9}},
		"give wood-1":                 {Type: v1.ByzanzMove_TYPE_GIVE, Cards: []v1.ByzanzCard{13}},
		"take wood":                   {Type: v1.ByzanzMove_TYPE_TAKE, Kind: v1.ByzanzKind_BYZANZ_KIND_WOOD},
		"take trader":                 {Type: v1.ByzanzMove_TYPE_TAKE, Kind: v1.ByzanzKind_BYZANZ_KIND_TRADER},
		"sell cloth-1 cloth-4 trader": {Type: v1.ByzanzMove_TYPE_SELL, Cards: []v1.ByzanzCard{1, 4, 25}},
		"discard grain-1":             {Type: v1.ByzanzMove_TYPE_DISCARD, Cards: []v1.ByzanzCard{17}},
		"done":                        {Type: v1.ByzanzMove_TYPE_DONE},
		"unknown unknown unknown":     {Type: 77, Cards: []v1.ByzanzCard{99}, Kind: 88},
	} {
		got := byzanzDecision(nil, move).LegalMoves()[0]
		if got.Text() != text || got.Type.String() != text[:len(got.Type.String())] {
			t.Errorf("%q reads %q", text, got)
		}
	}
}

func TestAByzanzDecisionShowsMovesAndTable(t *testing.T) {
	decision := byzanzDecision(
		&v1.ByzanzObservation{
			Seat: proto.Uint32(1), Phase: v1.ByzanzPhase_BYZANZ_PHASE_AUCTION, Round: 2,
			Hand: []v1.ByzanzCard{6, 9, 99}, Leader: proto.Uint32(0),
			Seats: []*v1.ByzanzSeat{
				{Points: 7}, {Points: 9, Known: []*v1.ByzanzKnown{{Cards: []v1.ByzanzCard{25}, Unseen: 1}}}, {},
			},
		},
		&v1.ByzanzMove{Type: v1.ByzanzMove_TYPE_PASS},
		&v1.ByzanzMove{Type: v1.ByzanzMove_TYPE_BID, Cards: []v1.ByzanzCard{6, 9}},
	)
	if bids := decision.MovesOf(byzanz.MoveBid); len(bids) != 1 || bids[0].Index() != 1 || bids[0].Value() != 3 {
		t.Errorf("bids are %v", bids)
	}
	seen := decision.Observation()
	if want := append(byzanz.Cards("spice-2 wine-1"), byzanz.Unknown); !slices.Equal(seen.Hand, want) {
		t.Errorf("the hand is %v", seen.Hand)
	}
	if seen.Phase != byzanz.PhaseAuction || seen.Leader != 0 || seen.FirstPasser != arena.NoSeat {
		t.Errorf("the observation is %+v", seen)
	}
	if got := decision.RoundsLeft(); got != 3 {
		t.Errorf("%d rounds are left", got)
	}
	if own, others := seen.Own(), seen.Others(); own.Points != 9 || own.Known[0].Unseen != 1 ||
		len(others) != 2 || others[0].Number != 2 || others[1].Number != 0 {
		t.Errorf("own %+v, others %+v", own, others)
	}
	if index, err := decision.IndexOf(decision.LegalMoves()[1]); index != 1 || err != nil {
		t.Errorf("index %d, error %v", index, err)
	}
	if got := decision.Match.Material; got.Rounds != 5 || !slices.Equal(got.Offers, []int{4, 3}) {
		t.Errorf("the material is %+v", got)
	}
}

// market is a small material of Schwarzmarkt.
var market = &v1.SchwarzmarktMaterial{
	Track: []*v1.SchwarzmarktSpace{{Price: 1, Steps: 4}, {Price: 50}},
	Cards: []*v1.SchwarzmarktCard{
		{Name: "offer:potatoes-2,butter-2", Copies: 1, Demand: []v1.SchwarzmarktGood{1, 1, 2, 2}},
		{Name: "old_debt", Copies: 2, Effect: v1.SchwarzmarktEffect_SCHWARZMARKT_EFFECT_OLD_DEBT},
		{Name: "foraging", Copies: 1, Effect: 77},
	},
	Goods: []v1.SchwarzmarktGood{1, 5, 99},
}

func schwarzmarktDecision(seen *v1.SchwarzmarktObservation, moves ...*v1.SchwarzmarktMove) *schwarzmarkt.Decision {
	match := schwarzmarkt.NewMatch(&v1.MatchStarted{Material: &v1.MatchStarted_Schwarzmarkt{Schwarzmarkt: market}})
	return schwarzmarkt.NewDecision(match, &v1.Decision{LegalCount: uint32(len(moves)), Game: &v1.Decision_Schwarzmarkt{
		Schwarzmarkt: &v1.SchwarzmarktDecision{Observation: seen, LegalMoves: moves},
	}})
}

func TestSchwarzmarktMovesReadAsInTheRules(t *testing.T) {
	for text, move := range map[string]*v1.SchwarzmarktMove{
		"play offer:potatoes-2,butter-2": {Type: v1.SchwarzmarktMove_TYPE_PLAY, Card: proto.Uint32(0)},
		"play old_debt 0":                {Type: v1.SchwarzmarktMove_TYPE_PLAY, Card: proto.Uint32(1), Target: proto.Uint32(0)},
		"play foraging sugar flour":      {Type: v1.SchwarzmarktMove_TYPE_PLAY, Card: proto.Uint32(2), Goods: []v1.SchwarzmarktGood{3, 5}},
		"find potatoes":                  {Type: v1.SchwarzmarktMove_TYPE_FIND, Goods: []v1.SchwarzmarktGood{1}},
		"bury old_debt":                  {Type: v1.SchwarzmarktMove_TYPE_BURY, Card: proto.Uint32(1)},
		"trade potatoes butter":          {Type: v1.SchwarzmarktMove_TYPE_TRADE, Goods: []v1.SchwarzmarktGood{1, 2}},
		"step 4":                         {Type: v1.SchwarzmarktMove_TYPE_STEP, Spaces: 4},
		"hold":                           {Type: v1.SchwarzmarktMove_TYPE_HOLD},
		"return coffee":                  {Type: v1.SchwarzmarktMove_TYPE_RETURN, Goods: []v1.SchwarzmarktGood{4}},
		"unknown unknown unknown":        {Type: 77, Card: proto.Uint32(99), Goods: []v1.SchwarzmarktGood{88}},
	} {
		got := schwarzmarktDecision(nil, move).LegalMoves()[0]
		if got.Text() != text || got.Type.String() != text[:len(got.Type.String())] {
			t.Errorf("%q reads %q", text, got)
		}
		if got.Card != nil && got.Card.Number != int(*move.Card) || (got.Card == nil) != (move.Card == nil) {
			t.Errorf("%q has card %v", text, got.Card)
		}
	}
}

func TestASchwarzmarktDecisionShowsOfferPriceAndSeats(t *testing.T) {
	seen := schwarzmarktDecision(&v1.SchwarzmarktObservation{
		Seat: proto.Uint32(1), Offer: proto.Uint32(0), Marker: 1,
		Demand: []v1.SchwarzmarktGood{1, 2}, Goods: []v1.SchwarzmarktGood{1, 1, 5}, Cards: []uint32{1, 99},
		OpenCards: []*v1.SchwarzmarktOpenCard{{Card: 1, Target: proto.Uint32(0)}, {Card: 2}},
		Seats: []*v1.SchwarzmarktSeat{
			{Luxury: 7}, {Luxury: 9, Known: []*v1.SchwarzmarktKnown{{Goods: []v1.SchwarzmarktGood{3}, Unseen: 1}}},
		},
	}).Observation()
	if !seen.Offer.IsOffer() || seen.Price != 50 || seen.Resolving != nil {
		t.Errorf("the observation is %+v", seen)
	}
	if schwarzmarkt.Wanted(seen.Goods, seen.Demand) != 1 || schwarzmarkt.Wanted(seen.Goods, seen.Offer.Demand) != 2 {
		t.Error("wanted goods are not counted")
	}
	if seen.Cards[0].Effect != schwarzmarkt.EffectOldDebt || seen.Cards[1].Name != "unknown" || seen.Cards[1].IsOffer() {
		t.Errorf("cards are %v", seen.Cards)
	}
	if aimed, other := seen.OpenCards[0], seen.OpenCards[1]; aimed.Target != 0 ||
		other.Target != arena.NoSeat || other.Card.Effect != schwarzmarkt.EffectNone {
		t.Errorf("open cards are %+v", seen.OpenCards)
	}
	if own, others := seen.Own(), seen.Others(); own.Luxury != 9 || others[0].Luxury != 7 ||
		own.Known[0].Goods[0] != schwarzmarkt.GoodSugar {
		t.Errorf("own %+v, others %+v", own, others)
	}
}

func TestSchwarzmarktMaterialIsWhatIsPrinted(t *testing.T) {
	material := schwarzmarkt.NewMaterial(market)
	if !slices.Equal(material.Prices, []int{1, 50}) || !slices.Equal(material.Steps, []int{4, 0}) || material.LastSpace() != 1 {
		t.Errorf("the track is %v, %v", material.Prices, material.Steps)
	}
	want := []schwarzmarkt.Good{schwarzmarkt.GoodPotatoes, schwarzmarkt.GoodFlour, schwarzmarkt.GoodUnknown}
	if !slices.Equal(material.Goods, want) {
		t.Errorf("goods are %v", material.Goods)
	}
}
