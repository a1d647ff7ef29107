"""The entrance exam of a bot: situations it must survive, and a report card about them."""

from arena.grpc_settings import choose_settings

choose_settings()
