#!/usr/bin/env ruby
# A sensible bot in Ruby: no SDK, standard library only. README.md says how it thinks.
require "json"

$stdout.sync = true # each line must go out at once

def say(message)
  puts JSON.generate(message)
end

# Byzanz: a hand is worth the sales in it, whole ones and those that may still come (in hundredths).
module Byzanz
  HOPE = [0, 30, 65].freeze # of the best card of a sale that has so many cards
  TRADER = "BYZANZ_CARD_TRADER".freeze

  module_function

  def kind(card)
    card.delete_prefix("BYZANZ_CARD_").sub(/_\d\z/, "")
  end

  def value(card)
    card == TRADER ? 0 : card[-1].to_i
  end

  def worth(hand)
    traders, goods = hand.partition { |card| card == TRADER }
    130 * traders.size + goods.group_by { |card| kind(card) }.values.sum do |group|
      values = group.map { |card| value(card) }.sort.reverse
      sales, rest = values.size.divmod(3)
      100 * values.take(sales).sum + HOPE[rest] * values.fetch(sales, 0)
    end
  end

  def without(hand, cards)
    cards.each_with_object(hand.dup) { |card, rest| rest.delete_at(rest.index(card)) }
  end

  def gain(move, seen)
    case move["type"]
    when "TYPE_PASS" then seen["seats"][seen["seat"]]["laid"] || []
    when "TYPE_BID", "TYPE_GIVE" then seen["lot"]
    when "TYPE_TAKE"
      wanted = move["kind"].delete_prefix("BYZANZ_KIND_")
      seen["market"].select { |card| kind(card) == wanted }
    else []
    end
  end

  def score(move, seen, _material)
    return 0 if move["type"] == "TYPE_DONE"

    cards = move["cards"] || []
    after = worth(without((seen["hand"] || []) + gain(move, seen), cards))
    return after unless move["type"] == "TYPE_SELL"

    best = cards.map { |card| value(card) }.max
    after + 100 * (best.zero? ? 5 : best)
  end
end

# Schwarzmarkt: sell at a decent price, and play the offers that want what is in the hand.
module Schwarzmarkt
  module_function

  def score(move, seen, material)
    goods = seen["goods"] || []
    case move["type"]
    when "TYPE_TRADE" then decent?(seen, material["track"]) ? 2 * move["goods"].size : -200
    when "TYPE_STEP" then -2 * move["spaces"]
    else
      demand = move.key?("card") ? material["cards"][move["card"]]["demand"] || [] : []
      return 2 * wanted(goods, demand) unless demand.empty?

      held = (move["goods"] || []).sum { |good| goods.count(good) }
      move["type"] == "TYPE_RETURN" ? 2 * held : 1 - 2 * held
    end
  end

  def decent?(seen, track)
    4 * track[seen["marker"] || 0]["price"] >= track.last["price"]
  end

  def wanted(goods, demand)
    demand.tally.sum { |good, number| [goods.count(good), number].min }
  end
end

# Chance: of equally good moves one is drawn. All of it comes from the bot's seed, so that the same
# match is played the same way again.
class Chance
  DIGITS = [*"A".."Z", *"a".."z", *"0".."9", "+", "/", "="].freeze

  def initialize(bot_seed)
    @state = bot_seed.each_char.reduce(1) do |state, digit|
      (state * 65 + DIGITS.index(digit) + 1) % 2_147_483_647
    end
  end

  def draw(limit)
    @state = @state * 16_807 % 2_147_483_647
    @state % limit
  end
end

Match = Struct.new(:material, :chance)

def decide(decision, match)
  game = decision["byzanz"] || decision["schwarzmarkt"]
  rules = decision.key?("byzanz") ? Byzanz : Schwarzmarkt
  scores = game["legalMoves"].map { |move| rules.score(move, game["observation"], match.material) }
  top = scores.max
  best = scores.each_index.select { |index| scores[index] == top }
  index = best.size > 1 ? best[match.chance.draw(best.size)] : best.first
  { matchId: decision["matchId"], decisionId: decision["decisionId"], moveIndex: index }
end

say({ hello: { bot: "sensible-rb", version: "1", games: %w[byzanz schwarzmarkt], maxMatches: 16 } })
matches = {} # those that run, by id

$stdin.each_line do |line|
  message = JSON.parse(line)
  if (started = message["matchStarted"])
    material = started["byzanz"] || started["schwarzmarkt"]
    matches[started["matchId"]] = Match.new(material, Chance.new(started["botSeed"]))
  elsif (decisions = message["decisions"])
    answers = decisions["decisions"].map { |decision| decide(decision, matches[decision["matchId"]]) }
    say({ answers: { answers: answers } })
  elsif (ended = message["matchEnded"])
    matches.delete(ended["matchId"])
  end # everything else is ignored
end
