"""Who may play: tokens, stored as hashes, and tickets for bots that the arena launches itself.

A token file is JSON: `{"format": "arena-tokens/1", "tokens": [{"name": ..., "role": ..., "sha256":
...}, ...]}`, where a token may have `expires`, such as `2027-01-31T00:00:00+00:00`. Tokens are 32
random bytes, so that one round of SHA-256 hides them well enough.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
import secrets
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn

from arena.config.bot_fields import check_name, fold_name
from arena.errors import InputError, MessageError, TokenError

LOG = logging.getLogger("arena.tokens")

FORMAT = "arena-tokens/1"
ROLES = ("bot", "admin")
_SHA256 = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Grant:
    """What a token is good for; `sha256` is all that is kept of it."""

    name: str
    role: str
    sha256: str
    expires: datetime | None = None  # aware; None: never

    @property
    def is_expired(self) -> bool:
        """Whether it counts no more."""
        return self.expires is not None and datetime.now(UTC) >= self.expires


class Admission(ABC):
    """Decides who may come in, and who may stay."""

    @abstractmethod
    def admit(self, token: str, name: str, socket: str = "") -> str:
        """Return the name to play under; raises TokenError or MessageError.

        `socket` is the private one that the hello came by; empty for an address that others dial.
        """

    def expects(self, token: str) -> bool:
        """Return whether the arena itself has asked this bot to come: there is room for it."""
        return False

    def refresh(self) -> None:  # noqa: B027 - most have nothing to look at
        """Look at what may have changed; before `still_admits`."""

    def still_admits(self, name: str, sha256: str) -> bool:
        """Return whether a session that came in with the token of this hash may go on."""
        return True


class AdmitAll(Admission):
    """Lets everybody in under the name they give. For loopback alone."""

    def admit(self, token: str, name: str, socket: str = "") -> str:
        """Return the bot's own name, if a bot of a tournament can be called so."""
        if not name:
            raise TokenError("the hello must name the bot: set its name")
        try:
            return check_name(name, "the bot's name")
        except InputError as error:
            raise MessageError(str(error)) from None


class Tickets(Admission):
    """Single-use tokens for launched bots, each for one name that nobody else can have.

    A ticket counts on one socket alone. In a sandbox nobody but the bot that it was made for can
    dial that one: whoever else reads the ticket can do nothing with it.
    """

    def __init__(self) -> None:
        """Start without any."""
        self.last_refusal = ""  # why the last one was refused
        self._issued: dict[str, tuple[str, str]] = {}  # name and socket, by the token's hash
        self._reserved: set[str] = set()

    def reserve(self, name: str) -> None:
        """Keep a name, however it is written, for a bot that the arena launches."""
        self._reserved.add(_base(name))

    def is_reserved(self, name: str) -> bool:
        """Return whether a name is kept for a bot that the arena launches."""
        return _base(name) in self._reserved

    def issue(self, name: str, socket: str = "") -> str:
        """Return a new token that lets one session in under that name, by that socket."""
        self.reserve(name)
        token = secrets.token_urlsafe(32)
        self._issued[hash_token(token)] = name, socket
        return token

    def expects(self, token: str) -> bool:
        """Return whether the token is there to be used."""
        return hash_token(token) in self._issued

    def withdraw(self, name: str) -> None:
        """Make the unused tokens of a name worthless."""
        self._issued = {key: other for key, other in self._issued.items() if other[0] != name}

    def admit(self, token: str, name: str, socket: str = "") -> str:
        """Use a token up; raises TokenError. One that comes by a wrong socket stays good."""
        admitted, expected = self._issued.get(hash_token(token), ("", None))
        if expected is None:
            self._refuse("this token was already used or never issued: start the bot again")
        if expected != socket:
            self._refuse("this token counts only at the address that came with it")
        del self._issued[hash_token(token)]
        return admitted

    def _refuse(self, reason: str) -> NoReturn:
        self.last_refusal = reason
        raise TokenError(reason)


class Tokens:
    """What tokens are good for."""

    def __init__(self, grants: Iterable[Grant] = ()) -> None:
        """Know these."""
        self._grants = {grant.sha256: grant for grant in grants}

    def check(self, token: str) -> Grant:
        """Return what a token is good for; raises TokenError."""
        self.refresh()
        grant = self._grants.get(hash_token(token))
        if grant is not None and not grant.is_expired:
            return grant
        if not token:
            raise TokenError("no token: set ARENA_TOKEN")
        what = "unknown token" if grant is None else "this token has expired"
        raise TokenError(f"{what}: ask the organiser for one")

    def refresh(self) -> None:
        """Look at what may have changed."""


