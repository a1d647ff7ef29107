package arena

import (
	"strconv"
	"strings"

	v1 "arena-bots/v1"
)

const unknown = "unknown"

// moveText returns a legal move as the rules write it; for an unknown game its index.
func moveText(decision *Decision, index int) string {
	switch game := decision.Message.GetGame().(type) {
	case *v1.Decision_Byzanz:
		if move := at(game.Byzanz.GetLegalMoves(), index); move != nil {
			return byzanzText(move)
		}
	case *v1.Decision_Schwarzmarkt:
		if move := at(game.Schwarzmarkt.GetLegalMoves(), index); move != nil {
			return schwarzmarktText(move, decision.Match.Message.GetSchwarzmarkt())
		}
	}
	return strconv.Itoa(index)
}

// byzanzText returns a move such as "bid spice-2 wine-1" or "take wood".
func byzanzText(move *v1.ByzanzMove) string {
	words := []string{enumText(v1.ByzanzMove_Type_name, int32(move.GetType()), "TYPE_", "_")}
	for _, card := range move.GetCards() {
		words = append(words, enumText(v1.ByzanzCard_name, int32(card), "BYZANZ_CARD_", "-"))
	}
	if kind := move.GetKind(); kind != 0 {
		words = append(words, enumText(v1.ByzanzKind_name, int32(kind), "BYZANZ_KIND_", "-"))
	}
	return strings.Join(words, " ")
}

// schwarzmarktText returns a move such as "play raid 2", "trade potatoes butter" or "step 3".
func schwarzmarktText(move *v1.SchwarzmarktMove, material *v1.SchwarzmarktMaterial) string {
	words := []string{enumText(v1.SchwarzmarktMove_Type_name, int32(move.GetType()), "TYPE_", "_")}
	if move.Card != nil {
		name := unknown
		if int(move.GetCard()) < len(material.GetCards()) {
			name = material.GetCards()[move.GetCard()].GetName()
		}
		words = append(words, name)
	}
	if move.Target != nil {
		words = append(words, strconv.Itoa(int(move.GetTarget())))
	}
	for _, good := range move.GetGoods() {
		words = append(words, enumText(v1.SchwarzmarktGood_name, int32(good), "SCHWARZMARKT_GOOD_", "_"))
	}
	if spaces := move.GetSpaces(); spaces != 0 {
		words = append(words, strconv.Itoa(int(spaces)))
	}
	return strings.Join(words, " ")
}
