from typing import Any

from arena.wire.layout import Table

class Layout:
    def __init__(self, table: Table) -> None: ...
    def write(self, record: Any) -> bytes: ...
