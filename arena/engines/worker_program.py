"""`python -m arena.engines.worker_program` is a worker (see worker.py), loaded quickly."""

from __future__ import annotations

from arena.loading import load

if __name__ == "__main__":
    load("arena.engines.worker").main()
