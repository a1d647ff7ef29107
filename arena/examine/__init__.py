"""The entrance exam of a bot: situations it must survive, and a report card about them."""

import arena.grpc_settings  # noqa: F401 - before anything here imports gRPC
