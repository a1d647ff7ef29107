"""Ratings as a function of the outcomes, whatever the order in which matches ended.

Published ratings are the mean over several orders, drawn by lot (`rate_shuffled`); those of a
running tournament are by canonical order, kept up to date match by match (`Rater`).
"""

from __future__ import annotations

import bisect
import hashlib
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from arena.errors import InputError
from arena.rating.models import OpenSkillModel, Rating, RatingModel, ScoreModel, State
from arena.storage.records import StoredMatch

MODELS = ("trueskill", "openskill", "plackett-luce", "score")

Progress = Callable[[int, int], None]
"""Called with how many matches have been rated, and of how many."""

_SNAPSHOT_EVERY = 256  # matches; a match that comes late costs at most so many to be rated again
_PROGRESS_EVERY = 1024
_MAX_TRACKS = 2
_MAX_PASSES = 8
_MIN_PASSES = 2
_RATED = 400_000  # matches, about so many in all passes: 45 s


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What a rating learns from one match."""

    index: int
    bots: tuple[str, ...]
    ranks: tuple[int, ...]
    scores: tuple[int, ...]

    @property
    def ties(self) -> int:
        """How many neighbouring places are tied."""
        return len(self.ranks) - len(set(self.ranks))


@dataclass(frozen=True, slots=True)
class ShuffledRatings:
    """Ratings over several orders of the matches."""

    ratings: Mapping[str, Rating]  # of every bot that has played: the mean
    spread: Mapping[str, float]  # the standard deviation of mu over the orders
    passes: int  # how many orders
    draw_probability: float | None


def rate_shuffled(
    matches: Sequence[StoredMatch],
    model: str,
    key: bytes,
    on_progress: Progress | None = None,
) -> ShuffledRatings:
    """Return the ratings of all bots; raises InputError.

    In pass p, from 0, matches are rated by the order of SHA-256(key ‖ "p" ‖ "/" ‖ id of the match).
    The key has to be settled before play, so that nobody can choose an order.
    """
    uses_draws = make_model(model).draw_probability is not None
    outcomes = {match.fixture.match: _outcome(match) for match in matches}
    places = sum(len(outcome.ranks) - 1 for outcome in outcomes.values())
    draws = observed_draws(sum(outcome.ties for outcome in outcomes.values()), places)
    passes = pass_count(len(outcomes)) if model != ScoreModel.name else 1
    found: list[dict[str, Rating]] = []

    def tell(done: int, _total: int) -> None:
        if on_progress is not None:
            on_progress((len(found) * len(outcomes) + done) // passes, len(outcomes))

    for number in range(passes):
        start = hashlib.sha256(key + f"{number}/".encode())
        track = _Track(make_model(model, draws if uses_draws else 0.0))
        track.extend([outcomes[match] for match in sorted(outcomes, key=_lot(start))], tell)
        found.append({bot: track.model.rating(state) for bot, state in track.states.items()})
    spread = {
        bot: statistics.stdev(each[bot].mu for each in found) if passes > 1 else 0.0
        for bot in sorted(found[0])
    }
    ratings = {
        bot: Rating(
            *(
                statistics.fmean(values)
                for values in zip(*(_numbers(each[bot]) for each in found), strict=True)
            )
        )
        for bot in sorted(found[0])
    }
    return ShuffledRatings(ratings, spread, passes, draws if uses_draws else None)


def pass_count(matches: int) -> int:
    """Return over how many orders of so many matches ratings are averaged."""
    return max(_MIN_PASSES, min(_MAX_PASSES, _RATED // max(matches, 1)))


def _lot(start: hashlib._Hash) -> Callable[[str], bytes]:
    def lot(match: str) -> bytes:
        drawn = start.copy()
        drawn.update(match.encode())
        return drawn.digest()

    return lot


def _numbers(rating: Rating) -> tuple[float, float, float]:
    return rating.mu, rating.sigma, rating.rating


class Rater:
    """Rates matches, in whatever order they are told, as if all had been told in canonical order.

    Lives as long as its tournament: what was rated is not rated again, but for the last few where
    a match comes late, and everything when the observed draw probability changes.
    """

    def __init__(self, model: str = "trueskill") -> None:
        self._name = model
        self._uses_draws = make_model(model).draw_probability is not None  # raises InputError
        self._outcomes: list[_Outcome] = []
        self._ties = 0
        self._places = 0
        # The latest ones, by draw probability: while the observed one wavers between two values,
        # neither is made anew each time.
        self._tracks: dict[float, _Track] = {}

    @property
    def model(self) -> str:
        """The name of its model."""
        return self._name

    @property
    def draw_probability(self) -> float | None:
        """The share of ties observed, as the model uses it; None if the model needs none."""
        return observed_draws(self._ties, self._places) if self._uses_draws else None

    def add(self, matches: Iterable[StoredMatch]) -> None:
        """Take in more matches. Those already known are not counted again."""
        outcomes = self._outcomes
        for match in matches:
            index = match.fixture.index
            place = bisect.bisect_left(outcomes, index, key=_index)
            if place == len(outcomes) or outcomes[place].index != index:
                self._cut(place)
                self._insert(place, _outcome(match))

    def replace(self, matches: Sequence[StoredMatch]) -> None:
        """Make these, in canonical order, all matches that count; what they share is kept."""
        shared = 0
        for known, match in zip(self._outcomes, matches, strict=False):
            if known != _outcome(match):
                break
            shared += 1
        self._cut(shared)
        for outcome in self._outcomes[shared:]:
            self._count(outcome, -1)
        del self._outcomes[shared:]
        for match in matches[shared:]:
            self._insert(len(self._outcomes), _outcome(match))

    def ratings(self, on_progress: Progress | None = None) -> Mapping[str, Rating]:
        """Return the rating of every bot that has played."""
        draws = self.draw_probability or 0.0
        track = self._tracks.pop(draws, None) or _Track(make_model(self._name, draws))
        self._tracks[draws] = track  # the latest is the last
        if len(self._tracks) > _MAX_TRACKS:
            del self._tracks[next(iter(self._tracks))]
        track.extend(self._outcomes, on_progress)
        return {bot: track.model.rating(state) for bot, state in sorted(track.states.items())}

    def start(self) -> Rating:
        """Return the rating of a bot that has not played."""
        model = make_model(self._name)
        return model.rating(model.start())

    def _insert(self, place: int, outcome: _Outcome) -> None:
        self._outcomes.insert(place, outcome)
        self._count(outcome, 1)

    def _count(self, outcome: _Outcome, sign: int) -> None:
        self._ties += sign * outcome.ties
        self._places += sign * (len(outcome.ranks) - 1)

    def _cut(self, place: int) -> None:
        for track in self._tracks.values():
            track.cut(place)


class _Track:
    """One model's way through the outcomes, with places to which it can go back."""

    def __init__(self, model: RatingModel) -> None:
        self.model = model
        self.states: dict[str, State] = {}
        self._rated = 0
        self._snapshots: list[dict[str, State]] = [{}]  # after 0, 1, 2, … times _SNAPSHOT_EVERY

    def cut(self, place: int) -> None:
        """Forget at least all outcomes from that place on."""
        if place >= self._rated:
            return
        kept = place // _SNAPSHOT_EVERY
        del self._snapshots[kept + 1 :]
        self.states = dict(self._snapshots[kept])
        self._rated = kept * _SNAPSHOT_EVERY

    def extend(self, outcomes: Sequence[_Outcome], on_progress: Progress | None) -> None:
        """Rate all outcomes that were not rated yet."""
        states, start = self.states, self.model.start()
        for place in range(self._rated, len(outcomes)):
            outcome = outcomes[place]
            before = [states.get(bot, start) for bot in outcome.bots]
            after = self.model.rate(before, outcome.ranks, outcome.scores)
            states.update(zip(outcome.bots, after, strict=True))
            if (place + 1) % _SNAPSHOT_EVERY == 0:
                self._snapshots.append(dict(states))
            if on_progress is not None and (place + 1) % _PROGRESS_EVERY == 0:
                on_progress(place + 1, len(outcomes))
        self._rated = len(outcomes)
        if on_progress is not None:
            on_progress(self._rated, self._rated)


