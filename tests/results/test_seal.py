"""The chain over finished matches, the manifest and its signature."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from arena.cli import main
from arena.errors import ResultsError
from arena.results.audit.audit import audit_results
from arena.results.audit.report import AuditReport
from arena.results.audit.seal import Evidence
from arena.results.export import ChainPublisher, export_results
from arena.results.manifest import MANIFEST_FILE
from arena.schedule.deals import make_fixture
from arena.signing import OrganiserKey, make_key, public_pem, read_public
from arena.storage.opening import open_store
from arena.storage.rows import pack
from arena.storage.sql_store import SqlStore
from tests.played_tournament import OWNER, create, finish, play, publish

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("high_card")]

MATCHES = 12


@pytest.fixture
def directory(tmp_path) -> Path:
    return finish(tmp_path / "copy")


@pytest.fixture
def key(tmp_path) -> OrganiserKey:
    return make_key(tmp_path / "key.pem")


@pytest.fixture
def half(tmp_path):
    """A tournament of which 5 matches of 24 have been played."""
    tournament = create(tmp_path / "half", game="highcard")
    tournament.play(5)
    yield tournament
    tournament.store.close()


def told(report: AuditReport) -> str:
    return "\n".join(map(str, report.problems))


class TestChain:
    def test_every_match_has_a_link(self, directory):
        """The chain has a line for each match, and each follows from those before."""
        lines = (directory / "chain.jsonl").read_text().splitlines()

        assert len(lines) == MATCHES + 1
        assert json.loads(lines[0])["format"] == "arena-chain/1"
        assert audit_results(directory).is_ok

    def test_the_order_is_that_of_storing(self, tmp_path):
        """Matches may end in any order: the chain keeps it, the other files do not depend on it."""
        files = []
        for name, turn in (("one", 1), ("other", -1)):
            tournament = create(tmp_path / name, game="highcard", rounds=1)
            game = tournament.config.configured_game()
            for claim in tournament.store.claim(OWNER, MATCHES)[::turn]:
                fixture = make_fixture(
                    game, tournament.config.master, claim.fixture, tournament.versions
                )
                assert tournament.store.finish(OWNER, claim, play(fixture))
            export_results(tournament.store, tournament.directory)
            tournament.store.close()
            assert audit_results(tournament.directory).is_ok
            files.append({p.name: p.read_bytes() for p in tournament.directory.glob("*.*")})

        assert files[0]["matches.jsonl"] == files[1]["matches.jsonl"]
        assert files[0]["leaderboard.json"] == files[1]["leaderboard.json"]
        assert files[0]["chain.jsonl"] != files[1]["chain.jsonl"]

    def test_it_grows(self, half):
        """What was published stays as it is; what is new is appended, and a cut line completed."""
        publisher = ChainPublisher(half.directory)
        path = half.directory / "chain.jsonl"
        publisher.publish(half.store)
        before = path.read_bytes()
        half.play(3)
        publisher.publish(half.store)
        after = path.read_bytes()
        assert after.startswith(before)
        assert after.count(b"\n") == 9
        path.write_bytes(after[:-30])  # as a kill leaves it
        ChainPublisher(half.directory).publish(half.store)

        assert path.read_bytes() == after

    def test_an_older_database(self, half):
        """A database that lacks published matches is not gone on with."""
        ChainPublisher(half.directory).publish(half.store)
        path = half.directory / "chain.jsonl"
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join(lines[:-1]) + lines[-1].replace(b'"place":5', b'"place":6'))
        with pytest.raises(ResultsError, match=r"chain.jsonl:6: does not agree with the database"):
            ChainPublisher(half.directory).publish(half.store)
        with pytest.raises(ResultsError, match="does not agree with the database"):
            export_results(half.store, half.directory)

    def test_an_earlier_arena(self, half):
        """Matches that were stored without a chain are linked before the next one."""
        half.store._database.write(lambda: half.store._database.execute("DELETE FROM chain"))
        half.play()
        export_results(half.store, half.directory)

        assert audit_results(half.directory).is_ok
        assert len(list(half.store.chain())) == 24

    def test_pages(self, half):
        """The chain is read from any place, as much of it as asked for."""
        links = list(half.store.chain())

        assert [link.place for link in links] == [1, 2, 3, 4, 5]
        assert list(half.store.chain(2, 2)) == links[2:4]
        assert list(half.store.chain(5)) == []

    def test_it_tells_nothing_of_a_result(self, half):
        """The digest of a result depends on the master seed, which is secret during play."""
        other = create(half.directory.parent / "x", game="highcard", seed="8")
        other.play(5)
        links = [[link.result for link in t.store.chain()] for t in (half, other)]
        other.store.close()

        assert not set(links[0]) & set(links[1])

    @pytest.mark.parametrize("keeps_database", [True, False])
    def test_a_changed_time(self, directory, keeps_database):
        """A replay is covered to its last byte, in the database too."""
        if keeps_database:
            (directory / "replays" / "1-1.jsonl").unlink()
            with open_store(directory / "arena.db", "small", is_read_only=True) as store:
                text = store.replay("1-1") or ""
            changed = re.sub(r'"ms":[\d.]+', '"ms":7.7', text, count=1)
            with closing(sqlite3.connect(directory / "arena.db")) as database:
                sql = 'UPDATE results SET replay = ? WHERE "index" = 0'
                database.execute(sql, (pack(changed),))
                database.commit()
        else:
            publish(directory)
            path = directory / "replays" / "1-1.jsonl"
            path.write_text(re.sub(r'"ms":[\d.]+', '"ms":7.7', path.read_text(), count=1))
        report = audit_results(directory, allows_missing=True)

        assert "not the one that chain.jsonl tells of" in told(report)
        assert len(report.problems) == 1

    def test_a_copy_from_before(self, directory, tmp_path):
        """Whoever has kept the chain, or one link of it, finds out that it was rewritten."""
        kept = tmp_path / "kept.jsonl"
        lines = (directory / "chain.jsonl").read_text().splitlines(keepends=True)
        kept.write_text("".join(lines[:6]))
        link = json.loads(lines[4])["link"]
        for copy in (str(kept), link):
            assert audit_results(directory, evidence=Evidence(chain=copy)).is_ok
        # The same matches, stored once more by somebody who can rewrite everything.
        with closing(sqlite3.connect(directory / "arena.db")) as database:
            database.execute("DELETE FROM chain WHERE place > 2")
            database.commit()
        with open_store(directory / "arena.db", "small") as store:
            last = list(store.matches())[-1].fixture
            assert isinstance(store, SqlStore)
            store._database.write(lambda: store._chain(1, last.index, last.match, "00", "00"))
        (directory / "chain.jsonl").unlink()
        with open_store(directory / "arena.db", "small") as store:
            export_results(store, directory)
        for copy in (str(kept), link):
            report = audit_results(directory, evidence=Evidence(chain=copy))
            assert "matches were rewritten" in told(report)

    def test_a_dropped_match(self, directory):
        """A match that was taken out everywhere is still in the chain."""
        publish(directory)
        path = directory / "matches.jsonl"
        path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))
        report = audit_results(directory)

        assert re.search(
            r"chain.jsonl:\d+: match \d+-\d+ is not listed, but was stored", told(report)
        )


class TestManifest:
    def test_a_changed_file(self, directory):
        """A file that was changed has another sum."""
        publish(directory)
        path = directory / "timing.json"  # of which nothing else tells what it was
        path.write_text(path.read_text() + "\n")

        assert "manifest.json: has another sum of timing.json" in told(audit_results(directory))

    def test_signed(self, half, key):
        """What an organiser has signed is checked with the public key, and by OpenSSL too."""
        half.play()
        export_results(half.store, half.directory, key=key)
        report = audit_results(half.directory, evidence=Evidence(key=key.public))
        assert (report.problems, report.notes) == ([], [f"signed by {key.public}"])
        if shutil.which("openssl"):
            public = half.directory.parent / "key.pub"
            public.write_text(public_pem(key.public))
            assert read_public(str(public)) == key.public
            command = ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", str(public), "-rawin"]
            command += ["-in", str(half.directory / MANIFEST_FILE)]
            command += ["-sigfile", str(half.directory / "manifest.sig")]
            assert subprocess.run(command, check=False, capture_output=True).returncode == 0

    def test_by_another_key(self, half, key, tmp_path):
        """Whoever rewrites results and signs them himself is found by the key."""
        export_results(half.store, half.directory, key=make_key(tmp_path / "thief.pem"))
        report = audit_results(half.directory, evidence=Evidence(key=key.public))

        assert "manifest.sig: is by another key: ed25519:" in told(report)

    def test_a_manifest_made_anew(self, half, key):
        """A manifest that was changed after it was signed is found."""
        export_results(half.store, half.directory, key=key)
        path = half.directory / MANIFEST_FILE
        path.write_text(path.read_text().replace('"tournament"', ' "tournament"'))
        report = audit_results(half.directory, evidence=Evidence(key=key.public))

        assert told(report).endswith(
            "manifest.sig: is not the signature of manifest.json: one of them was changed"
        )

    @pytest.mark.parametrize("name", ["manifest.json", "manifest.sig"])
    def test_taken_away(self, half, key, name):
        """With --key what is not signed is wrong."""
        export_results(half.store, half.directory, key=key)
        (half.directory / name).unlink()
        report = audit_results(half.directory, evidence=Evidence(key=key.public))

        assert re.search(rf"{name}: is missing", told(report))

    def test_made_again_without_the_key(self, half, key):
        """Exports that come out the same keep their signature; others lose it."""
        half.play()
        export_results(half.store, half.directory, key=key)
        signature = (half.directory / "manifest.sig").read_bytes()
        export_results(half.store, half.directory)
        assert (half.directory / "manifest.sig").read_bytes() == signature
        (half.directory / "replays" / "1-1.jsonl").unlink()
        export_results(half.store, half.directory, replays=0)

        assert not (half.directory / "manifest.sig").exists()
        assert audit_results(half.directory).is_ok


class TestCommand:
    def test_key(self, tmp_path, capsys, monkeypatch):
        """A key is made once, only for its owner to read, and shown."""
        path = tmp_path / "settings" / "key.pem"
        monkeypatch.setenv("ARENA_KEY", str(path))
        assert main(["key", "make"]) == 0
        public = capsys.readouterr().out.split("\n")[0]
        assert path.stat().st_mode & 0o777 == 0o600
        assert main(["key", "show"]) == 0
        assert capsys.readouterr().out == f"{public}\n"
        assert main(["key", "make"]) == 2
        assert "exists; it was not changed" in capsys.readouterr().err

    @pytest.mark.parametrize("text", ["ed25519:12", "nowhere.pub"])
    def test_no_key(self, directory, capsys, text):
        """What is no key is bad input."""
        assert main(["verify", str(directory), "--key", text]) == 2
        assert text in capsys.readouterr().err

    def test_verify(self, directory, capsys, key):
        """--key refuses results that nobody has signed."""
        assert main(["verify", "--quiet", str(directory), "--key", key.public]) == 1
        assert "manifest.sig: is missing: the manifest is not signed" in capsys.readouterr().out
