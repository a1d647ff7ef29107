"""Who may play: tokens, stored as hashes, and tickets for bots that the arena launches itself.

A token file is JSON: `{"format": "arena-tokens/1", "tokens": [{"name": ..., "role": ..., "sha256":
...}, ...]}`. Tokens are 32 random bytes, so that one round of SHA-256 hides them well enough.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

from arena.errors import InputError, TokenError

LOG = logging.getLogger("arena.tokens")

FORMAT = "arena-tokens/1"
ROLES = ("bot", "admin")
NAME_LENGTH = 64
_SHA256 = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Grant:
    """What a token is good for; `sha256` is all that is kept of it."""

    name: str
    role: str
    sha256: str


class Admission(Protocol):
    """Decides who may come in."""

    def admit(self, token: str, name: str) -> str:
        """Return the name to play under; raises TokenError."""
        ...


class AdmitAll:
    """Lets everybody in under the name they give. For loopback alone."""

    def admit(self, token: str, name: str) -> str:
        """Return the bot's own name."""
        if not name:
            raise TokenError("the hello must name the bot: set its name")
        return name


class Tickets:
    """Single-use tokens for launched bots, each for one name."""

    def __init__(self) -> None:
        """Start without any."""
        self.last_refusal = ""  # why the last one was refused
        self._names: dict[str, str] = {}

    def issue(self, name: str) -> str:
        """Return a new token that lets one session in under that name."""
        token = secrets.token_urlsafe(32)
        self._names[hash_token(token)] = name
        return token

    def knows(self, token: str) -> bool:
        """Return whether the token is there to be used."""
        return hash_token(token) in self._names

    def withdraw(self, name: str) -> None:
        """Make the unused tokens of a name worthless."""
        self._names = {key: other for key, other in self._names.items() if other != name}

    def admit(self, token: str, name: str) -> str:
        """Use a token up; raises TokenError."""
        found = self._names.pop(hash_token(token), None)
        if found is None:
            self.last_refusal = "this token was already used or never issued: start the bot again"
            raise TokenError(self.last_refusal)
        return found


class TokenFile:
    """The tokens of a standing arena. Read again when the file has changed."""

    def __init__(self, path: Path) -> None:
        """Read the file; raises InputError if it is not a token file."""
        self._path = path
        self._stamp: tuple[int, int] | None = None
        self._grants: dict[str, Grant] = {}
        self._reload()

    def admit(self, token: str, name: str) -> str:
        """Return the name the token was made for; raises TokenError."""
        grant = self.find(token)
        if grant is None:
            advice = "ask the organiser for one" if token else "set ARENA_TOKEN"
            raise TokenError(f"{'unknown token' if token else 'no token'}: {advice}")
        if grant.role != "bot":
            raise TokenError(f"this is a token for the role {grant.role}: play with a bot's token")
        return grant.name

    def find(self, token: str) -> Grant | None:
        """Return what a token is good for, None if nobody was given it."""
        self._refresh()
        return self._grants.get(hash_token(token))

    def _refresh(self) -> None:
        """Read the file again if it has changed; while it is not right the old tokens count."""
        try:
            self._reload()
        except InputError as error:
            LOG.warning("%s; the tokens read before still count", error)

    def _reload(self) -> None:
        try:
            stat = self._path.stat()
        except OSError as error:
            raise InputError(f"{self._path}: cannot be read: {error.strerror}") from None
        stamp = (stat.st_mtime_ns, stat.st_size)
        if stamp != self._stamp:
            self._stamp = stamp  # first: a bad file is complained about once
            self._grants = {grant.sha256: grant for grant in read_grants(self._path)}


class TicketsFirst:
    """Lets launched bots in by their tickets, and others by another admission if there is one."""

    def __init__(self, tickets: Tickets, others: Admission | None) -> None:
        """Ask the tickets first."""
        self._tickets = tickets
        self._others = others

    def admit(self, token: str, name: str) -> str:
        """Return the name to play under; raises TokenError."""
        if self._others is None or self._tickets.knows(token):
            return self._tickets.admit(token, name)
        return self._others.admit(token, name)


def hash_token(token: str) -> str:
    """Return what is stored of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def new_token(name: str, role: str) -> tuple[str, Grant]:
    """Return a new token and what to store of it."""
    token = f"arena-{secrets.token_urlsafe(32)}"
    return token, Grant(name, role, hash_token(token))


def read_grants(path: Path) -> list[Grant]:
    """Return what a token file holds; raises InputError that names the place."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise InputError(f"{path}: not a token file: not JSON") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise InputError(f"{path}: not a token file: format must be {FORMAT!r}")
    grants = []
    entries = content.get("tokens")
    for index, entry in enumerate(entries if isinstance(entries, list) else [None]):
        fields = entry if isinstance(entry, dict) else {}
        texts = [fields.get(key) for key in ("name", "role", "sha256")]
        if set(fields) != {"name", "role", "sha256"} or not all(isinstance(t, str) for t in texts):
            raise InputError(f"{path}: tokens[{index}] must have the texts name, role and sha256")
        if fields["role"] not in ROLES:
            raise InputError(f"{path}: tokens[{index}].role must be {' or '.join(ROLES)}")
        if not 0 < len(fields["name"]) <= NAME_LENGTH or not fields["name"].isprintable():
            raise InputError(
                f"{path}: tokens[{index}].name must be 1 to {NAME_LENGTH} printable characters"
            )
        if not _SHA256.fullmatch(fields["sha256"]):
            raise InputError(f"{path}: tokens[{index}].sha256 must be 64 hexadecimal digits")
        grants.append(Grant(**fields))
    return grants


def grants_to_text(grants: list[Grant]) -> str:
    """Return the content of a token file."""
    return json.dumps({"format": FORMAT, "tokens": [asdict(g) for g in grants]}, indent=1) + "\n"
