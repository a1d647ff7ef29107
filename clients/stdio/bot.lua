#!/usr/bin/env lua
-- A sensible bot in Lua 5.3 or newer: no SDK, no packages. README.md says how it thinks.

io.stdout:setvbuf("line") -- each line must go out at once

-- A reader of JSON, as much as there is of it in the arena's lines: null becomes nil.

local ESCAPES = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }
local read_value

local function read_string(text, from)
  local parts = {}
  while true do
    local plain, stop = text:match('^([^"\\]*)()', from)
    parts[#parts + 1] = plain
    if text:sub(stop, stop) == '"' then return table.concat(parts), stop + 1 end
    local sign = text:sub(stop + 1, stop + 1)
    from = stop + 2
    if sign == "u" then
      local code = tonumber(text:sub(from, from + 3), 16)
      from = from + 4
      local low = code >= 0xD800 and code < 0xDC00 and text:match("^\\u(%x%x%x%x)", from)
      if low then
        code = 0x10000 + (code - 0xD800) * 0x400 + tonumber(low, 16) - 0xDC00
        from = from + 6
      end
      parts[#parts + 1] = utf8.char(code)
    else
      parts[#parts + 1] = ESCAPES[sign] or sign
    end
  end
end

local function read_list(text, from)
  local list = {}
  from = text:match("^%s*()", from)
  if text:sub(from, from) == "]" then return list, from + 1 end
  while true do
    list[#list + 1], from = read_value(text, from)
    local sign
    sign, from = text:match("^%s*([,%]])()", from)
    if sign == "]" then return list, from end
  end
end

local function read_object(text, from)
  local object = {}
  from = text:match("^%s*()", from)
  if text:sub(from, from) == "}" then return object, from + 1 end
  while true do
    local key, sign
    key, from = read_string(text, text:match('^%s*"()', from))
    object[key], from = read_value(text, text:match("^%s*:()", from))
    sign, from = text:match("^%s*([,}])()", from)
    if sign == "}" then return object, from end
  end
end

local WORDS = { ["true"] = true, ["false"] = false }

function read_value(text, from)
  local sign, next = text:match("^%s*(.)()", from)
  if sign == "{" then return read_object(text, next) end
  if sign == "[" then return read_list(text, next) end
  if sign == '"' then return read_string(text, next) end
  local word, stop = text:match("^%s*([%w+.-]+)()", from)
  return tonumber(word) or WORDS[word], stop
end

-- Byzanz: a hand is worth the sales in it, whole ones and those that may still come (in hundredths).

local HOPE = { [0] = 0, 30, 65 } -- of the best card of a sale that has so many cards

local function kind_of(card) return (card:gsub("^BYZANZ_CARD_", ""):gsub("_%d$", "")) end

local function value_of(card) return tonumber(card:match("_(%d)$")) or 0 end

local function worth(hand)
  local kinds, total = {}, 0
  for card, number in pairs(hand) do
    local kind = kind_of(card)
    if kind == "TRADER" then
      total = total + 130 * number
    else
      kinds[kind] = kinds[kind] or {}
      for _ = 1, number do table.insert(kinds[kind], value_of(card)) end
    end
  end
  for _, values in pairs(kinds) do
    table.sort(values, function(a, b) return a > b end)
    local sales = #values // 3
    for place = 1, sales do total = total + 100 * values[place] end
    total = total + HOPE[#values % 3] * (values[sales + 1] or 0)
  end
  return total
end

local function add(counts, list, sign)
  for _, each in ipairs(list or {}) do counts[each] = (counts[each] or 0) + sign end
end

local function score_byzanz(move, seen)
  if move.type == "TYPE_DONE" then return 0 end
  local hand = {}
  add(hand, seen.hand, 1)
  if move.type == "TYPE_PASS" then
    add(hand, seen.seats[seen.seat + 1].laid, 1)
  elseif move.type == "TYPE_BID" or move.type == "TYPE_GIVE" then
    add(hand, seen.lot, 1)
  elseif move.type == "TYPE_TAKE" then
    local kind = move.kind:gsub("^BYZANZ_KIND_", "")
    for _, card in ipairs(seen.market) do
      if kind_of(card) == kind then add(hand, { card }, 1) end
    end
  end
  add(hand, move.cards, -1)
  local points = 0
  if move.type == "TYPE_SELL" then
    for _, card in ipairs(move.cards) do points = math.max(points, value_of(card)) end
    points = points > 0 and points or 5
  end
  return worth(hand) + 100 * points
end

-- Schwarzmarkt: sell at a decent price, and play the offers that want what is in the hand.

local function wanted(held, demand)
  local total, numbers = 0, {}
  add(numbers, demand, 1)
  for good, number in pairs(numbers) do total = total + math.min(held[good] or 0, number) end
  return total
end

local function score_schwarzmarkt(move, seen, material)
  local held, track = {}, material.track
  add(held, seen.goods, 1)
  if move.type == "TYPE_TRADE" then
    local is_decent = 4 * track[(seen.marker or 0) + 1].price >= track[#track].price
    return is_decent and 2 * #move.goods or -200
  end
  if move.type == "TYPE_STEP" then return -2 * move.spaces end
  local demand = move.card and material.cards[move.card + 1].demand or {}
  if #demand > 0 then return 2 * wanted(held, demand) end
  local given = 0
  for _, good in ipairs(move.goods or {}) do given = given + (held[good] or 0) end
  return move.type == "TYPE_RETURN" and 2 * given or 1 - 2 * given
end

-- Chance: of equally good moves one is drawn. All of it comes from the bot's seed, so that the same
-- match is played the same way again.

local DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="

local function seeded(bot_seed)
  local state = 1
  for digit in bot_seed:gmatch(".") do
    state = (state * 65 + DIGITS:find(digit, 1, true)) % 2147483647
  end
  return state
end

local function draw(match, limit)
  match.random = match.random * 16807 % 2147483647
  return match.random % limit
end

local matches = {} -- those that run, by id

local function decide(decision)
  local match = matches[decision.matchId]
  local game = decision.byzanz or decision.schwarzmarkt
  local score = decision.byzanz and score_byzanz or score_schwarzmarkt
  local top, best = -math.huge, {}
  for place, move in ipairs(game.legalMoves) do
    local points = score(move, game.observation, match.material)
    if points > top then top, best = points, {} end
    if points == top then best[#best + 1] = place - 1 end
  end
  local index = #best > 1 and best[draw(match, #best) + 1] or best[1]
  return ('{"matchId":"%s","decisionId":%d,"moveIndex":%d}'):format(
    decision.matchId, decision.decisionId, index)
end

print('{"hello":{"bot":"sensible-lua","version":"1","games":["byzanz","schwarzmarkt"],"maxMatches":16}}')

for line in io.lines() do
  local message = read_value(line, 1)
  if message.matchStarted then
    local started = message.matchStarted
    local material = started.byzanz or started.schwarzmarkt
    matches[started.matchId] = { material = material, random = seeded(started.botSeed) }
  elseif message.decisions then
    local answers = {}
    for place, decision in ipairs(message.decisions.decisions) do answers[place] = decide(decision) end
    print('{"answers":{"answers":[' .. table.concat(answers, ",") .. "]}}")
  elseif message.matchEnded then
    matches[message.matchEnded.matchId] = nil
  end -- everything else is ignored
end
