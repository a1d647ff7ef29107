"""The entrance exam of a bot: situations it must survive, and a report card about them."""

from arena.grpc_listener import choose_listener

choose_listener()
