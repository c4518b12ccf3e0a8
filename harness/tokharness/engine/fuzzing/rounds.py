"""Rounds of a campaign: which source their texts come from, and how a worker runs them.

A round is a function of the seed, its number and the corpus of earlier rounds, all of which are in
the request. Therefore a round does not depend on the number of workers, and can be repeated in a
guarded worker.
"""

from __future__ import annotations

import math
import random
import time
from collections import Counter, deque
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from tokharness.engine.fuzzing.features import Features, features_record, new_features
from tokharness.engine.fuzzing.sources.code_points import alphabet_texts, code_point_texts
from tokharness.engine.fuzzing.sources.mutations import RUNS, long_texts, mixtures, mutations
from tokharness.engine.fuzzing.sources.strategies import add_pairs, draw_from_families
from tokharness.engine.fuzzing.sources.vocabulary import Tokens, token_texts, tokens_of
from tokharness.engine.worker.batches import BatchOptions
from tokharness.engine.worker.units import sample_evenly
from tokharness.engine.worker.vocabularies import bytes_of_tokens
from tokharness.outcome import Raised
from tokharness.targets.processes.crashers import Crashers
from tokharness.targets.processes.deadlines import is_asked_to_stop

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.engine.requests import CrasherRows, RoundRequest
    from tokharness.engine.worker.batches import BatchRunner, UnitResult
    from tokharness.model import Batch, Target, TargetFacts
    from tokharness.plugins import Family
    from tokharness.targets.subject import Subject

# Characters of a known fault. Every second round leaves them out, so that other faults show.
#
# If many texts fail, most new failures have the same cause. A character that occurs in several
# failing texts and in no passing text is excluded until a text that contains it passes.

MIN_SHARE, MAX_SHARE = 0.03, 0.9
"""Share of failing texts: below it no other fault is hidden, above it nothing can be inferred."""

MIN_TEXTS = 2
MAX_LENGTH = 400


def update_excluded(
    batches: Sequence[Batch], results: Sequence[UnitResult], excluded: str
) -> dict[str, Any]:
    """Return the characters to exclude, and the ``excluded`` characters to readmit."""
    failing = {text for result in results for texts in result.failing.values() for text in texts}
    texts = [text for batch in batches for text in batch.texts if len(text) <= MAX_LENGTH]
    passing = set("".join(text for text in texts if text not in failing))
    counts: Counter[str] = Counter()
    if texts and MIN_SHARE <= len(failing) / len(texts) <= MAX_SHARE:
        counts.update(chain.from_iterable(map(set, failing)))
    suspects = [
        character
        for character, count in counts.items()
        if count >= MIN_TEXTS and character not in passing
    ]
    return {
        "excluded": "".join(sorted(suspects)),
        "readmitted": "".join(sorted(passing.intersection(excluded))),
    }


# The source of a round's texts, as a function of the round's number.
#
# A round has several hundred texts of one source, which take about a tenth of a second. At first,
# many rounds draw from families, until each family has been drawn from; other sources join and
# mutate texts of the corpus.

LAG = 8
"""A round uses results only up to this many rounds before it, so that workers need not wait."""

SOURCES = {
    "corpus": "texts that an earlier campaign found or added to the corpus",
    "families": "texts that Hypothesis draws from the strategies of all families, joined in pairs",
    "code-points": "every scalar value in turn, several in a text, in contexts that reveal a split",
    "vocabulary": "tokens of the target, joined, cut and with a letter changed",
    "mixtures": "pieces of drawn texts between plain ones",
    "alphabets": "short strings over a few characters that scanners and patterns look for",
    "mutations": "mutations of texts of the corpus",
    "long-texts": "runs and mixtures of up to a million characters",
}
"""Description of each source."""

_FIRST = (
    *("alphabets", "code-points", "families", "mixtures", "families", "vocabulary", "families"),
    *("alphabets", "families", "mutations", "families", "long-texts", "families"),
    *("code-points", "families", "vocabulary", "families", "mixtures", "families"),
)
_LATER = (
    *("code-points", "mutations", "families", "alphabets", "code-points", "vocabulary", "families"),
    *("mixtures", "mutations", "code-points", "alphabets", "families", "mixtures", "long-texts"),
)


