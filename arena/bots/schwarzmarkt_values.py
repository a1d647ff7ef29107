"""What things are worth in Schwarzmarkt, for the bots that play it.

Everything here reads an `Observation` and the `Material`, never a hidden card. Values are in luxury
goods and count what a seat gains over the mean of its rivals, because only ranks matter (S6.3).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from arena.games.counts import Counts, count, intersect, pack, size, types
from arena.games.game import AnyGame, Seat
from arena.games.ledger import Ledger
from arena.games.schwarzmarkt.game import Schwarzmarkt
from arena.games.schwarzmarkt.material import GOODS, Effect, Material
from arena.games.schwarzmarkt.observation import Observation

USUAL_PRICE = 1.2
"""What a card usually brings: this share of the last price, divided by the seats that compete."""

WARY, EAGER = 0.15, 0.4
"""Below the one share of the last price a rival hardly ever sells, from the other on always."""

NOTHING = 0.05  # expected numbers of cards below this are no cards


def material_of(game: AnyGame) -> Material:
    """Return the material a match is played with; raises TypeError for another game."""
    if not isinstance(game, Schwarzmarkt):
        raise TypeError(f"this bot plays schwarzmarkt, not {game.name}")
    return game.material


def is_open(material: Material, observation: Observation, effect: Effect) -> bool:
    """Return whether a text card with this effect lies open (S5)."""
    cards = material.cards
    return any(cards[open_card.card].effect is effect for open_card in observation.open_cards)


# What is wanted


def mean_demand(material: Material) -> tuple[float, ...]:
    """Return for each good how many cards of it an average offer wants."""
    offers = [card for card in material.cards if card.effect is None]
    number = sum(card.copies for card in offers)
    return tuple(
        sum(card.copies * count(card.demand, good) for card in offers) / number
        for good in range(len(GOODS))
    )


def fit(goods: Counts, demand: Counts) -> int:
    """Return how many cards of `goods` the demand wants."""
    return size(intersect(goods, demand))


def usefulness(material: Material, cards: Counts, good: int, copy: int) -> float:
    """Return the share of the offers that want at least `copy` cards of a good.

    That is the use of holding the `copy`-th card of it. The owner's own black-market cards count
    three times: it can choose to play them.
    """
    using, total = 0, 0
    for number, card in enumerate(material.cards):
        if card.effect is None:
            weight = card.copies + 2 * count(cards, number)
            total += weight
            if count(card.demand, good) >= copy:
                using += weight
    return using / total


# Who holds it


def expected_rival_supply(material: Material, observation: Observation, demand: Counts) -> float:
    """Return how many of the goods in `demand` the others can probably supply together.

    An unseen card is as likely to be in one place as in another, so the other hands hold their
    share of every good; no more of a good counts than is wanted. A quick view that leaves the
    ledgers aside: see `expected_holdings`.
    """
    unseen = material.deck - observation.goods - pack(observation.traded)
    others = sum(observation.hand_sizes) - size(observation.goods)
    share = others / (size(unseen) or 1)
    return sum([min(count(demand, good), share * count(unseen, good)) for good in types(demand)])


def expected_holdings(material: Material, observation: Observation) -> list[list[float]]:
    """Return how many of each good every hand probably holds, by seat and good.

    What is known to lie in a hand or in the pile is there; all the other unseen cards are spread
    evenly over the places that are left.
    """
    known = [_expected_cards(ledger) for ledger in observation.hands_known]
    in_pile = _expected_cards(observation.pile_known)
    unseen = material.deck - observation.goods - pack(observation.traded)
    pool = [
        max(0.0, count(unseen, good) - in_pile[good] - sum([cards[good] for cards in known]))
        for good in range(len(GOODS))
    ]
    places = sum(pool) or 1.0
    holdings = []
    for seat, cards in enumerate(known):
        if seat == observation.seat:
            holdings.append([float(count(observation.goods, good)) for good in range(len(GOODS))])
        else:
            share = max(0.0, observation.hand_sizes[seat] - sum(cards)) / places
            holdings.append([a + share * b for a, b in zip(cards, pool, strict=True)])
    return holdings


def _expected_cards(ledger: Ledger) -> list[float]:
    """Return how many of each good are still in a place, by what is known of it."""
    expected = [0.0] * len(GOODS)
    for cards, unseen in ledger:
        staying = max(0.0, 1.0 - unseen / size(cards))
        for good in types(cards):
            expected[good] += staying * count(cards, good)
    return expected


# What a position is worth


def selling_chance(shortest: int) -> float:
    """Return how likely one card more in hand is still sold before the game round ends."""
    return 0.5 * shortest / (shortest + 1)


def shortest_hand(hand_sizes: Sequence[int]) -> int:
    """Return the size of the shortest hand that can still end the game round by a trade (S4.4)."""
    return min([hand for hand in hand_sizes if hand], default=0)


def expected_sales(hand: int, shortest: int) -> float:
    """Return how many of `hand` cards a seat sells before the game round ends.

    The shortest hand at the table is the clock: its owner will end the game round (S4.4). All sell
    at about the same pace meanwhile; a longer hand fits more offers. Fitted to played matches.
    """
    return 0.7 * shortest + selling_chance(shortest) * (hand - shortest) if hand else 0.0


def usual_price(material: Material, seats: int) -> float:
    """Return what a card usually brings: the more seats compete, the less."""
    return USUAL_PRICE * material.prices[-1] / seats


def keeping_value(material: Material, hand_sizes: Sequence[int]) -> float:
    """Return what a card is worth that is kept for a later exchange round."""
    return usual_price(material, len(hand_sizes)) * selling_chance(shortest_hand(hand_sizes))


def expected_wealth(
    material: Material, luxury: Sequence[int], hand_sizes: Sequence[int]
) -> list[float]:
    """Return the luxury each seat will probably own when this game round ends.

    In the first game round this leaves the second out: the re-deal (S6.1) makes all alike.
    """
    price = usual_price(material, len(hand_sizes))
    shortest = shortest_hand(hand_sizes)
    return [
        owned + price * expected_sales(hand, shortest)
        for owned, hand in zip(luxury, hand_sizes, strict=True)
    ]


def lead(wealth: Sequence[float], seat: int) -> float:
    """Return how far a seat is above the mean of the others."""
    return wealth[seat] - (sum(wealth) - wealth[seat]) / (len(wealth) - 1)


# What an exchange round is worth


@dataclass(slots=True)
class Market:
    """An exchange round as one seat imagines it: expected numbers in place of hidden cards.

    Whoever has a turn sells all it can or nothing: a rival the more likely the higher the price,
    the seat itself when that is better than waiting. Without a trade the marker moves one step.
    """

    margins: list[float]  # by space: the price less what the card would be worth if kept
    willing: list[float]  # by space: how likely a rival who can sell there does
    most: float  # cards a seat may trade in all: 1 under scarce_goods (S5)
    wanted: list[float]  # by good in demand, like the next two
    mine: list[float]
    rivals: list[list[float]]  # in turn order after the seat itself

    def value_of_passing(self, marker: int) -> float:
        """Return the value of what follows when the seat's turn ends with the marker here.

        The seat sells on the best of its later turns, or never. Uses the market up: `copy` it to
        ask again.
        """
        last = len(self.margins) - 1
        best = -math.inf
        passed = 0.0  # what waiting has brought so far: the rivals' sales
        while True:
            for hand in self.rivals:
                passed -= self._sell_rival(hand, marker) / len(self.rivals)
                if marker == last:  # S4.3: the last chance has gone
                    return max(best, passed)
                marker += 1
            if sum(self.wanted) < NOTHING:
                return max(best, passed)
            sellable = min(self.most, sum(map(min, self.wanted, self.mine)))
            if sellable >= NOTHING:
                selling = passed + sellable * self.margins[marker]
                if marker < last:
                    selling += self.after_selling(self.mine).value_of_passing(marker + 1)
                best = max(best, selling)
            if marker == last:
                return max(best, passed)
            marker += 1

    def _sell_rival(self, hand: list[float], marker: int) -> float:
        """Let a rival sell as it probably does; return its gain."""
        chance = self.willing[marker]
        if not chance:
            return 0.0
        wanted = self.wanted
        number = 0.0
        for index, held in enumerate(hand):
            sold = chance * min(wanted[index], held)
            wanted[index] -= sold
            hand[index] = held - sold
            number += sold
        return number * self.margins[marker]

    def after_selling(self, goods: Sequence[float]) -> Market:
        """Return the market after the seat sold these goods, as far as they are wanted."""
        sold = list(map(min, self.wanted, goods))
        share = min(1.0, self.most / (sum(sold) or 1.0))
        market = self.copy()
        market.wanted = [a - share * b for a, b in zip(self.wanted, sold, strict=True)]
        # Under scarce_goods one card is all.
        market.mine = [
            a - b if self.most > 1 else 0.0 for a, b in zip(self.mine, sold, strict=True)
        ]
        return market

    def copy(self) -> Market:
        """Return a market to be used up in place of this one."""
        rivals = [hand[:] for hand in self.rivals]
        return Market(self.margins, self.willing, self.most, self.wanted[:], self.mine, rivals)


def willingness(material: Material) -> list[float]:
    """Return for each space how likely a rival who can sell there does."""
    top = material.prices[-1]
    chances = [
        min(1.0, max(0.0, (price / top - WARY) / (EAGER - WARY))) for price in material.prices
    ]
    chances[-1] = 1.0  # S4.3: the last chance
    return chances


def imagine_market(
    material: Material,
    observation: Observation,
    holdings: Sequence[Sequence[float]],
    demand: Counts,
    seat: Seat,
) -> Market:
    """Return the exchange round over `demand` as `seat` sees it on its turn.

    `holdings` are those of `expected_holdings`. A rival that had its turn when the price was good
    already has probably sold what it held.
    """
    seats = len(observation.hand_sizes)
    kinds = types(demand)
    keep = keeping_value(material, observation.hand_sizes)
    willing = willingness(material)
    scarce = is_open(material, observation, Effect.SCARCE_GOODS)
    barred = {open_card.target for open_card in observation.open_cards}  # raided (S5)
    hands = []
    for distance in range(seats):
        owner = (seat + distance) % seats
        if owner in barred or (scarce and observation.traders[owner]):
            hands.append([0.0] * len(kinds))
            continue
        hand = [holdings[owner][good] for good in kinds]
        before = observation.marker - (seats - distance)  # every turn since moved it on
        if distance and before >= 0:
            hand = [(1.0 - willing[before]) * number for number in hand]
        if distance and scarce and sum(hand) > 1:
            hand = [number / sum(hand) for number in hand]
        hands.append(hand)
    return Market(
        [price - keep for price in material.prices],
        willing,
        1.0 if scarce else float(size(demand)),
        [float(count(demand, good)) for good in kinds],
        hands[0],
        hands[1:],
    )
