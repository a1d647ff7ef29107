/// Write a bot for the arena in C++: everything an author needs.
#pragma once

#include "arena/bot.h"
#include "arena/byzanz.h"
#include "arena/decision.h"
#include "arena/errors.h"
#include "arena/match.h"
#include "arena/program.h"
#include "arena/schwarzmarkt.h"
#include "arena/settings.h"
#include "arena/version.h"