@dataclass(frozen=True, slots=True)
class Round:
    """A round: its number, the source of its texts, and the number of earlier rounds of it."""

    number: int
    source: str
    turn: int


def select_sources(*, families_only: bool) -> tuple[str, ...]:
    """Return the sources of a campaign; fewer if the user has selected families."""
    return ("families", "mutations") if families_only else tuple(SOURCES)[1:]


def round_at(number: int, sources: tuple[str, ...]) -> Round:
    """Return the round with this number, from 0, of a campaign with these sources."""
    first = [source for source in _FIRST if source in sources]
    later = [source for source in _LATER if source in sources]
    if number < len(first):
        return Round(number, first[number], first[:number].count(first[number]))
    cycles, index = divmod(number - len(first), len(later))
    source = later[index]
    turn = first.count(source) + cycles * later.count(source) + later[:index].count(source)
    return Round(number, source, turn)


TEXTS = 1500
"""Texts of a round whose source is not Hypothesis: a tenth of a second."""

FIRST_TEXTS = 300
"""Texts of round 0, so that the most frequent causes are reported at once."""

RECHECK_EVERY = 16
"""A check calls the target again for one of this many texts."""

MAX_FAILING = 64
"""Failing texts of a check that a round returns: the shortest, and an even sample."""

MAX_CORPUS = 4096
PIECES_PER_ROUND, MAX_PIECE = 40, 64
"""Drawn texts that are added to the corpus as pieces, and their length in characters."""

MAX_COMPARED = 4000
"""Most characters of a text that is compared; the reference is too slow for longer texts."""


class RoundRunner:
    """Runs the rounds of a campaign that are sent to one worker."""

    def __init__(
        self,
        subject: Subject,
        families: Sequence[Family],
        facts: TargetFacts,
        batches: BatchRunner,
        seed: int,
    ) -> None:
        self._subject, self._facts, self._batches, self._seed = subject, facts, batches, seed
        self._families = [family for family in families if not family.replayed]
        random.Random(seed).shuffle(self._families)
        self._corpus: deque[str] = deque(maxlen=MAX_CORPUS)
        self._known = Features()
        self._features = Features()
        self._split = None if subject.explainer is None else partial(_split, subject.explainer)

    def run(self, request: RoundRequest, *, guarded: bool) -> dict[str, Any]:
        """Run a round; return failing texts, additions to the corpus, exclusions and counts."""
        if request.reset_corpus:
            self._corpus.clear()
            self._known = Features()
        self._add_to_corpus(request.new_corpus)
        source = request.source
        rng = random.Random(f"{self._seed} {request.number}")
        candidates = self._make_texts(source, request, rng)
        allowed = self._filter(candidates, request)
        entry_point = self._subject.target.entry_point
        texts = allowed if guarded else _without_crashers(allowed, request.crashers, entry_point)
        batches: list[Batch] = []
        begin = time.perf_counter()
        left = request.seconds
        parts = _split_by_length(texts, BatchOptions(source, recheck_every=RECHECK_EVERY))
        deadline = math.inf if left is None else begin + left
        on_batch = batches.append if source != "long-texts" else None

        def is_over() -> bool:
            return time.perf_counter() >= deadline or is_asked_to_stop()

        results = [
            self._batches.run(part, options, on_batch=on_batch, is_over=is_over)
            for part, options in parts
        ]
        cases = sum(result.cases for result in results)
        corpus = self._collect_features(batches)
        if source == "families":  # pieces for other sources to join and mutate
            corpus += sample_evenly(
                [text for text in candidates if 0 < len(text) <= MAX_PIECE], PIECES_PER_ROUND
            )
        merged = _merge(results)
        return {
            **merged,
            "left_out": merged["left_out"] + len(allowed) - len(texts),
            "cases": cases,
            "corpus": list(dict.fromkeys(corpus)),
            "seconds": time.perf_counter() - begin,
            **update_excluded(batches, results, request.excluded),
        }

    def features(self) -> dict[str, Any]:
        """Return all features of the texts of this worker, as plain data."""
        return features_record(self._features, self._partial)

    @cached_property
    def _tokens(self) -> Tokens:
        return tokens_of(self._subject)

    @cached_property
    def _partial(self) -> frozenset[int]:
        partial = set(self._tokens.partial)
        tokens = bytes_of_tokens(self._subject).items()
        return frozenset(number for number, token in tokens if token in partial)

    def _add_to_corpus(self, texts: Sequence[str]) -> None:
        """Add what earlier rounds have added to the corpus, and its features."""
        rows = [self._subject.encode(text) for text in texts]
        features, _ = new_features(texts, rows, self._known, self._split, self._partial)
        self._known.add(features)
        self._corpus += texts

    def _collect_features(self, batches: Sequence[Batch]) -> list[str]:
        """Add the features of the batches; return the texts with the most new features."""
        texts = [text for batch in batches for text in batch.texts]
        ids = [row for batch in batches for row in batch.ids]
        features, best = new_features(texts, ids, self._known, self._split, self._partial)
        self._features.add(features)
        return best

    def _make_texts(self, source: str, request: RoundRequest, rng: random.Random) -> list[str]:
        """Make the texts of a round."""
        turn, count = request.turn, TEXTS if request.number else FIRST_TEXTS
        pieces = list(self._corpus) or list(RUNS)
        if source == "corpus":
            return list(request.initial_corpus)
        if source == "families" and self._families:
            return add_pairs(rng, draw_from_families(self._families, self._facts, self._seed, turn))
        if source == "code-points":
            return code_point_texts(rng, self._seed, turn, count)
        if source == "vocabulary" and self._tokens.whole:
            return token_texts(rng, self._tokens, count)
        if source == "alphabets":
            return alphabet_texts(rng, pieces, count)
        if source == "mutations":
            return mutations(rng, pieces, pieces, count)
        if source == "long-texts":
            return long_texts(rng, pieces, turn)
        return mixtures(rng, pieces, count)

    @staticmethod
    def _filter(candidates: list[str], request: RoundRequest) -> list[str]:
        """Drop empty and surplus texts and, in every other round, the excluded characters."""
        if request.excluded and request.number % 2:
            removed = dict.fromkeys(map(ord, request.excluded))
            candidates = [text.translate(removed) for text in candidates]
        return list(dict.fromkeys(filter(None, candidates)))[: request.max_texts]


