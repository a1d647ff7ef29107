/** Messages that tests of the SDK are made of. */

import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  DecisionSchema,
  Fault,
  MatchEndedSchema,
  MatchStartedSchema,
  type Decision,
  type MatchEnded,
  type MatchStarted,
} from "arena-bots/v1";
import { ByzanzCard, ByzanzMove_Type } from "arena-bots/v1/byzanz";
import { SchwarzmarktEffect, SchwarzmarktGood } from "arena-bots/v1/schwarzmarkt";
import type { SchwarzmarktMaterialSchema } from "arena-bots/v1/schwarzmarkt";

const { POTATOES, BUTTER, FLOUR } = SchwarzmarktGood;

const MATERIAL: MessageInitShape<typeof SchwarzmarktMaterialSchema> = {
  track: [{ price: 1, steps: 4 }, { price: 50 }],
  cards: [
    {
      name: "offer:potatoes-2,butter-2",
      copies: 1,
      demand: [POTATOES, POTATOES, BUTTER, BUTTER],
    },
    { name: "old_debt", copies: 2, effect: SchwarzmarktEffect.OLD_DEBT },
    { name: "foraging", copies: 1, effect: SchwarzmarktEffect.FORAGING },
  ],
  goods: [POTATOES, FLOUR],
};

/** Returns the start of a match with the bot in seat 1 of 2. */
export function started(matchId: string, game = "byzanz"): MatchStarted {
  return create(MatchStartedSchema, {
    matchId,
    game,
    optionsJson: '{"deck":"uneven"}',
    seat: 1,
    seats: [{ bot: "other", version: "2" }, { bot: "mine" }],
    timeControl: { moveTime: { nanos: 500_000_000 }, bank: { seconds: 10n }, maxFaults: 3 },
    botSeed: Uint8Array.from({ length: 32 }, (_, index) => index),
    material:
      game === "schwarzmarkt"
        ? { case: "schwarzmarkt", value: MATERIAL }
        : { case: "byzanz", value: { offers: [6, 4, 2], rounds: 8 } },
  });
}

/** Returns an auction of Byzanz with three legal moves: pass and two bids. */
export function decision(matchId: string, decisionId: number): Decision {
  const hand = [ByzanzCard.SPICE_2, ByzanzCard.WINE_1];
  const legalMoves = [
    { type: ByzanzMove_Type.PASS },
    { type: ByzanzMove_Type.BID, cards: [ByzanzCard.WINE_1] },
    { type: ByzanzMove_Type.BID, cards: hand },
  ];
  const observation = { seat: 1, round: 3, hand, seats: [{}, {}] };
  return create(DecisionSchema, {
    matchId,
    decisionId,
    legalCount: 3,
    bank: { seconds: 7n },
    game: { case: "byzanz", value: { observation, legalMoves } },
  });
}

/** Returns the end of a match that seat 1 has won, seat 0 by a timeout. */
export function ended(matchId: string): MatchEnded {
  const forfeits = [Fault.TIMEOUT, Fault.UNSPECIFIED];
  return create(MatchEndedSchema, { matchId, scores: [3, 9], ranks: [2, 1], forfeits });
}
