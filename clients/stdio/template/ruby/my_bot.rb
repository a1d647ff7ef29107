# {{name}}, a bot for arena. Edit choose; the code below it talks to the arena.
require "json"

GAINFUL = %w[TYPE_SELL TYPE_TRADE].freeze # moves that score, in Byzanz and Schwarzmarkt

# Returns the place of the move to make. `game` holds the observation, the legal moves and the events
# since the last decision; `match` is how the match began. `random` is as random as the seed of the
# match: the same match is played the same way again.
def choose(game, _match, random)
  places = game["legalMoves"].each_index.to_a
  gainful = places.select { |place| GAINFUL.include?(game["legalMoves"][place]["type"]) }
  (gainful.empty? ? places : gainful).sample(random: random)
end

$stdout.sync = true # each line must go out at once

Match = Struct.new(:started, :random)

def say(message)
  puts JSON.generate(message)
end

def answer(decision, match)
  game = decision["byzanz"] || decision["schwarzmarkt"]
  index = choose(game, match.started, match.random)
  { matchId: decision["matchId"], decisionId: decision["decisionId"], moveIndex: index }
end

say({ hello: { bot: "{{name}}", version: "1", games: %w[byzanz schwarzmarkt] } })
matches = {} # those that run, by id

$stdin.each_line do |line|
  message = JSON.parse(line)
  if (started = message["matchStarted"])
    seed = started["botSeed"].unpack1("m").unpack1("H*").to_i(16) # all of its bytes
    matches[started["matchId"]] = Match.new(started, Random.new(seed))
  elsif (decisions = message["decisions"])
    answers = decisions["decisions"].map { |decision| answer(decision, matches[decision["matchId"]]) }
    say({ answers: { answers: answers } })
  elsif (ended = message["matchEnded"])
    matches.delete(ended["matchId"])
  end # everything else is ignored
end
