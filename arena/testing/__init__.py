"""The test kit that ships with arena: for everybody who writes a game or a player.

from arena.testing import check_game

def test_my_game_keeps_the_contract():
    check_game(MyGame())
"""

from arena.testing.kit import check_game
from arena.testing.trial import ContractError

__all__ = ["ContractError", "check_game"]
