"""Comes back after a loss, but as a stranger."""

from __future__ import annotations

import time

import grpc

from tests.examine.bad_bots.raw import RawBot, main


class Bot(RawBot):
    def run(self) -> int:
        while True:
            try:
                return super().run()
            except grpc.RpcError:
                time.sleep(0.2)
                self.__init__()  # type: ignore[misc]


if __name__ == "__main__":
    main(Bot)
