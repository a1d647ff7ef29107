import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";

import { create, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { byzanz, Decision, Match, Outcome, Rng, schwarzmarkt } from "arena-bots";
import { DecisionSchema, MatchEndedSchema, type Decision as Message } from "arena-bots/v1";
import { ByzanzMoveSchema } from "arena-bots/v1/byzanz";
import {
  SchwarzmarktMoveSchema,
  type SchwarzmarktObservationSchema,
} from "arena-bots/v1/schwarzmarkt";

import { decision, ended, started } from "./messages.js";

test("a match tells how it starts", () => {
  const match = new Match(started("m"));
  assert.deepEqual([match.id, match.game, match.seat, match.maxFaults], ["m", "byzanz", 1, 3]);
  assert.deepEqual(
    match.seats.map((seat) => seat.bot),
    ["other", "mine"],
  );
  assert.deepEqual(match.options, { deck: "uneven" });
  assert.deepEqual([match.moveTimeS, match.bankS], [0.5, 10]);
  assert.equal(String(match), "<byzanz match m, seat 1 of 2>");
});

test("an outcome tells of the own seat", () => {
  const match = new Match(started("m"));
  const outcome = new Outcome(match, ended("m"));
  assert.deepEqual([outcome.score, outcome.rank, outcome.isVoid], [9, 1, false]);
  const voided = new Outcome(match, create(MatchEndedSchema, { voidReason: "a power cut" }));
  assert.deepEqual([voided.score, voided.rank, voided.isVoid], [undefined, undefined, true]);
});

test("the same seed gives the same numbers on every machine, another one others", () => {
  const { rng } = new Match(started("m"));
  const drawn = [rng.int(1000), rng.int(1000), rng.random(), rng.choice("abcdef".split(""))];
  assert.deepEqual(drawn, [253, 673, 0.17704697269933212, "e"]);
  const seed = new Uint8Array(32);
  const first = new Rng(seed).random();
  for (let place = 0; place < 32; place++) {
    assert.notEqual(new Rng(seed.with(place, 1)).random(), first, `byte ${place} does not count`);
  }
});

test("random numbers are where they should be, and about equally often", () => {
  const rng = new Rng(new Uint8Array(32));
  const times = Array<number>(6).fill(0);
  for (let draw = 0; draw < 6000; draw++) times[rng.int(6)]! += 1;
  assert(
    times.every((often) => often > 850 && often < 1150),
    String(times),
  );
  for (let draw = 0; draw < 1000; draw++) assert(rng.random() >= 0 && rng.random() < 1);
  assert.deepEqual(rng.shuffle([1, 2, 3, 4, 5]).sort(), [1, 2, 3, 4, 5]);
  for (const wrong of [0, -1, 1.5, NaN, 2 ** 33]) assert.throws(() => rng.int(wrong), RangeError);
  assert.throws(() => rng.choice([]), RangeError);
});

test("an unknown game can be played by index", () => {
  const message = create(DecisionSchema, { decisionId: 2, legalCount: 3, bank: { nanos: 1 } });
  const question = new Decision(new Match(started("m", "chess")), message);
  assert.equal(question.legalMoves.join(" "), "0 1 2");
  assert.equal(question.indexOf(question.legalMoves[2]), 2);
  assert.deepEqual([question.moveTimeS, question.bankS], [undefined, 1e-9]);
});

test("a move kept from an earlier decision counts if it is legal", () => {
  const match = new byzanz.Match(started("m"));
  const before = new byzanz.Decision(match, decision("m", 1));
  const message = decision("m", 2);
  assert(message.game.case === "byzanz");
  message.game.value.legalMoves.splice(1, 1);
  message.legalCount = 2;
  assert.equal(new byzanz.Decision(match, message).indexOf(before.legalMoves[2]), 1);
});

test("a refusal lists the legal moves, 40 at most", () => {
  const message = create(DecisionSchema, { decisionId: 3, legalCount: 43 });
  const question = new Decision(new Match(started("m", "chess")), message);
  assert.throws(() => question.indexOf(43), {
    name: "IllegalChoice",
    message:
      /^decide\(\) returned 43, .* the 43 legal moves:\n {2}0: 0\n.*39: 39\n {2}\.\.\. and 3 more\n/s,
  });
});

test("what is read of a decision at first is what its message says", () => {
  const message = decision("m", 7);
  const bytes = toBinary(DecisionSchema, message);
  const asked = { matchId: "m", decisionId: 7, legalCount: 3, bytes };
  const question = new byzanz.Decision(new byzanz.Match(started("m")), asked);
  assert.deepEqual([question.id, question.legalCount], [7, 3]);
  assert.deepEqual(question.message, message);
});

test("byzanz: cards have kind, value and name", () => {
  const names = byzanz.CARDS.map((card) => card.name);
  assert.deepEqual(names.slice(0, 5), ["cloth-1", "cloth-2", "cloth-3", "cloth-4", "spice-1"]);
  assert.deepEqual(names.slice(-2), ["olives-4", "trader"]);
  const wine = byzanz.CARD_NAMES.get("wine-3");
  assert.deepEqual([wine?.kind, wine?.value, wine?.number], [byzanz.Kind.WINE, 3, 11]);
  assert.deepEqual([byzanz.TRADER.kind, byzanz.TRADER.value], [byzanz.Kind.TRADER, 0]);
});

test("byzanz: an unknown card is like one not seen", () => {
  assert.deepEqual(byzanz.cards([0, 26, 99]), Array(3).fill(byzanz.UNKNOWN));
  assert.deepEqual([byzanz.UNKNOWN.name, byzanz.UNKNOWN.kind], ["unknown", undefined]);
  assert.throws(() => byzanz.cards("wine-9"), /there is no card wine-9/);
});

test("byzanz: groups of cards are counted and valued", () => {
  const group = byzanz.cards("cloth-1 cloth-4 trader");
  assert.equal(byzanz.value(group), 5);
  assert.equal(byzanz.salePoints(group), 4);
  assert.equal(byzanz.salePoints(byzanz.cards("trader trader trader")), 5);
  assert.deepEqual(byzanz.ofKind(group, "cloth"), group.slice(0, 2));
  assert.deepEqual(
    [...byzanz.byKind(group)],
    [
      ["cloth", group.slice(0, 2)],
      ["trader", [byzanz.TRADER]],
    ],
  );
  const left = byzanz.counts(group, group).minus(byzanz.counts(group.slice(0, 1)));
  assert.deepEqual([left.of(group[0]!), left.total], [1, 5]);
  assert.equal(left.elements.join(" "), "cloth-1 cloth-4 cloth-4 trader trader");
});

const BYZANZ_MOVES: [MessageInitShape<typeof ByzanzMoveSchema>, string][] = [
  [{ type: 1 }, "pass"],
  [{ type: 2, cards: [6, 9] }, "bid spice-2 wine-1"],
  [{ type: 3, cards: [13] }, "give wood-1"],
  [{ type: 4, kind: 4 }, "take wood"],
  [{ type: 4, kind: 7 }, "take trader"],
  [{ type: 5, cards: [1, 4, 25] }, "sell cloth-1 cloth-4 trader"],
  [{ type: 6, cards: [17] }, "discard grain-1"],
  [{ type: 7 }, "done"],
  [{ type: 88 as never, cards: [99 as never], kind: 77 as never }, "unknown unknown unknown"],
];
for (const [fields, text] of BYZANZ_MOVES) {
  test(`byzanz: a move reads as in the rules: ${text}`, () => {
    assert.equal(String(new byzanz.Move(0, create(ByzanzMoveSchema, fields))), text);
  });
}

test("byzanz: a decision shows moves and table", () => {
  const question = new byzanz.Decision(new byzanz.Match(started("m")), decision("m", 1));
  const bids = question.movesOf(byzanz.MoveType.BID);
  assert.deepEqual(
    bids.map((bid) => [bid.index, bid.value]),
    [
      [1, 1],
      [2, 3],
    ],
  );
  assert.equal(inspect(bids[0]), "<1: bid wine-1>");
  const seen = question.observation;
  assert.deepEqual(seen.hand, byzanz.cards("spice-2 wine-1"));
  assert.equal(seen, question.observation);
  assert.deepEqual([seen.leader, seen.firstPasser, seen.phase], [undefined, undefined, "unknown"]);
  assert.deepEqual(
    [seen.own, ...seen.others].map((seat) => seat.number),
    [1, 0],
  );
  assert.equal(question.roundsLeft, 5);
});

/** Returns a decision of Schwarzmarkt. */
function question(
  legalMoves: MessageInitShape<typeof SchwarzmarktMoveSchema>[],
  seen: MessageInitShape<typeof SchwarzmarktObservationSchema> = {},
): schwarzmarkt.Decision {
  const value = { legalMoves, observation: { seat: 1, ...seen } as typeof seen };
  const message: Message = create(DecisionSchema, {
    legalCount: legalMoves.length,
    game: { case: "schwarzmarkt", value },
  });
  const match = new schwarzmarkt.Match(started("m", "schwarzmarkt"));
  return new schwarzmarkt.Decision(match, message);
}

const SCHWARZMARKT_MOVES: [MessageInitShape<typeof SchwarzmarktMoveSchema>, string][] = [
  [{ type: 1, card: 0 }, "play offer:potatoes-2,butter-2"],
  [{ type: 1, card: 1, target: 0 }, "play old_debt 0"],
  [{ type: 1, card: 2, goods: [3, 5] }, "play foraging sugar flour"],
  [{ type: 2, goods: [1] }, "find potatoes"],
  [{ type: 3, card: 1 }, "bury old_debt"],
  [{ type: 4, goods: [1, 2] }, "trade potatoes butter"],
  [{ type: 5, spaces: 4 }, "step 4"],
  [{ type: 6 }, "hold"],
  [{ type: 7, goods: [4] }, "return coffee"],
  [{ type: 66 as never, card: 9, goods: [77 as never] }, "unknown unknown unknown"],
];
for (const [fields, text] of SCHWARZMARKT_MOVES) {
  test(`schwarzmarkt: a move reads as in the rules: ${text}`, () => {
    assert.equal(String(question([fields]).legalMoves[0]), text);
  });
}

test("schwarzmarkt: a decision shows offer, price and seats", () => {
  const seen = question([], {
    ...{ offer: 0, marker: 1, demand: [1, 2], goods: [1, 1, 5], cards: [1, 2] },
    openCards: [{ card: 1, target: 0 }, { card: 2 }],
    seats: [{ luxury: 7 }, { luxury: 9, known: [{ goods: [3], unseen: 1 }] }],
  }).observation;
  assert(seen.offer?.isOffer);
  assert.equal(seen.price, 50);
  assert.equal(schwarzmarkt.wanted(seen.goods, seen.demand), 1);
  assert.equal(schwarzmarkt.wanted(seen.goods, seen.offer.demand), 2);
  assert.deepEqual(
    seen.cards.map((card) => card.effect),
    [schwarzmarkt.Effect.OLD_DEBT, schwarzmarkt.Effect.FORAGING],
  );
  assert.deepEqual(
    seen.openCards.map(({ card, target }) => [card.name, target]),
    [
      ["old_debt", 0],
      ["foraging", undefined],
    ],
  );
  assert.deepEqual([seen.own.luxury, seen.own.known[0]?.goods], [9, ["sugar"]]);
  assert.deepEqual([seen.others.length, seen.others[0]?.luxury, seen.resolving], [1, 7, undefined]);
});

test("schwarzmarkt: material is what is printed", () => {
  const { material } = question([]).match;
  assert.deepEqual([material.prices, material.steps, material.lastSpace], [[1, 50], [4, 0], 1]);
  assert.deepEqual(material.goods, ["potatoes", "flour"]);
  assert.equal(question([], { marker: 9, cards: [9] }).observation.price, 0);
});
