"""Packages that bring a game or a codec: real distributions, made here."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest


def put_on_path(
    place: Path, patch: pytest.MonkeyPatch, group: str, entry: str, **modules: str
) -> None:
    """Put a distribution with one entry point, `name = module:object`, and modules on the path."""
    metadata = place / f"arena_{place.name}-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: arena-{place.name}\nVersion: 1.0\n"
    )
    (metadata / "entry_points.txt").write_text(f"[{group}]\n{entry}\n")
    for module, source in modules.items():
        (place / f"{module}.py").write_text(source)
        patch.delitem(sys.modules, module, raising=False)
    patch.syspath_prepend(place)
