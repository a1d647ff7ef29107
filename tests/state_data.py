"""What a state of a game holds, whether its class is compiled or not."""

from __future__ import annotations

import inspect
from functools import cache


@cache
def data_of(kind: type) -> list[str]:
    """Return the names of the data that a class declares; there must be some."""
    declared = {name for name, member in vars(kind).items() if inspect.isdatadescriptor(member)}
    names = sorted(name for name in declared if not name.startswith("__"))
    assert names, f"{kind} declares nothing"
    return names