def _split(explainer: Target, text: str) -> Sequence[str]:
    """Return the pre-tokens of a text; none if the explainer raises."""
    pretokens = explainer.call("pretokens", text)
    return () if isinstance(pretokens, Raised) else pretokens


def _without_crashers(texts: list[str], rows: CrasherRows, entry_point: str) -> list[str]:
    """Drop texts that crash the process, or are so similar that they must run alone."""
    if not rows:
        return texts
    crashers = Crashers(rows)
    return [
        text
        for text in texts
        if not crashers.must_isolate(entry_point, text)
        and not crashers.is_excluded(entry_point, text)
    ]


def _split_by_length(
    texts: list[str], options: BatchOptions
) -> list[tuple[list[str], BatchOptions]]:
    """Separate texts that are too long to be compared or checked again."""
    short = [text for text in texts if len(text) <= MAX_COMPARED]
    long = [text for text in texts if len(text) > MAX_COMPARED]
    long_options = BatchOptions(options.name, compared=False, recheck_every=0)
    return [part for part in ((short, options), (long, long_options)) if part[0]]


def _merge(results: Sequence[UnitResult]) -> dict[str, Any]:
    failing: dict[str, list[str]] = {}
    unseen = [result.unseen for result in results]
    for result in results:
        for code, texts in result.failing.items():
            failing.setdefault(code, []).extend(texts)
    return {
        "failing": {code: _sample(texts) for code, texts in failing.items() if texts},
        "failing_counts": {code: len(texts) for code, texts in failing.items() if texts},
        "left_out": sum(len(result.left_out) for result in results),
        "not_compared": sum(len(result.not_compared) for result in results),
        "encoded": sum(result.encoded for result in results),
        "unseen": sorted(set.intersection(*unseen)) if unseen else [],
    }


def _sample(texts: Sequence[str]) -> list[str]:
    """Reduce very many texts to the shortest and an even sample."""
    if len(texts) <= MAX_FAILING:
        return list(texts)
    shortest = sorted(texts, key=len)[: MAX_FAILING // 2]
    return list(dict.fromkeys([*shortest, *sample_evenly(texts, MAX_FAILING // 2)]))
