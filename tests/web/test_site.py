from __future__ import annotations

import gzip
import json
import re

import pytest

from arena.cli import main
from arena.errors import InputError
from arena.web.directory import DirectoryDocuments
from arena.web.documents import ReplayFile
from arena.web.pages import load_pages, static_files
from arena.web.single import needed_modules, single_page
from arena.web.site import MARK, write_site
from tests.played_tournament import finish


@pytest.fixture
def cup(tmp_path, high_card):
    directory = finish(tmp_path / "cup")
    (directory / "logs").mkdir()
    (directory / "logs" / "steady.stderr").write_text("a secret of the author")
    return directory


@pytest.mark.slow
def test_a_site_holds_every_document_and_no_logs(cup, tmp_path):
    """All that pages ask for is a file, replays are packed, logs stay at home."""
    out = tmp_path / "site"
    documents = DirectoryDocuments([cup], host="site", shows_logs=False)
    summary = write_site(documents, out)

    home = json.loads((out / "data/home.json").read_bytes())
    assert (home["host"], [each["name"] for each in home["tournaments"]]) == ("site", ["cup"])
    rows = json.loads((out / "data/t/cup/matches/0.json").read_bytes())["matches"]
    assert summary.replays == len(rows)
    for row in rows:
        packed = (out / f"data/t/cup/replays/{row['match']}.json.gz").read_bytes()
        document = json.loads(gzip.decompress(packed))
        replay = (cup / f"replays/{row['match']}.jsonl").read_text(encoding="utf-8")
        assert (document["match"], document["file"]) == (row["match"], replay)
    assert json.loads((out / "data/t/cup/bots/steady/bot.json").read_bytes())["log"] is None
    written = [path.read_bytes() for path in out.rglob("*") if path.is_file()]
    assert not any(b"a secret of the author" in content for content in written)
    assert (out / "match.html").is_file()
    write_site(documents, out)  # over itself


def test_a_site_is_not_written_over_other_files(cup, tmp_path):
    """A directory that holds something else is refused, and stays as it is."""
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "thesis.txt").write_text("mine")

    with pytest.raises(InputError, match="holds other files"):
        write_site(DirectoryDocuments([cup]), tmp_path / "home")
    assert not (tmp_path / "home" / MARK).exists()


def test_a_replay_as_one_file_needs_nothing_else(cup):
    """No address leads out of the file, and only its own scripts may run."""
    replay = next((cup / "replays").iterdir()).read_bytes()
    page = single_page(ReplayFile(replay))

    assert "src=" not in re.sub(r"data:[^\"]*", "", page)
    assert '<link rel="stylesheet"' not in page
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    imports = json.loads(re.findall(r'<script type="importmap">(.*?)</script>', page)[0])
    for address in imports["imports"].values():
        assert address.startswith("data:text/javascript;base64,")


def test_pages_load_their_modules_at_once():
    """A page names every module that it needs, so that none is found only inside another.

    The pages that lead to matches fetch what those need besides; and nothing that a match page
    starts with keeps it from asking for its document.
    """
    files = {path: file.read_bytes() for path, file in static_files([])}
    drawings = [path for path in files if path.startswith("drawings/")]
    parts: dict[str, set[str]] = {}
    for path, content in files.items():
        if path.endswith(".html"):
            page = content.decode()
            entries = re.findall(r'<script type="module"[^>]* src="([^"]+)"', page)
            named = re.findall(r'<link rel="modulepreload" href="([^"]+)"', page)
            drawn = drawings if "js/viewer.js" in named else []
            assert {*named, *entries} == needed_modules(files, [*entries, *drawn]), path
            parts[path] = {*re.findall(r'(?:href|src)="((?:js|css|drawings)/[^"]+)"', page)}
    assert len(drawings) == 2
    for path in ("index.html", "tournament.html", "bot.html"):
        assert parts["match.html"] <= parts[path]
    assert needed_modules(files, ["js/early.js"]) == {"js/early.js", "js/documents.js"}


def test_the_parts_of_pages_are_kept_by_browsers():
    """Pages name their parts by what all of them contain; the plain addresses stay."""
    pages = load_pages([])
    (script,) = re.findall(rb'src="([^"]+/js/home.js)"', pages["index.html"].content)

    assert pages[script.decode()].is_lasting
    assert pages[script.decode()].content == pages["js/home.js"].content
    assert not pages["js/home.js"].is_lasting
    assert not pages[""].is_lasting
    named = re.findall(rb'(?:href|src)="([^"]+\.(?:js|css))"', pages["match.html"].content)
    assert all(pages[part.decode()].is_lasting for part in named)


def test_a_bad_replay_is_named_with_its_line(tmp_path, capsys):
    """`arena replay --html` writes nothing if the replay is wrong."""
    path = tmp_path / "bad.jsonl"
    path.write_text("{}\n")

    assert main(["replay", str(path), "--html", str(tmp_path / "out.html")]) == 1
    assert f"{path}:1:" in capsys.readouterr().err
    assert not (tmp_path / "out.html").exists()


def test_nothing_to_view_is_bad_input(tmp_path, capsys):
    """A directory without results and replays is refused before anything is served."""
    assert main(["view", str(tmp_path), "--no-browser"]) == 2
    assert "neither results" in capsys.readouterr().err
    assert main(["view", str(tmp_path), "--listen", "0.0.0.0:0"]) == 2
    assert "arena site" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("flags", "reason"),
    [
        (["--web", "0.0.0.0:0"], "--behind-proxy"),
        (["--web", "nonsense"], "HOST:PORT"),
        (["--web", "127.0.0.1:0", "--web-cert", "x"], "need each other"),
        (["--web", "127.0.0.1:0", "--db", "x"], "--db needs --results"),
    ],
)
def test_a_web_address_must_be_safe(flags, reason, capsys):
    """Beyond this machine pages need TLS, or a proxy that has it."""
    assert main(["web", *flags]) == 2
    assert reason in capsys.readouterr().err
