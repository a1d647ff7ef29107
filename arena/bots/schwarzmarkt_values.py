"""What things are worth in Schwarzmarkt, for the bots that play it.

Everything here reads an `Observation` and the `Material`, never a hidden card. Values are in luxury
goods, and count what a seat gains over the average of its rivals: only ranks matter (S6.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.games.counts import Counts, count, intersect, pack, size, types
from arena.games.game import AnyGame, Seat
from arena.games.ledger import Ledger
from arena.games.schwarzmarkt.game import Schwarzmarkt
from arena.games.schwarzmarkt.material import GOODS, Effect, Material
from arena.games.schwarzmarkt.observation import Observation

USUAL_PRICE = 0.36
"""The price a card usually brings, as a share of the last price."""

WARY, EAGER = 0.1, 0.4
"""Below the one share of the last price a rival hardly ever sells, from the other on always."""


def material_of(game: AnyGame) -> Material:
    """Return the material a match is played with; raises TypeError for another game."""
    if not isinstance(game, Schwarzmarkt):
        raise TypeError(f"this bot plays schwarzmarkt, not {game.name}")
    return game.material


def is_open(material: Material, observation: Observation, effect: Effect) -> bool:
    """Return whether a text card with this effect lies open (S5)."""
    cards = material.cards
    return any(cards[open_card.card].effect is effect for open_card in observation.open_cards)


# What is wanted, and who holds it


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

    What is known to be in a hand or in the pile is there; all the other unseen cards are spread
    evenly over the places that are left.
    """
    known = [_expected_cards(ledger) for ledger in observation.hands_known]
    in_pile = _expected_cards(observation.pile_known)
    seen = observation.goods + pack(observation.traded)
    pool = [
        max(
            0.0,
            count(material.deck - seen, good) - in_pile[good] - sum(cards[good] for cards in known),
        )
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


def expected_sales(hand: int, shortest: int) -> float:
    """Return how many of `hand` cards a seat sells before the game round ends.

    The shortest hand at the table is the clock: its owner ends the game round (S4.4). All sell at
    about the same pace meanwhile, and a longer hand fits more offers. Fitted to played matches.
    """
    return 0.7 * shortest + selling_chance(shortest) * (hand - shortest)


def selling_chance(shortest: int) -> float:
    """Return how likely one card more in hand is still sold in this game round."""
    return 0.5 * shortest / (shortest + 1)


def expected_wealth(material: Material, luxury: Sequence[int], hands: Sequence[int]) -> list[float]:
    """Return the luxury each seat will probably own when this game round ends."""
    price = USUAL_PRICE * material.prices[-1]
    shortest = min(hands)
    return [
        owned + price * expected_sales(hand, shortest)
        for owned, hand in zip(luxury, hands, strict=True)
    ]


def lead(values: Sequence[float], seat: int) -> float:
    """Return how far a seat's value is above the mean of the others'."""
    return values[seat] - (sum(values) - values[seat]) / (len(values) - 1)


def keeping_value(material: Material, observation: Observation) -> float:
    """Return what a card is worth that is kept for a later exchange round."""
    price = USUAL_PRICE * material.prices[-1]
    return price * selling_chance(min(observation.hand_sizes))


# What an exchange round is worth


@dataclass(slots=True)
class Market:
    """The exchange round as `seat` imagines it: expected numbers instead of hidden cards.

    `wanted`, `mine` and each of `rivals` (in turn order after `seat`) are numbers by the goods in
    demand. Rivals sell all they can or nothing, the more likely the higher the price, and move the
    marker one step.
    """

    material: Material
    keep: float
    most: float  # cards a seat may trade, 1 under scarce_goods (S5)
    wanted: list[float]
    mine: list[float]
    rivals: list[list[float]]

    def willingness(self, marker: int) -> float:
        """Return how likely a rival who could sell at this space does."""
        if marker == self.material.last_space:
            return 1.0  # S4.3: the last chance
        prices = self.material.prices
        share = (prices[marker] / prices[-1] - WARY) / (EAGER - WARY)
        return min(1.0, max(0.0, share))

    def sell(self, marker: int) -> float:
        """Sell all I can and return the gain over keeping the cards."""
        sold = [min(a, b) for a, b in zip(self.wanted, self.mine, strict=True)]
        number = sum(sold)
        if number > self.most > 0:
            sold = [part * self.most / number for part in sold]
            number = self.most
        self.wanted = [a - b for a, b in zip(self.wanted, sold, strict=True)]
        self.mine = (
            [0.0] * len(sold)
            if self.most == 1
            else [a - b for a, b in zip(self.mine, sold, strict=True)]
        )
        return number * (self.material.prices[marker] - self.keep)

    def pass_round(self, marker: int) -> tuple[int, float]:
        """Let every rival have a turn; return the marker and what they gained, on average.

        The marker is -1 once the exchange round has ended.
        """
        last = self.material.last_space
        prices = self.material.prices
        gain = 0.0
        for hand in self.rivals:
            chance = self.willingness(marker)
            if chance:
                number = 0.0
                for index, wanted in enumerate(self.wanted):
                    sold = chance * min(wanted, hand[index])
                    number += sold
                    self.wanted[index] = wanted - sold
                    hand[index] -= sold
                gain += number * (prices[marker] - self.keep)
            if marker == last:
                return -1, gain / len(self.rivals)
            marker += 1
        return marker, gain / len(self.rivals)

    def copy(self) -> Market:
        return Market(
            self.material,
            self.keep,
            self.most,
            self.wanted[:],
            self.mine[:],
            [hand[:] for hand in self.rivals],
        )

    def rest(self, marker: int) -> float:
        """Return the value of all that follows from the rivals' next turns on."""
        marker, gain = self.pass_round(marker)
        if marker < 0 or sum(self.wanted) < 0.1:
            return -gain
        return self.my_turn(marker) - gain

    def my_turn(self, marker: int) -> float:
        last = self.material.last_space
        if sum(map(min, self.wanted, self.mine)) < 0.01:
            return 0.0 if marker == last else self.rest(marker + 1)
        selling = self.copy()
        value = selling.sell(marker)
        if marker == last:
            return max(0.0, value)
        value += selling.rest(marker + 1)
        return max(value, self.rest(marker + 1))
