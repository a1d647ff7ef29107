# A sensible bot in AWK, POSIX or GNU: no SDK. README.md says how it thinks.
#
# There is no JSON in AWK. But the arena's lines always have the same fields in the same order, and
# so what is needed is found by looking for a field's name.

# Returns what stands between the brackets of the first list of this name, without quotation marks.
# Good for lists of texts or numbers only.
function list(text, name) {
    if (!match(text, "\"" name "\": *\\[[^]]*\\]")) return ""
    text = substr(text, RSTART, RLENGTH)
    sub(/^[^[]*\[/, "", text)
    sub(/\]$/, "", text)
    gsub(/[" ]/, "", text)
    return text
}

# Returns the first number or text of this name; nothing if there is none.
function field(text, name) {
    if (!match(text, "\"" name "\": *(\"[^\"]*\"|[0-9]+)")) return ""
    text = substr(text, RSTART, RLENGTH)
    sub(/^"[^"]*": */, "", text)
    gsub(/"/, "", text)
    return text
}

# Returns what stands behind the first occurrence of a text.
function behind(text, sign,   place) {
    place = index(text, sign)
    return place ? substr(text, place + length(sign)) : ""
}

function add(counts, names, sign,   parts, number, i) {
    number = split(names, parts, ",")
    for (i = 1; i <= number; i++) counts[parts[i]] += sign
}

# Byzanz: a hand is worth the sales in it, whole ones and those that may still come (in hundredths).

function worth(hand,   i, kind, value, size, sales, total, place, left, card) {
    total = 130 * hand["BYZANZ_CARD_TRADER"]
    for (i = 1; i <= kinds; i++) {
        size = 0
        for (value = 1; value <= 4; value++) size += hand["BYZANZ_CARD_" kind_names[i] "_" value]
        sales = int(size / 3)
        place = 0
        for (value = 4; value >= 1; value--) {
            card = "BYZANZ_CARD_" kind_names[i] "_" value
            for (left = hand[card]; left > 0; left--) {
                if (place < sales) total += 100 * value
                else if (place == sales) total += hope[size % 3] * value
                place++
            }
        }
    }
    return total
}

function score_byzanz(move, type,   hand, cards, kind, parts, number, i, best) {
    if (type == "TYPE_DONE") return 0
    split("", hand)
    cards = list(move, "cards")
    add(hand, seen_hand, 1)
    if (type == "TYPE_PASS") add(hand, seen_laid, 1)
    if (type == "TYPE_BID" || type == "TYPE_GIVE") add(hand, seen_lot, 1)
    if (type == "TYPE_TAKE") {
        kind = field(move, "kind")
        sub(/KIND/, "CARD", kind)
        number = split(seen_market, parts, ",")
        for (i = 1; i <= number; i++) if (index(parts[i], kind) == 1) hand[parts[i]]++
    }
    add(hand, cards, -1)
    if (type != "TYPE_SELL") return worth(hand)
    number = split(cards, parts, ",")
    for (i = 1; i <= number; i++)
        if (parts[i] ~ /_[1-4]$/ && substr(parts[i], length(parts[i])) > best)
            best = substr(parts[i], length(parts[i])) + 0
    return worth(hand) + 100 * (best ? best : 5)
}

function observe_byzanz(seen,   seats, seat) {
    seen_hand = list(seen, "hand")
    seen_lot = list(seen, "lot")
    seen_market = list(seen, "market")
    seat = field(seen, "seat") + 0
    split(behind(seen, "\"seats\":"), seats, /"handSize"/)  # seats[1] is what stands before the first
    seen_laid = list(seats[seat + 2], "laid")
}

# Schwarzmarkt: sell at a decent price, and play the offers that want what is in the hand.

function start_schwarzmarkt(line,   cards, i, number) {
    number = split(behind(line, "\"track\":"), spaces, /"price": */)
    for (i = 2; i <= number; i++) price[i - 2] = spaces[i] + 0
    last_price = price[number - 2]
    number = split(behind(line, "\"cards\":"), cards, /"name": */)
    for (i = 2; i <= number; i++) demand[i - 2] = list(cards[i], "demand")
}

function observe_schwarzmarkt(seen) {
    split("", held)
    add(held, list(seen, "goods"), 1)
    is_decent = 4 * price[field(seen, "marker") + 0] >= last_price
}

function score_schwarzmarkt(move, type,   goods, card, parts, number, i, given) {
    goods = list(move, "goods")
    number = split(goods, parts, ",")
    if (type == "TYPE_TRADE") return is_decent ? 2 * number : -200
    if (type == "TYPE_STEP") return -2 * field(move, "spaces")
    card = field(move, "card")
    if (card != "" && demand[card] != "") return 2 * wanted(demand[card])
    given = 0
    for (i = 1; i <= number; i++) given += held[parts[i]]
    return type == "TYPE_RETURN" ? 2 * given : 1 - 2 * given
}

function wanted(goods,   asked, good, total) {
    split("", asked)
    add(asked, goods, 1)
    for (good in asked) total += asked[good] < held[good] ? asked[good] : held[good]
    return total
}

# Chance: of equally good moves one is drawn. All of it comes from the bot's seed, so that the same
# match is played the same way again.

function seed(text,   i) {
    random = 1
    for (i = 1; i <= length(text); i++)
        random = (random * 65 + index(digits, substr(text, i, 1))) % 2147483647
}

function draw(limit) {
    random = random * 16807 % 2147483647
    return random % limit
}

# Returns the index of the move that scores most. `moves` begins behind the name of the list.
function choose(moves, is_byzanz,   parts, number, i, type, points, top, best, size) {
    sub(/"events": *\[.*/, "", moves)
    number = split(moves, parts, /"type": *"/)
    for (i = 2; i <= number; i++) {
        type = substr(parts[i], 1, index(parts[i], "\"") - 1)
        points = is_byzanz ? score_byzanz(parts[i], type) : score_schwarzmarkt(parts[i], type)
        if (i == 2 || points > top) { top = points; size = 0 }
        if (points == top) best[size++] = i - 2
    }
    return size > 1 ? best[draw(size)] : best[0]
}

function answer(decision,   is_byzanz, seen, id) {
    is_byzanz = decision ~ /"byzanz": *\{/
    seen = behind(decision, "\"observation\":")
    if (is_byzanz) observe_byzanz(seen)
    else observe_schwarzmarkt(seen)
    id = substr(decision, 1, index(decision, "\"") - 1)
    return "{\"matchId\":\"" id "\",\"decisionId\":" field(decision, "decisionId") \
        ",\"moveIndex\":" choose(behind(decision, "\"legalMoves\":"), is_byzanz) "}"
}

BEGIN {
    kinds = split("CLOTH SPICE WINE WOOD GRAIN OLIVES", kind_names, " ")
    split("30 65", hope, " ")  # of the best card of a sale that has so many cards
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
    print "{\"hello\":{\"bot\":\"sensible-awk\",\"version\":\"1\",\"games\":[\"byzanz\",\"schwarzmarkt\"]}}"
    fflush()
}

/^\{"matchStarted":/ {
    seed(field($0, "botSeed"))
    if ($0 ~ /"schwarzmarkt": *\{/) start_schwarzmarkt($0)
}

/^\{"decisions":/ {
    number = split($0, decisions, /"matchId": *"/)  # decisions[1] is what stands before the first
    said = ""
    for (i = 2; i <= number; i++) said = said (i > 2 ? "," : "") answer(decisions[i])
    print "{\"answers\":{\"answers\":[" said "]}}"
    fflush()
}
