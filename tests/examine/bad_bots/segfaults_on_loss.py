"""Is killed when its connection is lost."""

from __future__ import annotations

import os
import signal

import grpc

from tests.examine.bad_bots.raw import RawBot, main


class Bot(RawBot):
    def run(self) -> int:
        try:
            return super().run()
        except grpc.RpcError:
            os.kill(os.getpid(), signal.SIGSEGV)
            raise


if __name__ == "__main__":
    main(Bot)
