#!/usr/bin/env bash
# A sensible bot in Bash and jq: no SDK. README.md says how it thinks.
# Bash says hello; one jq then reads the arena's lines and writes the answers, for the whole session.

thinking='
# Byzanz: a hand is worth the sales in it, whole ones and those that may still come (in hundredths).

def kind: sub("^BYZANZ_CARD_"; "") | sub("_[0-9]$"; "");
def value: if . == "BYZANZ_CARD_TRADER" then 0 else .[-1:] | tonumber end;
def hope: [0, 30, 65][.];  # of the best card of a sale that has so many cards

def worth:
  130 * (map(select(. == "BYZANZ_CARD_TRADER")) | length)
  + (map(select(. != "BYZANZ_CARD_TRADER")) | group_by(kind) | map(
      (map(value) | sort | reverse) as $values
      | ($values | length / 3 | floor) as $sales
      | 100 * ($values[:$sales] | add // 0)
        + ($values | length % 3 | hope) * ($values[$sales] // 0)
    ) | add // 0);

def without($cards):
  reduce $cards[] as $card (.; index($card) as $place | del(.[$place]));

def score_byzanz($seen):
  if .type == "TYPE_DONE" then 0 else
    (if .type == "TYPE_PASS" then $seen.seats[$seen.seat].laid
     elif .type == "TYPE_BID" or .type == "TYPE_GIVE" then $seen.lot
     elif .type == "TYPE_TAKE" then
       (.kind | sub("^BYZANZ_KIND_"; "")) as $kind | $seen.market | map(select(kind == $kind))
     else [] end) as $gain
    | (.cards // []) as $cards
    | ($seen.hand + $gain | without($cards) | worth)
      + if .type == "TYPE_SELL" then
          100 * ($cards | map(value) | max | if . == 0 then 5 else . end)
        else 0 end
  end;

# Schwarzmarkt: sell at a decent price, and play the offers that want what is in the hand.

def count($good): map(select(. == $good)) | length;

def wanted($goods):
  group_by(.) | map(.[0] as $good | [length, ($goods | count($good))] | min) | add // 0;

def score_schwarzmarkt($seen; $material):
  $seen.goods as $goods
  | (if .card != null then $material.cards[.card].demand // [] else [] end) as $demand
  | if .type == "TYPE_TRADE" then
      if 4 * $material.track[$seen.marker // 0].price >= $material.track[-1].price
      then 2 * (.goods | length) else -200 end
    elif .type == "TYPE_STEP" then -2 * .spaces
    elif $demand != [] then 2 * ($demand | wanted($goods))
    else
      ([.goods // [] | .[] as $good | $goods | count($good)] | add // 0) as $held
      | if .type == "TYPE_RETURN" then 2 * $held else 1 - 2 * $held end
    end;

# Chance: of equally good moves one is drawn. All of it comes from the seed of the bot, so that the
# same match is played the same way again.

def digits: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";
def seeded: reduce (. / "")[] as $digit (1; (. * 65 + (digits | index($digit)) + 1) % 2147483647);
def drawn: . * 16807 % 2147483647;

# Puts the answer to a decision behind those in .said; . holds material and random state by match.
def decide($decision):
  $decision.matchId as $id
  | .matches[$id].material as $material
  | ($decision.byzanz // $decision.schwarzmarkt) as $game
  | [$game.legalMoves[]
     | if $decision.byzanz then score_byzanz($game.observation)
       else score_schwarzmarkt($game.observation; $material) end] as $scores
  | ($scores | max) as $top
  | [$scores | keys[] | select($scores[.] == $top)] as $best
  | if ($best | length) > 1 then .matches[$id].random |= drawn else . end
  | (if ($best | length) > 1 then .matches[$id].random % ($best | length) else 0 end) as $place
  | .said += [{matchId: $id, decisionId: $decision.decisionId, moveIndex: $best[$place]}];

foreach inputs as $message ({matches: {}};
  .said = []
  | if $message.matchStarted then
      ($message.matchStarted as $started
       | .matches[$started.matchId] = {
           material: ($started.byzanz // $started.schwarzmarkt),
           random: ($started.botSeed | seeded)
         })
    elif $message.decisions then
      reduce $message.decisions.decisions[] as $decision (.; decide($decision))
    elif $message.matchEnded then del(.matches[$message.matchEnded.matchId])
    else . end;  # everything else is ignored
  select(.said != []) | {answers: {answers: .said}})
'

echo '{"hello":{"bot":"sensible-sh","version":"1","games":["byzanz","schwarzmarkt"],"maxMatches":16}}'
exec jq --null-input --compact-output --unbuffered "$thinking"
