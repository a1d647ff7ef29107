"""Packs what the files of the package alone do not make up; Hatchling runs this.

- What `arena init` makes projects of: templates, SDKs and samples. Exactly these files go into the
  wheel, so that build products lying about in clients/ stay out. A source distribution has clients/
  anyway, but Hatchling enters a directory once only, by whichever link: what links lead to is named
  for it. An editable install reads clients/ itself.
- The rules of the games, which web pages show.
- The compiled encoder, where there is a compiler: the wheel is then one for this platform. With
  ARENA_COMPILE in the environment the rules are compiled, too, which takes half a minute.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Ship(BuildHookInterface[Any]):
    """Adds files to what is built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name the files and their places."""
        for place in (self.root, f"{self.root}/scripts"):
            sys.path.insert(0, place)
        if self.target_name == "wheel":
            self._ship_encoder(build_data, is_editable=version == "editable")
        if version != "editable":
            self._ship_clients(build_data)
        if version != "editable" and self.target_name == "wheel":  # an editable one reads docs/
            for rules in sorted(Path(self.root, "docs", "rules").glob("*.md")):
                build_data["force_include"][str(rules)] = f"arena/web/rules/{rules.name}"

    def _ship_clients(self, build_data: dict[str, Any]) -> None:
        from arena.starter.files import shipped_files  # noqa: PLC0415 - found just now

        for place, path in shipped_files().items():
            if self.target_name == "wheel":
                build_data["force_include"][str(path)] = f"arena/starter/clients/{place}"
            elif path.resolve() != path:
                build_data["force_include"][str(path)] = f"clients/{place}"

    def _ship_encoder(self, build_data: dict[str, Any], *, is_editable: bool) -> None:
        from compile_encoder import MODULE, SOURCE, compile_encoder  # noqa: PLC0415 - likewise

        target = SOURCE.with_name(MODULE)
        if not is_editable:
            target = Path(tempfile.mkdtemp(prefix="arena-")) / MODULE
        trouble = compile_encoder(target)
        if trouble is not None:
            self.app.display_warning(f"arena stays pure Python, which is slower: {trouble}")
        elif not is_editable:
            build_data["force_include"][str(target)] = f"arena/wire/{MODULE}"
            build_data["pure_python"] = False
            build_data["infer_tag"] = True
            if os.environ.get("ARENA_COMPILE"):
                self._ship_rules(build_data)

    def _ship_rules(self, build_data: dict[str, Any]) -> None:
        from compile_rules import DIRECTORY, compile_rules  # noqa: PLC0415 - likewise

        trouble = compile_rules()
        if trouble is None:
            build_data["force_include"][DIRECTORY] = "arena/_compiled"
        else:
            self.app.display_warning(f"the rules stay pure Python, which is slower: {trouble}")
