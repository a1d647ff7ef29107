/// The messages of the protocol, arena::v1. Every field is explained in proto/arena/v1.
#pragma once

#include "arena/v1/byzanz.pb.h"
#include "arena/v1/play.pb.h"
#include "arena/v1/schwarzmarkt.pb.h"
