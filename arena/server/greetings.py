"""Streams on which nobody has said hello yet: so many, and the silent ones give way to others."""

from __future__ import annotations

import asyncio

from arena.server.limits import SessionLimits

Place = asyncio.Future[None]


class Greetings:
    """The places for streams that are still to say hello, by host and by connection.

    Nobody is refused for want of a place. A bot says hello as it opens its stream, so whoever
    has waited longest is silent on purpose: the oldest stream of the connection that has most, on
    the host that has most, gives way. So those who come back, or have a token, are always heard.
    """

    def __init__(self, limits: SessionLimits) -> None:
        """Start without any."""
        self._most = limits.max_hellos
        self._most_of_connection = limits.max_hellos_of_connection
        self._count = 0
        self._hosts: dict[str, dict[str, dict[Place, None]]] = {}  # oldest first

    def begin(self, peer: str) -> Place:
        """Take a place for a stream of a peer, as gRPC writes it; done when it has to give way."""
        waiting = self._hosts.get(host_of(peer), {}).get(peer, {})
        if len(waiting) >= self._most_of_connection and not _is_unix(peer):
            self._give_way(peer, waiting)
        elif self._count >= self._most:
            connections = max(self._hosts.values(), key=_count)
            self._give_way(*max(connections.items(), key=lambda item: len(item[1])))
        place: Place = asyncio.get_running_loop().create_future()
        self._hosts.setdefault(host_of(peer), {}).setdefault(peer, {})[place] = None
        self._count += 1
        return place

    def end(self, peer: str, place: Place) -> None:
        """Leave a place that was taken, unless it was given up before."""
        host = host_of(peer)
        waiting = self._hosts.get(host, {}).get(peer, {})
        if place in waiting:
            del waiting[place]
            self._count -= 1
            if not waiting:
                del self._hosts[host][peer]
                if not self._hosts[host]:
                    del self._hosts[host]

    def _give_way(self, peer: str, waiting: dict[Place, None]) -> None:
        oldest = next(iter(waiting))
        oldest.set_result(None)
        self.end(peer, oldest)


def host_of(peer: str) -> str:
    """Return a peer without its port, such as `ipv4:127.0.0.1`."""
    return peer if _is_unix(peer) else peer.rpartition(":")[0]


def _is_unix(peer: str) -> bool:
    """Return whether it is on a unix socket, where all connections look the same."""
    return peer.startswith("unix:")


def _count(connections: dict[str, dict[Place, None]]) -> int:
    return sum(map(len, connections.values()))
