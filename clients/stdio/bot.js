// A sensible bot in plain JavaScript: no SDK, no packages. README.md says how it thinks.
"use strict";

const matches = new Map(); // by id: material and random state of the matches that run

function say(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

// Byzanz: a hand is worth the sales in it, whole ones and those that may still come (in hundredths).

const HOPE = [0, 30, 65]; // of the best card of a sale that has so many cards

function isTrader(card) {
  return card === "BYZANZ_CARD_TRADER";
}

function kindOf(card) {
  return card.replace(/^BYZANZ_CARD_|_\d$/g, "");
}

function valueOf(card) {
  return isTrader(card) ? 0 : Number(card.slice(-1));
}

function worth(hand) {
  const kinds = new Map();
  let total = 0;
  for (const card of hand) {
    if (isTrader(card)) total += 130;
    else kinds.set(kindOf(card), [...(kinds.get(kindOf(card)) ?? []), valueOf(card)]);
  }
  for (const values of kinds.values()) {
    values.sort((a, b) => b - a);
    const sales = Math.floor(values.length / 3);
    for (const value of values.slice(0, sales)) total += 100 * value;
    total += HOPE[values.length % 3] * (values[sales] ?? 0);
  }
  return total;
}

function without(hand, cards) {
  const rest = [...hand];
  for (const card of cards) rest.splice(rest.indexOf(card), 1);
  return rest;
}

function scoreByzanz(move, seen) {
  if (move.type === "TYPE_DONE") return 0;
  let gain = [];
  if (move.type === "TYPE_PASS") gain = seen.seats[seen.seat].laid ?? [];
  if (move.type === "TYPE_BID" || move.type === "TYPE_GIVE") gain = seen.lot;
  if (move.type === "TYPE_TAKE") {
    const kind = move.kind.replace("BYZANZ_KIND_", "");
    gain = seen.market.filter((card) => kindOf(card) === kind);
  }
  const cards = move.cards ?? [];
  const after = worth(without([...(seen.hand ?? []), ...gain], cards));
  return move.type === "TYPE_SELL" ? after + 100 * (Math.max(...cards.map(valueOf)) || 5) : after;
}

// Schwarzmarkt: sell at a decent price, and play the offers that want what is in the hand.

function count(goods, good) {
  return goods.filter((each) => each === good).length;
}

function wanted(goods, demand) {
  let total = 0;
  for (const good of new Set(demand)) total += Math.min(count(goods, good), count(demand, good));
  return total;
}

function scoreSchwarzmarkt(move, seen, { track, cards }) {
  const goods = seen.goods ?? [];
  if (move.type === "TYPE_TRADE") {
    const isDecent = 4 * track[seen.marker ?? 0].price >= track.at(-1).price;
    return isDecent ? 2 * move.goods.length : -200;
  }
  if (move.type === "TYPE_STEP") return -2 * move.spaces;
  const demand = "card" in move ? (cards[move.card].demand ?? []) : [];
  if (demand.length > 0) return 2 * wanted(goods, demand);
  let held = 0;
  for (const good of move.goods ?? []) held += count(goods, good);
  return move.type === "TYPE_RETURN" ? 2 * held : 1 - 2 * held;
}

// Chance: of equally good moves one is drawn. All of it comes from the bot's seed, so that the same
// match is played the same way again.

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";

function seeded(botSeed) {
  let state = 1;
  for (const digit of botSeed) state = (state * 65 + DIGITS.indexOf(digit) + 1) % 2147483647;
  return { state };
}

function draw(random, limit) {
  random.state = (random.state * 16807) % 2147483647;
  return random.state % limit;
}

function decide(decision) {
  const match = matches.get(decision.matchId);
  const game = decision.byzanz ?? decision.schwarzmarkt;
  const score = decision.byzanz ? scoreByzanz : scoreSchwarzmarkt;
  const scores = game.legalMoves.map((move) => score(move, game.observation, match.material));
  const top = Math.max(...scores);
  const best = [...scores.keys()].filter((index) => scores[index] === top);
  const moveIndex = best.length > 1 ? best[draw(match.random, best.length)] : best[0];
  return { matchId: decision.matchId, decisionId: decision.decisionId, moveIndex };
}

say({ hello: { bot: "sensible-js", version: "1", games: ["byzanz", "schwarzmarkt"], maxMatches: 16 } });

require("node:readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const { matchStarted, decisions, matchEnded } = JSON.parse(line); // the rest is ignored
    if (matchStarted) {
      const material = matchStarted.byzanz ?? matchStarted.schwarzmarkt;
      matches.set(matchStarted.matchId, { material, random: seeded(matchStarted.botSeed) });
    } else if (decisions) {
      say({ answers: { answers: decisions.decisions.map(decide) } });
    } else if (matchEnded) {
      matches.delete(matchEnded.matchId);
    }
  });
