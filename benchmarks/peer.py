"""A peer to compare with: kaggle-environments, in-process Python agents, its cheapest long game.

Run by an environment of its own, which `make bench` sets up: the package asks for old versions of
what we use too. Prints decisions per second as JSON.
"""

import json
import sys
import time


def main() -> None:
    """Play rock, paper, scissors, a thousand steps a match, between two agents that do nothing."""
    from kaggle_environments import make  # noqa: PLC0415 - prints complaints when it is imported

    environment = make("rps", debug=False)
    until = time.perf_counter() + float(sys.argv[1])
    decisions, start = 0, time.perf_counter()
    while time.perf_counter() < until:
        environment.reset()
        environment.run([_first, _first])
        decisions += 2 * (len(environment.steps) - 1)
    print(json.dumps({"decisions": decisions, "seconds": time.perf_counter() - start}))


def _first(observation: object, configuration: object) -> int:
    return 0


main()
