"""All chance of a match, drawn from the deal's seed by hashing: the same on every platform.

The stream of the i-th chance of a kind is the concatenation of the blocks

    HMAC-SHA256(key = seed, message = "KIND/I/BLOCK")        BLOCK = 0, 1, 2, …

where KIND is "shuffle:PILE" or "pick:WHAT", I and BLOCK are decimal numbers from 0, and the text is
UTF-8. It is read as big-endian 32-bit words. A number below n is the next word w with
w < n * (2**32 // n), modulo n; other words are skipped. A shuffle is Fisher-Yates from the last
place down: for place = size-1 … 1, swap with a place below place+1.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from itertools import count as counter
from random import Random
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from mypy_extensions import mypyc_attr

from arena.errors import InputError

if TYPE_CHECKING:
    from hashlib import _Hash

_WORDS: Final = struct.Struct(">8I")
_RANGE: Final = 1 << 32
_HASH_BLOCK: Final = 64  # bytes that SHA-256 reads at a time
_INNER_PAD: Final = bytes(byte ^ 0x36 for byte in range(256))
_OUTER_PAD: Final = bytes(byte ^ 0x5C for byte in range(256))


SEED_BYTES: Final = 32


def read_master_seed(text: str) -> bytes:
    """Return the master seed that a person's text makes: its SHA-256, or what `hex:` spells out.

    Raises InputError for `hex:` without exactly 64 digits.
    """
    if not text.startswith("hex:"):
        return hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()
    try:
        seed = bytes.fromhex(text[4:])
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES:
        raise InputError("--seed hex: takes exactly 64 hexadecimal digits")
    return seed


def deal_seed(master: bytes, number: int) -> bytes:
    """Return the seed of the deal with that number under a master seed."""
    return derive(master, f"deal/{number}")


def bot_seed(master: bytes, match: str, seat: int) -> bytes:
    """Return the seed a bot may draw its own randomness from; unrelated to the deal."""
    return derive(master, f"bot/{match}/{seat}")


def derive(key: bytes, message: str) -> bytes:
    """Return HMAC-SHA256 of `message` under `key`."""
    return hmac.digest(key, message.encode(), "sha256")


CardT = TypeVar("CardT")


def shuffle(cards: list[CardT], rng: Random) -> None:
    """Shuffle in place; draw exactly what `rng.shuffle(cards)` draws, in half the time.

    For sampling. The chance of a match is a `Chance`.
    """
    draw = rng.getrandbits
    for place in range(len(cards) - 1, 0, -1):
        bits = (place + 1).bit_length()
        while (other := draw(bits)) > place:
            pass
        cards[place], cards[other] = cards[other], cards[place]


def choose(number: int, rng: Random) -> int:
    """Return a number below that; draw exactly what `rng.choice` of so many things draws."""
    bits = number.bit_length()
    while (drawn := rng.getrandbits(bits)) >= number:
        pass
    return drawn


class Chance(Protocol):
    """Where a state gets the outcomes of chance from."""

    def shuffle(self, pile: str, cards: Sequence[int]) -> list[int]:
        """Return the cards of the named pile in a new order, top first."""
        ...

    def pick(self, what: str, cards: Sequence[int]) -> int:
        """Return one of `cards`, which is not empty."""
        ...

    def copy(self) -> Chance:
        """Return an independent source that will give the same outcomes."""
        ...


@mypyc_attr(allow_interpreted_subclasses=True, serializable=True)
class SeededChance:
    """Chance derived from a seed; the i-th chance of each kind has a stream of its own."""

    __slots__ = ("_used", "seed")

    def __init__(self, seed: bytes) -> None:
        self.seed = seed
        self._used: dict[str, int] = {}

    def shuffle(self, pile: str, cards: Sequence[int]) -> list[int]:
        """Return the cards of the named pile in a new order, top first."""
        shuffled = list(cards)
        words = self._stream(f"shuffle:{pile}")
        for place in range(len(shuffled) - 1, 0, -1):
            fair = _RANGE - _RANGE % (place + 1)  # _below(), inlined: a deal calls it 111 times
            while (word := next(words)) >= fair:
                pass
            other = word % (place + 1)
            shuffled[place], shuffled[other] = shuffled[other], shuffled[place]
        return shuffled

    def pick(self, what: str, cards: Sequence[int]) -> int:
        """Return one of `cards`, which is not empty."""
        return cards[_below(len(cards), self._stream(f"pick:{what}"))]

    def copy(self) -> SeededChance:
        """Return an independent source that will give the same outcomes."""
        twin = SeededChance(self.seed)
        twin._used = self._used.copy()
        return twin

    def _stream(self, kind: str) -> Iterator[int]:
        index = self._used.get(kind, 0)
        self._used[kind] = index + 1
        return _words(self.seed, f"{kind}/{index}")


def _words(seed: bytes, name: str) -> Iterator[int]:
    inner, outer = _keyed_hashes(seed)

    def block(number: int) -> tuple[int, ...]:
        message, digest = inner.copy(), outer.copy()
        message.update(f"{name}/{number}".encode())
        digest.update(message.digest())
        return _WORDS.unpack(digest.digest())

    return chain.from_iterable(map(block, counter()))


@lru_cache(maxsize=64)
def _keyed_hashes(seed: bytes) -> tuple[_Hash, _Hash]:
    """Return the inner and the outer hash of HMAC that have read their key (RFC 2104).

    Going on with copies of them takes a sixth of the time of `hmac.digest`, which asks OpenSSL for
    everything anew.
    """
    is_short = len(seed) <= _HASH_BLOCK
    key = (seed if is_short else hashlib.sha256(seed).digest()).ljust(_HASH_BLOCK, b"\0")
    return hashlib.sha256(key.translate(_INNER_PAD)), hashlib.sha256(key.translate(_OUTER_PAD))


def _below(number: int, words: Iterator[int]) -> int:
    fair = _RANGE - _RANGE % number
    while (word := next(words)) >= fair:
        pass
    return word % number
