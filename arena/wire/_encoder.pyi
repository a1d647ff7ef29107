from typing import Any

from arena.wire.answers import Answer
from arena.wire.layout import Table

class Layout:
    def __init__(self, table: Table) -> None: ...
    def write(self, record: Any) -> bytes: ...

class Reader:
    def __init__(
        self, record: type[Answer], outer: int, inner: int, kinds: tuple[int, ...]
    ) -> None: ...
    def read(self, data: bytes) -> list[Answer] | None: ...
