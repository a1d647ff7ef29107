"""The arena in a browser: the documents that pages read, and the hosts that serve them.

`docs/web-documents.md` describes the documents, `docs/web.md` the commands.
"""

from arena.grpc_settings import choose_settings

FORMAT = "arena-web/1"

choose_settings()
