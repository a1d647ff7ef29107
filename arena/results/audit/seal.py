"""The chain over finished matches, the manifest and its signature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.counted import counted
from arena.errors import InputError
from arena.results.archive import Archive, read_bytes
from arena.results.audit.report import AuditReport
from arena.results.chain_file import CHAIN_FILE, read_chain
from arena.results.export import Release
from arena.results.manifest import MANIFEST_FILE, SIGNATURE_FILE, read_manifest
from arena.results.timing_file import TIMING_FILE, digest
from arena.signing import is_signed
from arena.storage.chain import ChainLink, broken_links, first_link, result_digest


@dataclass(frozen=True, slots=True)
class Evidence:
    """What whoever verifies has from elsewhere."""

    key: str | None = None  # the organiser's public key
    chain: str | None = None  # a link that was told, or the path of an earlier copy of the file


def check_chain(
    report: AuditReport,
    stored: Archive | None,
    listed: Archive,
    release: Release,
    evidence: Evidence,
) -> None:
    """Check the chain, in the file and the database, and results against it."""
    path = report.directory / CHAIN_FILE
    first, chain = first_link(listed.tournament), _read(report, path)
    if chain is None and evidence.chain is not None:
        report.add(path, None, "is missing")
    if chain is None and not (stored and stored.chain):
        report.notes.append(
            f"there is no {CHAIN_FILE}: whether matches were rewritten is not known"
        )
        return
    if chain is None:
        assert stored is not None
        report.add(path, None, "is missing; `arena rate` writes it")
        chain = (first, stored.chain)
    _check_links(report, path, first, *chain)
    links = chain[1]
    if stored is not None:
        _compare_stored(report, path, links, stored.chain, release)
    if evidence.chain is not None:
        _check_copy(report, path, links, evidence.chain)
    _check_results(report, path, listed, links, release)
    report.chain = {link.match: link for link in links}  # one that was played again counts at last


def _read(report: AuditReport, path: Path) -> tuple[str, Sequence[ChainLink]] | None:
    try:
        data = read_bytes(path)
    except FileNotFoundError:
        return None
    if data and not data.endswith(b"\n"):
        report.notes.append(f"the last line of {CHAIN_FILE} is cut off: arena was killed")
    return read_chain(data, path)


def _check_links(
    report: AuditReport, path: Path, due: str, first: str, chain: Sequence[ChainLink]
) -> None:
    if first != due:
        report.add(path, 1, "is not the chain of this tournament: another seed, game or bots")
    for place in broken_links(first, chain):
        report.add(path, place + 1, "does not follow from the lines before")


def _compare_stored(
    report: AuditReport,
    path: Path,
    links: Sequence[ChainLink],
    stored: Sequence[ChainLink],
    release: Release,
) -> None:
    for place, (told, kept) in enumerate(zip(links, stored, strict=False)):
        if told != kept:
            report.add(path, place + 2, "is not the link that the database has")
            return
    if len(links) > len(stored) or (release.is_complete and len(links) < len(stored)):
        report.add(
            path, None, f"has {counted(len(links), 'link')}, but the database has {len(stored):,}"
        )


def _check_copy(report: AuditReport, path: Path, links: Sequence[ChainLink], copy: str) -> None:
    """Compare with what somebody has kept."""
    known = {link.link for link in links}
    if len(copy) == 64 and set(copy) <= set("0123456789abcdef"):
        if copy not in known:
            report.add(path, None, f"link {copy[:16]}… is not in it: matches were rewritten")
        return
    try:
        _, kept = read_chain(read_bytes(Path(copy)), Path(copy))
    except FileNotFoundError:
        raise InputError(f"{copy}: is neither a file nor a link of 64 digits 0-9a-f") from None
    for place, link in enumerate(kept):
        if place >= len(links) or links[place] != link:
            report.add(path, place + 2, f"is not what {copy} has there: matches were rewritten")
            return


def _check_results(
    report: AuditReport,
    path: Path,
    listed: Archive,
    links: Sequence[ChainLink],
    release: Release,
) -> None:
    found = {link.match: (place, link) for place, link in enumerate(links)}
    if again := len(links) - len(found):
        report.notes.append(
            f"played again after they were lost, and in the chain twice: "
            f"{counted(again, 'match', 'es')}"
        )
    for match in listed.matches:
        name = match.fixture.match
        place, link = found.pop(name, (0, None))
        if link is None:
            report.add(path, None, f"match {name} is missing")
        elif link.result != result_digest(listed.tournament.seed, match.report):
            report.add(path, place + 2, f"is not the result of match {name} as it is listed")
    for name, (place, _) in found.items():
        if release.is_complete:
            report.add(path, place + 2, f"match {name} is not listed, but was stored once")


def check_manifest(report: AuditReport, listed: Archive, evidence: Evidence) -> None:
    """Check what it is about, the sums of the files, the end of the chain, and the signature."""
    path = report.directory / MANIFEST_FILE
    try:
        data = read_bytes(path)
    except FileNotFoundError:
        if evidence.key is not None:
            report.add(path, None, "is missing, so nothing here is signed")
        else:
            report.notes.append(f"there is no {MANIFEST_FILE}: nothing here is signed")
        return
    manifest = read_manifest(data, path)
    if manifest.tournament != listed.tournament.name:
        report.add(path, None, f"is of the tournament {manifest.tournament!r}, another one")
    if listed.timing is not None and not report.accuses(report.directory / TIMING_FILE):
        said = (manifest.arena, manifest.is_complete)
        if said != (listed.timing.arena, listed.timing.is_complete):
            report.add(path, None, f"has another arena or another state than {TIMING_FILE}")
    for name, due in manifest.files.items():
        if report.accuses(report.directory / name):
            continue  # what is wrong with it has been told
        try:
            is_same = digest(read_bytes(report.directory / Path(name).name)) == due
        except FileNotFoundError:
            report.add(path, None, f"lists {name}, which is missing")
            continue
        if not is_same:
            report.add(path, None, f"has another sum of {name}: one of them was changed")
    ends = {(link.place, link.link) for link in report.chain.values()}
    if manifest.chain is not None and manifest.chain not in ends:
        report.add(path, None, f"has another link of {CHAIN_FILE}: one of them was changed")
    _check_signature(report, data, manifest.key, evidence.key)


def _check_signature(report: AuditReport, data: bytes, said: str | None, key: str | None) -> None:
    path = report.directory / SIGNATURE_FILE
    try:
        signature = read_bytes(path)
    except FileNotFoundError:
        if said is not None or key is not None:
            report.add(path, None, "is missing: the manifest is not signed")
        return
    if said is None:
        report.add(path, None, f"is there, but {MANIFEST_FILE} names no key")
        return
    if key is None:
        report.notes.append(f"signed by {said}; to check that, give the organiser's key: --key")
    elif said != key:
        report.add(path, None, f"is by another key: {said}")
    elif not is_signed(key, data, signature):
        report.add(path, None, f"is not the signature of {MANIFEST_FILE}: one of them was changed")
    else:
        report.notes.append(f"signed by {said}")
