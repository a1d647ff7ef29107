#!/usr/bin/env bash
# {{name}}, a bot for arena. Edit choose; the code below it talks to the arena.
#
# There is no JSON in Bash. But the arena's lines always have the same fields in the same order, so
# that what is needed can be found by patterns. Where more is to be known, jq reads it well.

# Sets `index` to the place of the move to make. $1 is the decision, a piece of JSON; `moves` are the
# legal moves, a piece each, the first at 0. `draw N` sets `drawn` to a random number below N.
choose() {
    local place gainful=()
    for place in "${!moves[@]}"; do
        case ${moves[place]} in
            TYPE_SELL* | TYPE_TRADE*) gainful+=("$place") ;; # these score, in Byzanz and Schwarzmarkt
        esac
    done
    if ((${#gainful[@]})); then
        draw ${#gainful[@]}
        index=${gainful[drawn]}
    else
        draw ${#moves[@]}
        index=$drawn
    fi
}

# All chance comes from the bot's seed, so that the same match is played the same way again.
seed() {
    local place code
    state=1
    for ((place = 0; place < ${#1}; place++)); do
        printf -v code %d "'${1:place:1}"
        state=$(((state * 257 + code) % 2147483647))
    done
}

draw() {
    state=$((state * 16807 % 2147483647))
    drawn=$((state % $1))
}

# Sets `found` to the text or number that stands behind a field's name in a piece of JSON.
find_field() {
    [[ $2 =~ \"$1\":\ *\"?([^\",}]*) ]]
    found=${BASH_REMATCH[1]}
}

# Sets `pieces` to what stands between the occurrences of a text.
split_at() {
    local rest=$2
    pieces=()
    while [[ $rest == *"$1"* ]]; do
        pieces+=("${rest%%"$1"*}")
        rest=${rest#*"$1"}
    done
    pieces+=("$rest")
}

# Sets `said` to the answer to a decision.
answer() {
    local decision=$1 id number
    find_field matchId "$decision" && id=$found
    find_field decisionId "$decision" && number=$found
    decision=${decision//'"type": "'/'"type":"'}
    decision=${decision#*'"legalMoves":'}
    split_at '"type":"' "${decision%%'"events":'*}"
    moves=("${pieces[@]:1}")
    choose "$1"
    said="{\"matchId\":\"$id\",\"decisionId\":$number,\"moveIndex\":$index}"
}

echo '{"hello":{"bot":"{{name}}","version":"1","games":["byzanz","schwarzmarkt"]}}'

while IFS= read -r line; do
    case $line in
        '{"matchStarted":'*)
            find_field botSeed "$line" && seed "$found"
            ;;
        '{"decisions":'*)
            split_at '{"matchId":' "$line"
            answers=()
            for piece in "${pieces[@]:1}"; do
                answer "\"matchId\":$piece"
                answers+=("$said")
            done
            (IFS=, && echo "{\"answers\":{\"answers\":[${answers[*]}]}}")
            ;;
    esac # everything else is ignored
done
