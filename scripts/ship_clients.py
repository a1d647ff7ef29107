"""Puts what `arena init` makes projects of into the wheel: templates, SDKs and samples.

Hatchling runs this when it builds the wheel. Exactly the files that projects are made of go in, so
that build products lying about in clients/ stay out; an editable install reads clients/ itself.
"""

from __future__ import annotations

import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ShipClients(BuildHookInterface[Any]):
    """Adds files from clients/ to the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name the files and their places in the wheel."""
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        from arena.starter.files import shipped_files  # noqa: PLC0415

        for place, path in shipped_files().items():
            build_data["force_include"][str(path)] = f"arena/starter/clients/{place}"
