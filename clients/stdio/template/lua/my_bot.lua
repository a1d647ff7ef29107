-- {{name}}, a bot for arena. Edit choose(); the code below it talks to the arena.

local GAINFUL = { TYPE_SELL = true, TYPE_TRADE = true } -- moves that score, in Byzanz and Schwarzmarkt

-- Returns the place of the move to make, from 0. `game` holds the observation, the legal moves and
-- the events since the last decision; `match` is how the match began. draw(n) is a random number
-- from 1 to n.
local function choose(game, match, draw)
  local places, gainful = {}, {}
  for place, move in ipairs(game.legalMoves) do
    places[#places + 1] = place - 1
    if GAINFUL[move.type] then gainful[#gainful + 1] = place - 1 end
  end
  local good = #gainful > 0 and gainful or places
  return good[draw(#good)]
end

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

-- Returns a function that draws numbers. They depend on the seed alone: the same match is played the
-- same way again.
local function chance(bot_seed)
  local state = 1
  for sign in bot_seed:gmatch(".") do state = (state * 257 + sign:byte()) % 2147483647 end
  return function(limit)
    state = state * 16807 % 2147483647
    return state % limit + 1
  end
end

local matches = {} -- those that run, by id: how each began, and its chance

local function answer(decision)
  local match = matches[decision.matchId]
  local index = choose(decision.byzanz or decision.schwarzmarkt, match.started, match.draw)
  return ('{"matchId":"%s","decisionId":%d,"moveIndex":%d}'):format(
    decision.matchId, decision.decisionId, index)
end

print('{"hello":{"bot":"{{name}}","version":"1","games":["byzanz","schwarzmarkt"]}}')

for line in io.lines() do
  local message = read_value(line, 1)
  if message.matchStarted then
    local started = message.matchStarted
    matches[started.matchId] = { started = started, draw = chance(started.botSeed) }
  elseif message.decisions then
    local answers = {}
    for place, decision in ipairs(message.decisions.decisions) do answers[place] = answer(decision) end
    print('{"answers":{"answers":[' .. table.concat(answers, ",") .. "]}}")
  elseif message.matchEnded then
    matches[message.matchEnded.matchId] = nil
  end -- everything else is ignored
end
