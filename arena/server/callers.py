"""Who calls a service for people: their token travels in the metadata of the call."""

from __future__ import annotations

import ipaddress
from collections.abc import Collection
from typing import Any

import grpc.aio

from arena.errors import ForbiddenError, TokenError
from arena.server.auth import Tokens

AUTHORIZATION = "authorization"
SCHEME = "Bearer "

Context = grpc.aio.ServicerContext[Any, Any]


class Callers:
    """Decides who may organise and who may read.

    With a token file a token of the role admin may do both, a bot's may read. Without one an arena
    listens on this machine only: then whoever dials from here may do everything.
    """

    def __init__(self, tokens: Tokens | None) -> None:
        """Ask these tokens; None: there are none."""
        self._tokens = tokens

    def shows_token_of_admin(self, context: Context) -> bool:
        """Return whether an organiser calls and proves it: where nobody has a token, nobody does.

        For what the bots of this very machine must not see.
        """
        try:
            return self._tokens is not None and self._tokens.check(_token(context)).role == "admin"
        except TokenError:
            return False

    def check_admin(self, context: Context) -> None:
        """Raise TokenError or ForbiddenError unless an organiser calls."""
        if not self.check_reader(context):
            raise ForbiddenError("this is a bot's token: use one of the role admin")

    def check_author(self, context: Context, bot: str) -> None:
        """Raise TokenError or ForbiddenError unless an organiser or a bot's author proves it."""
        grant = None if self._tokens is None else self._tokens.check(_token(context))
        if grant is None or (grant.role != "admin" and grant.name != bot):
            raise ForbiddenError(
                "a log is for the bot's author and for organisers: use the token of the bot, or "
                "one of the role admin"
            )

    def check_table(self, context: Context, bots: Collection[str]) -> None:
        """Raise TokenError or ForbiddenError unless the caller may seat these bots."""
        if self.check_reader(context) or self._tokens is None:
            return
        if self._tokens.check(_token(context)).name not in bots:
            raise ForbiddenError("a bot's token starts only matches in which that bot plays")

    def check_reader(self, context: Context) -> bool:
        """Return whether an organiser calls; raises TokenError unless a bot's author does."""
        if self._tokens is None:
            if not _is_local(context.peer()):
                raise TokenError("this server has no tokens: only its own machine may call it")
            return True
        return self._tokens.check(_token(context)).role == "admin"


def _token(context: Context) -> str:
    for key, value in context.invocation_metadata() or ():
        if key == AUTHORIZATION and isinstance(value, str) and value.startswith(SCHEME):
            return value.removeprefix(SCHEME).strip()
    return ""


def _is_local(peer: str) -> bool:
    """Return whether a peer, as gRPC writes it, is on this machine: `ipv4:127.0.0.1:5000`."""
    kind, _, rest = peer.partition(":")
    if kind == "unix":
        return True
    host = rest.rpartition(":")[0].replace("%5B", "[").replace("%5D", "]").strip("[]")
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return address.is_loopback or bool(mapped and mapped.is_loopback)
