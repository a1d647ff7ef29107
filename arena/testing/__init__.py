"""The test kit that ships with arena: for everybody who writes a game or a player.

from arena.testing import check_game

def test_my_game_keeps_the_contract():
    check_game(MyGame())
"""

from arena.testing.kit import ContractError, check_game

__all__ = ["ContractError", "check_game"]