def make_model(name: str, draw_probability: float = 0.0) -> RatingModel:
    """Return the model of that name; raises InputError if it is unknown or not installed.

    trueskill: mu 25, sigma 25/3, beta 25/6, tau 0; the only one that uses the draw probability.
    openskill: Bradley-Terry with full pairing of Weng and Lin: every two bots of a match are
    compared. plackett-luce: of the same authors: a match is a sequence of choices of the best
    bot left. Both with the same mu, sigma, beta and tau as trueskill.
    score: the mean score; sigma is its standard error over matches.
    """
    match name:
        case "trueskill":
            # Loaded when asked for: it is no small package.
            from arena.rating.trueskill_model import TrueSkillModel  # noqa: PLC0415

            return TrueSkillModel(draw_probability)
        case "openskill":
            return OpenSkillModel(name, "BradleyTerryFull")
        case "plackett-luce":
            return OpenSkillModel(name, "PlackettLuce")
        case "score":
            return ScoreModel()
    raise InputError(f"there is no rating model {name!r}; choose one of {', '.join(MODELS)}")


def observed_draws(ties: int, places: int) -> float:
    """Return the draw probability for so many ties among so many pairs of neighbouring places.

    TrueSkill compares neighbours in the order of a match, so that is where ties are counted: four
    ranks 1, 2, 2, 4 are one tie of three. Rounded to 2 decimals, so that one more match seldom
    changes it; never 0 where there are ties, and never 1, which the model could not explain.
    """
    if not ties:
        return 0.0
    return min(max(round(ties / places, 2), 0.01), 0.99)


def _outcome(match: StoredMatch) -> _Outcome:
    fixture, report = match.fixture, match.report
    return _Outcome(fixture.index, fixture.bots, report.ranks, report.scores)


def _index(outcome: _Outcome) -> int:
    return outcome.index
