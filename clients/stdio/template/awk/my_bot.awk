# {{name}}, a bot for arena. Edit choose(); the code below it talks to the arena.
#
# There is no JSON in AWK. But the arena's lines always have the same fields in the same order, so
# that what is needed can be found by patterns.

# Returns the place of the move to make, from 0. `decision` is a piece of JSON; moves[0] to
# moves[count - 1] are the legal moves, a piece each. draw(n) is a random number below n.
function choose(decision, moves, count,   place, good, gainful) {
    for (place = 0; place < count; place++)
        if (moves[place] ~ /^TYPE_(SELL|TRADE)/) good[gainful++] = place  # these score
    return gainful ? good[draw(gainful)] : draw(count)
}

# Returns the first number or text of this name; nothing if there is none.
function field(text, name) {
    if (!match(text, "\"" name "\":(\"[^\"]*\"|[0-9]+)")) return ""
    text = substr(text, RSTART, RLENGTH)
    sub(/^"[^"]*":/, "", text)
    gsub(/"/, "", text)
    return text
}

# Returns what stands between the brackets of the first list of this name, without quotation marks.
# Good for lists of texts or numbers, such as list(decision, "hand"): split it at the commas.
function list(text, name) {
    if (!match(text, "\"" name "\":\\[[^]]*\\]")) return ""
    text = substr(text, RSTART, RLENGTH)
    sub(/^[^[]*\[/, "", text)
    sub(/\]$/, "", text)
    gsub(/[" ]/, "", text)
    return text
}

# All chance comes from the bot's seed, so that the same match is played the same way again.
function seed(text,   i) {
    random = 1
    for (i = 1; i <= length(text); i++)
        random = (random * 65 + index(DIGITS, substr(text, i, 1))) % 2147483647
}

function draw(limit) {
    random = random * 16807 % 2147483647
    return random % limit
}

function answer(decision,   text, parts, moves, count, i) {
    text = decision
    sub(/.*"legalMoves":/, "", text)
    sub(/"events":\[.*/, "", text)
    count = split(text, parts, /"type":"/) - 1  # parts[1] is what stands before the first
    for (i = 0; i < count; i++) moves[i] = parts[i + 2]
    return "{\"matchId\":\"" field(decision, "matchId") "\",\"decisionId\":" \
        field(decision, "decisionId") ",\"moveIndex\":" choose(decision, moves, count) "}"
}

BEGIN {
    DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
    print "{\"hello\":{\"bot\":\"{{name}}\",\"version\":\"1\",\"games\":[\"byzanz\",\"schwarzmarkt\"]}}"
    fflush()
}

/^\{"matchStarted":/ { seed(field($0, "botSeed")) }

/^\{"decisions":/ {
    number = split($0, decisions, /\{"matchId":/)  # decisions[1] is what stands before the first
    said = ""
    for (i = 2; i <= number; i++) said = said (i > 2 ? "," : "") answer("\"matchId\":" decisions[i])
    print "{\"answers\":{\"answers\":[" said "]}}"
    fflush()
}
