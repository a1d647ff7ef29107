from __future__ import annotations

from pathlib import Path

from arena.sandbox import visible
from arena.sandbox.visible import named_paths, smallest, toolchain, toolchains


def test_a_program_brings_its_installation(tmp_path: Path) -> None:
    """A virtual environment is seen whole, and so is the Python it was made from."""
    home = tmp_path / "home"
    base, venv = home / "pythons/3.11", home / "bot/.venv"
    for place in (base / "bin", base / "lib", venv / "bin"):
        place.mkdir(parents=True)
    (venv / "pyvenv.cfg").touch()
    (base / "bin/python3").touch()
    (venv / "bin/python").symlink_to("python3")
    (venv / "bin/python3").symlink_to(base / "bin/python3")
    assert toolchain(venv / "bin/python", {}, home) == [venv, base]
    script = home / "bot/run"
    script.write_text(f"#!{venv}/bin/python\n")
    assert toolchain(script, {}, home) == [script, venv, base]
    script.write_text("#!/usr/bin/env -S python -u\n")
    assert toolchain(script, {"PATH": f"/nowhere:{venv}/bin"}, home) == [script, venv, base]


def test_packages_installed_by_their_place_are_seen(tmp_path: Path) -> None:
    """What `pip install -e` names is part of an environment, but arena's own sources are not."""
    venv, package = tmp_path / ".venv", tmp_path / "package"
    listed = venv / "lib/python3.11/site-packages/packages.pth"
    for place in (listed.parent, venv / "bin", package):
        place.mkdir(parents=True)
    own = Path(visible.__file__).parents[2]
    listed.write_text(f"import sys\nrelative\n{own}\n{package}\n{tmp_path}/missing\n")
    (venv / "bin/python").touch()
    assert toolchain(venv / "bin/python", {}, tmp_path / "home") == [venv, package]


def test_a_home_directory_is_never_shown_whole(tmp_path: Path) -> None:
    """Programs in ~/bin, ~/.local/bin and ~ show themselves, not what lies beside them."""
    for place in ("bin", ".local/bin", ".local/lib", "lib", ".cargo/bin"):
        (tmp_path / place).mkdir(parents=True)
    (tmp_path / "bot").touch()
    path = (
        f"{tmp_path}/bin:{tmp_path}/.local/bin:{tmp_path}/.cargo/bin:{tmp_path}:relative:/usr/bin"
    )
    seen = [tmp_path / "bin", tmp_path / ".local/bin", tmp_path / ".cargo/bin"]
    assert toolchains({"PATH": path}, tmp_path) == seen
    assert toolchain(tmp_path / "bot", {}, tmp_path) == [tmp_path / "bot"]
    assert named_paths(["x", str(tmp_path / "bot"), str(tmp_path), "/usr"], tmp_path) == [
        tmp_path / "bot"
    ]


def test_what_lies_below_another_path_is_left_out() -> None:
    """Each place is shown once."""
    paths = [Path("/a/b"), Path("/a"), Path("/ab"), Path("/a/b/c")]
    assert smallest(paths) == [Path("/a"), Path("/ab")]


def test_places_that_cannot_be_reached_are_left_out(tmp_path: Path) -> None:
    """PATH may name what this user cannot even look at, or what no file can be called."""
    (tmp_path / "tools/bin").mkdir(parents=True)
    (tmp_path / "tools/lib").mkdir()
    path = f"/{'x' * 300}/bin:{tmp_path}/tools/bin"
    assert toolchains({"PATH": path}, Path("/home/me")) == [tmp_path / "tools"]
