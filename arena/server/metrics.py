"""Figures for Prometheus: kept only where asked for."""

from __future__ import annotations

from arena.referee.faults import SeatFault
from arena.referee.match import PlayedMatch
from arena.referee.player import Question

_SECONDS = (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)


class Metrics:
    """The counters and histograms of one arena."""

    def __init__(self) -> None:
        """Start at zero, in a registry of its own."""
        from prometheus_client import (  # noqa: PLC0415 - slow, and seldom needed
            CollectorRegistry,
            Counter,
            Gauge,
            Histogram,
        )

        self.registry = CollectorRegistry()
        self._decisions = Counter(
            "arena_decisions", "Decisions answered", ["game"], registry=self.registry
        )
        self._latency = Histogram(
            "arena_decision_seconds",
            "Time of a decision by phase: arena (from the answer before to this question written) "
            "and bot (from there to the answer read)",
            ["phase"],
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.sessions = Gauge("arena_sessions", "Sessions", ["phase"], registry=self.registry)
        self.running = Gauge("arena_matches_running", "Matches that run", registry=self.registry)
        self._matches = Counter(
            "arena_matches", "Matches ended", ["game", "ending"], registry=self.registry
        )
        self._faults = Counter("arena_faults", "Faults of seats", ["fault"], registry=self.registry)
        self._arena = self._latency.labels("arena")
        self._bot = self._latency.labels("bot")

    def decided(self, question: Question, at: float) -> None:
        """Count an answer."""
        self._decisions.labels(question.match.game.name).inc()
        # An answer may be here before the write of its question has returned.
        sent_at = at if question.sent_at is None else question.sent_at
        self._arena.observe(sent_at - question.asked_at)
        self._bot.observe(at - sent_at)

    def ended(self, played: PlayedMatch) -> None:
        """Count a match."""
        ending = "void" if played.outcome is None else "played"
        self._matches.labels(played.fixture.game.name, ending).inc()

    def fault(self, fault: SeatFault) -> None:
        """Count a fault."""
        self._faults.labels(fault.fault.value).inc()
