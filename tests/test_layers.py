"""The layers are drawn as they are: nothing is allowed that the code does not need."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parent.parent


def layers() -> list[list[str]]:
    """Return the packages of each layer, the lowest first."""
    document = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = document["tool"]["importlinter"]["contracts"][0]
    return [re.findall(r"\w+", layer) for layer in reversed(contract["layers"])]


def test_every_package_stands_as_low_as_it_can():
    """Each imports something of the layer right below."""
    graph = grimp.build_graph("arena", cache_dir=None)
    for below, layer in zip(layers(), layers()[1:], strict=False):
        for package in layer:
            lower = [f"arena.{name}" for name in below]
            assert any(
                graph.direct_import_exists(
                    importer=f"arena.{package}", imported=name, as_packages=True
                )
                for name in lower
            ), f"arena.{package} can stand lower"


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_pages_draw_these_layers(page):
    """From the lowest to cli, in the same order."""
    drawn = re.search(
        r"```\n([\w,\s]+(?:<-[\w,\s]+)+)```", (ROOT / page).read_text(encoding="utf-8")
    )
    assert drawn is not None
    assert [re.findall(r"\w+", layer) for layer in drawn[1].split("<-")] == layers()[:-1]
