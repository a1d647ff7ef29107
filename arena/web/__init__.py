"""The arena in a browser: the documents that pages read, and the hosts that serve them.

`docs/web-documents.md` describes the documents, `docs/web.md` the commands.
"""

FORMAT = "arena-web/1"
