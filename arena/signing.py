"""Ed25519 keys of organisers: made, read, used.

Keys are PEM files as OpenSSL reads and writes them, and a signature is its 64 bytes, so that
anybody can check one without arena. The arithmetic is that of the package cryptography, which is
needed only where there is a key.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from arena.errors import InputError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (
        Ed25519PrivateKey,
        Ed25519PublicKey,
    )

KEY_VARIABLE = "ARENA_KEY"
PREFIX = "ed25519:"

_PRIVATE = 0o600
_PUBLIC_BYTES = 32
_LARGEST_FILE = 10_000


@dataclass(frozen=True, slots=True)
class OrganiserKey:
    """A private key; `public` is the other half, as text."""

    public: str
    _private: Ed25519PrivateKey = field(repr=False)

    def sign(self, data: bytes) -> bytes:
        """Return the signature of these bytes."""
        return self._private.sign(data)


def default_path(environ: Mapping[str, str]) -> Path:
    """Return where the organiser's key is: as ARENA_KEY says, or in the user's settings."""
    if environ.get(KEY_VARIABLE):
        return Path(environ[KEY_VARIABLE])
    home = environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(home, "arena", "key.pem")


def find_key(environ: Mapping[str, str]) -> OrganiserKey | None:
    """Return the organiser's key, None if there is none, or if ARENA_KEY is set to nothing.

    Raises InputError if there is one that cannot be used.
    """
    if environ.get(KEY_VARIABLE) == "":
        return None
    path = default_path(environ)
    if not environ.get(KEY_VARIABLE) and not path.exists():
        return None
    return read_private(path)


def make_key(path: Path) -> OrganiserKey:
    """Write a new key; raises InputError if there is something already, or it cannot be written."""
    ed25519, serialization = _library()
    private = ed25519.Ed25519PrivateKey.generate()
    text = private.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE)
        with os.fdopen(descriptor, "wb") as file:
            file.write(text)
    except FileExistsError:
        raise InputError(f"{path} exists; it was not changed: name another file") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from None
    return OrganiserKey(_text(private.public_key()), private)


def read_private(path: Path) -> OrganiserKey:
    """Return the key in a file; raises InputError."""
    data = _read(path)
    ed25519, serialization = _library()
    try:
        private = serialization.load_pem_private_key(data, None)
    except (ValueError, TypeError):
        raise InputError(f"{path}: not a private key without a password (PEM)") from None
    if not isinstance(private, ed25519.Ed25519PrivateKey):
        raise InputError(f"{path}: not an Ed25519 key; make one with `arena key make`")
    return OrganiserKey(_text(private.public_key()), private)


def read_public(text: str) -> str:
    """Return the public key that `ed25519:…` or a file names; that of a private key, too."""
    if text.startswith(PREFIX):
        digits = text.removeprefix(PREFIX)
        if len(digits) != 2 * _PUBLIC_BYTES or not set(digits) <= set("0123456789abcdef"):
            raise InputError(f"{text!r}: after {PREFIX} come 64 digits 0-9a-f")
        return text
    data = _read(Path(text))
    if b"PRIVATE KEY" in data:
        return read_private(Path(text)).public
    ed25519, serialization = _library()
    try:
        public = serialization.load_pem_public_key(data)
    except ValueError:
        raise InputError(f"{text}: not a public key (PEM)") from None
    if not isinstance(public, ed25519.Ed25519PublicKey):
        raise InputError(f"{text}: not an Ed25519 key")
    return _text(public)


def public_pem(public: str) -> str:
    """Return a public key as a PEM file."""
    _, serialization = _library()
    key = _public_key(public)
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    return str(key.public_bytes(serialization.Encoding.PEM, form).decode())


def is_signed(public: str, data: bytes, signature: bytes) -> bool:
    """Return whether the signature is that of these bytes by this key."""
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - only where needed

    try:
        _public_key(public).verify(signature, data)
    except InvalidSignature:
        return False
    return True


def _public_key(public: str) -> Ed25519PublicKey:
    ed25519, _ = _library()
    digits = public.removeprefix(PREFIX)
    key: Ed25519PublicKey = ed25519.Ed25519PublicKey.from_public_bytes(bytes.fromhex(digits))
    return key


def _text(public: Ed25519PublicKey) -> str:
    return f"{PREFIX}{public.public_bytes_raw().hex()}"


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_LARGEST_FILE)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None


def _library() -> tuple[ModuleType, ModuleType]:
    try:
        from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 - only where needed
        from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - likewise
    except ImportError:
        raise InputError(
            "signing needs the package cryptography: pip install 'arena-server[sign]'. "
            f"Without it, set {KEY_VARIABLE} to nothing: results are then not signed"
        ) from None
    return ed25519, serialization