class TokenFile(Tokens, Admission):
    """The tokens of a server. Read again when the file has changed."""

    def __init__(self, path: Path) -> None:
        """Read the file; raises InputError if it is not a token file."""
        super().__init__()
        self._path = path
        self._stamp: tuple[int, int] | None = None
        self._reload()

    def admit(self, token: str, name: str, socket: str = "") -> str:
        """Return the name the token was made for; raises TokenError."""
        grant = self.check(token)
        if grant.role != "bot":
            raise TokenError(f"this is a token for the role {grant.role}: play with a bot's token")
        return grant.name

    def still_admits(self, name: str, sha256: str) -> bool:
        """Return whether the token is still there and has not expired."""
        grant = self._grants.get(sha256)
        return grant is not None and not grant.is_expired

    def refresh(self) -> None:
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


class TicketsFirst(Admission):
    """Lets launched bots in by their tickets, and others by another admission if there is one.

    By a private socket only tickets count: no launched bot comes in as one of the others.
    """

    def __init__(self, tickets: Tickets, others: Admission | None) -> None:
        """Ask the tickets first."""
        self._tickets = tickets
        self._others = others

    def admit(self, token: str, name: str, socket: str = "") -> str:
        """Return the name to play under; raises TokenError."""
        if self._others is None or socket or self._tickets.expects(token):
            return self._tickets.admit(token, name, socket)
        name = self._others.admit(token, name)
        if self._tickets.is_reserved(name):
            raise TokenError(f"{name!r} is a bot that the arena starts itself: use another name")
        return name

    def expects(self, token: str) -> bool:
        """Return whether it is a ticket that is there to be used."""
        return self._tickets.expects(token)

    def refresh(self) -> None:
        """Look at the tokens of the others."""
        if self._others is not None:
            self._others.refresh()

    def still_admits(self, name: str, sha256: str) -> bool:
        """Return whether it is a launched bot, or one of the others that may stay."""
        if self._others is None or self._tickets.is_reserved(name):
            return True
        return self._others.still_admits(name, sha256)


def _base(name: str) -> str:
    """Return the name of a bot, without what is added for a further session of it: `a/3`."""
    return fold_name(name.partition("/")[0])


def hash_token(token: str) -> str:
    """Return what is stored of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def new_token(name: str, role: str, expires: datetime | None = None) -> tuple[str, Grant]:
    """Return a new token and what to store of it."""
    token = f"arena-{secrets.token_urlsafe(32)}"
    return token, Grant(name, role, hash_token(token), expires)


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
    entries = content.get("tokens")
    return [
        _read_grant(f"{path}: tokens[{index}]", entry)
        for index, entry in enumerate(entries if isinstance(entries, list) else [None])
    ]


def _read_grant(where: str, entry: object) -> Grant:
    fields = entry if isinstance(entry, dict) else {}
    texts = [fields.get(key) for key in ("name", "role", "sha256")]
    extra = set(fields) - {"name", "role", "sha256", "expires"}
    if extra or not all(isinstance(text, str) for text in texts):
        raise InputError(f"{where} must have the texts name, role and sha256, and may have expires")
    if fields["role"] not in ROLES:
        raise InputError(f"{where}.role must be {' or '.join(ROLES)}")
    check_name(fields["name"], f"{where}.name")
    if not _SHA256.fullmatch(fields["sha256"]):
        raise InputError(f"{where}.sha256 must be 64 hexadecimal digits")
    return Grant(
        fields["name"],
        fields["role"],
        fields["sha256"],
        _read_expires(where, fields.get("expires")),
    )


def _read_expires(where: str, text: object) -> datetime | None:
    if text is None:
        return None
    try:
        expires = datetime.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        expires = None
    if expires is None or expires.tzinfo is None:
        raise InputError(
            f"{where}.expires must be a time with its zone, such as 2027-01-31T00:00:00+00:00"
        )
    return expires


def grants_to_text(grants: list[Grant]) -> str:
    """Return the content of a token file."""
    return json.dumps({"format": FORMAT, "tokens": list(map(_to_json, grants))}, indent=1) + "\n"


def _to_json(grant: Grant) -> dict[str, str]:
    fields = {"name": grant.name, "role": grant.role, "sha256": grant.sha256}
    return fields | ({"expires": grant.expires.isoformat()} if grant.expires else {})
