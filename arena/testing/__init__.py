"""The test kit that ships with arena: for everybody who writes a game or a player.

from arena.testing import check_game

def test_my_game_keeps_the_contract():
    check_game(MyGame())
"""

from arena.testing.kit import check_game
from arena.testing.players import (
    AbsentPlayer,
    CrashingPlayer,
    FailingPlayer,
    FloodingPlayer,
    HastyPlayer,
    IllegalPlayer,
    LatePlayer,
    MisbehavingPlayer,
    ScriptedPlayer,
    SilentPlayer,
    choose_first,
    choose_last,
)
from arena.testing.trial import ContractError
from arena.testing.virtual import (
    StuckError,
    VirtualClock,
    VirtualLoop,
    play_virtually,
    run_virtually,
)
from arena.testing.wire_secrecy import check_wire

__all__ = [
    "AbsentPlayer",
    "ContractError",
    "CrashingPlayer",
    "FailingPlayer",
    "FloodingPlayer",
    "HastyPlayer",
    "IllegalPlayer",
    "LatePlayer",
    "MisbehavingPlayer",
    "ScriptedPlayer",
    "SilentPlayer",
    "StuckError",
    "VirtualClock",
    "VirtualLoop",
    "check_game",
    "check_wire",
    "choose_first",
    "choose_last",
    "play_virtually",
    "run_virtually",
]
