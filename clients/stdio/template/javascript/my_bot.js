// {{name}}, a bot for arena. Edit choose(); the code below it talks to the arena.
"use strict";

const GAINFUL = new Set(["TYPE_SELL", "TYPE_TRADE"]); // moves that score, in Byzanz and Schwarzmarkt

// Returns the place of the move to make. `game` holds the observation, the legal moves and the events
// since the last decision; `match` is how the match began. draw(n) is a random number below n.
function choose(game, match, draw) {
  const places = [...game.legalMoves.keys()];
  const gainful = places.filter((place) => GAINFUL.has(game.legalMoves[place].type));
  const good = gainful.length > 0 ? gainful : places;
  return good[draw(good.length)];
}

const matches = new Map(); // those that run, by id: how each began, and its chance

function say(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

// Returns a function that draws numbers. They depend on the seed alone: the same match is played the
// same way again.
function chance(botSeed) {
  let state = 1;
  for (const byte of Buffer.from(botSeed, "base64")) state = (state * 257 + byte) % 2147483647;
  return (limit) => {
    state = (state * 16807) % 2147483647;
    return state % limit;
  };
}

function answer({ matchId, decisionId, byzanz, schwarzmarkt }) {
  const { started, draw } = matches.get(matchId);
  return { matchId, decisionId, moveIndex: choose(byzanz ?? schwarzmarkt, started, draw) };
}

say({ hello: { bot: "{{name}}", version: "1", games: ["byzanz", "schwarzmarkt"] } });

require("node:readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const { matchStarted, decisions, matchEnded } = JSON.parse(line); // the rest is ignored
    if (matchStarted) {
      const draw = chance(matchStarted.botSeed);
      matches.set(matchStarted.matchId, { started: matchStarted, draw });
    } else if (decisions) {
      say({ answers: { answers: decisions.decisions.map(answer) } });
    } else if (matchEnded) {
      matches.delete(matchEnded.matchId);
    }
  });
