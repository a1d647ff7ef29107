"""Packs what `arena init` makes projects of: templates, SDKs and samples.

Hatchling runs this. Exactly the files that projects are made of go into the wheel, so that build
products lying about in clients/ stay out. A source distribution has clients/ anyway, but Hatchling
enters a directory once only, by whichever link: what links lead to is named for it. An editable
install reads clients/ itself.
"""

from __future__ import annotations

import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ShipClients(BuildHookInterface[Any]):
    """Adds files from clients/ to what is built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name the files and their places."""
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        from arena.starter.files import shipped_files  # noqa: PLC0415 - found just now

        is_wheel = self.target_name == "wheel"
        for place, path in shipped_files().items():
            if is_wheel:
                build_data["force_include"][str(path)] = f"arena/starter/clients/{place}"
            elif path.resolve() != path:
                build_data["force_include"][str(path)] = f"clients/{place}"
