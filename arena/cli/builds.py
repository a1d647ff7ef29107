"""How builds of bots go on: a live line on a terminal, a line at start and end elsewhere."""

from __future__ import annotations

import asyncio
import shlex
import sys
from dataclasses import dataclass

from arena.cli.terminal import LiveLine
from arena.config.bot_spec import BotSpec
from arena.inert import inert
from arena.launch.build import BuildWatcher

_EVERY_S = 0.2
_LONGEST_LINE = 1000  # bytes; a line that goes on without end is not kept


@dataclass(slots=True)
class _Build:
    """A build that runs."""

    started: float
    last_line: bytes = b""
    unfinished: bytes = b""


class BuildView(BuildWatcher):
    """Shows which bots are being built, for how long, and what their commands print.

    A build that failed is tried again before the bot's next match: only the first time is shown.
    """

    def __init__(self, *, is_shown: bool) -> None:
        """Show something only if asked to; the moving line only on a terminal."""
        self._is_shown = is_shown
        self._line = LiveLine(is_shown=is_shown)
        self._running: dict[str, _Build] = {}
        self._shown: set[str] = set()
        self._timer: asyncio.TimerHandle | None = None

    def begun(self, spec: BotSpec) -> None:
        """Say what is run, and keep the line moving."""
        if spec.name in self._shown:
            return
        self._shown.add(spec.name)
        commands = " && ".join(map(shlex.join, spec.build))
        self._print(f"building {spec.name}: {commands}")
        self._running[spec.name] = _Build(asyncio.get_running_loop().time())
        if self._line.is_live and self._timer is None:
            self._tick()

    def printed(self, spec: BotSpec, chunk: bytes) -> None:
        """Keep the last line that says something."""
        build = self._running.get(spec.name)
        if build is None:
            return
        # Progress bars write over their line: what counts is what stands behind the last return.
        *lines, build.unfinished = (build.unfinished + chunk).replace(b"\r", b"\n").split(b"\n")
        build.unfinished = build.unfinished[-_LONGEST_LINE:]
        said = [line for line in (*lines, build.unfinished) if line.strip()]
        build.last_line = said[-1][:_LONGEST_LINE] if said else build.last_line

    def ended(self, spec: BotSpec, elapsed_s: float, *, is_built: bool) -> None:
        """Say how long it took."""
        if self._running.pop(spec.name, None) is None:
            return
        if not self._running and self._timer is not None:
            self._timer.cancel()
            self._timer = None
        what = f"built {spec.name} in" if is_built else f"building {spec.name} failed after"
        self._print(f"{what} {elapsed_s:.1f} s")

    def _print(self, text: str) -> None:
        if self._is_shown:
            self._line.show("")
            print(inert(text), file=sys.stderr, flush=True)

    def _tick(self) -> None:
        loop = asyncio.get_running_loop()
        name, build = next(iter(self._running.items()))
        more = f" (and {len(self._running) - 1} more)" if len(self._running) > 1 else ""
        text = f"{name}{more}: {loop.time() - build.started:.0f} s"
        last_line = build.last_line.decode(errors="replace").strip()
        self._line.show(inert(f"{text}: {last_line}" if last_line else text))
        self._timer = loop.call_later(_EVERY_S, self._tick)
