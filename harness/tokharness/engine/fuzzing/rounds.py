"""What a worker does for a campaign: make the texts of a round, try them, see what they reach.

A round is a function of the seed, its number and what rounds before it have kept, all of which the
question says; so it is the same for any number of workers, and can be tried again guarded.
"""

from __future__ import annotations

import math
import random
import time
from collections import deque
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tokharness.engine.fuzzing.alphabets import alphabet_texts
from tokharness.engine.fuzzing.code_points import code_point_texts
from tokharness.engine.fuzzing.excluded import update_excluded
from tokharness.engine.fuzzing.feedback import Features, features_record, new_features
from tokharness.engine.fuzzing.hypothesis_source import add_pairs, draw_from_families
from tokharness.engine.fuzzing.mutators import mutations
from tokharness.engine.fuzzing.splicing import RUNS, long_texts, mixtures
from tokharness.engine.fuzzing.vocabulary import (
    Tokens,
    bytes_of_tokens,
    token_texts,
    tokens_of,
)
from tokharness.engine.worker.batches import BatchOptions
from tokharness.engine.worker.units import sample_evenly
from tokharness.targets.processes.crashers import Deadly
from tokharness.targets.subject import as_ids

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.engine.worker.batches import BatchRunner, UnitResult
    from tokharness.model import Batch, TargetFacts
    from tokharness.plugins import Family
    from tokharness.targets.subject import Subject

__all__ = ["RoundRunner"]

TEXTS = 1500
"""Texts of a round whose source is not Hypothesis: a tenth of a second."""

FIRST_TEXTS = 300
"""Texts of the first round of all, so that what most texts show is told at once."""

STEP = 16
"""Every how manieth text a check may ask the target about once more."""

MOST_FAILING = 64
"""Failing texts of a check in a round that are told: the shortest, and some evenly."""

MOST_KEPT = 4096
PIECES_KEPT, LONGEST_PIECE = 40, 64
MOST_COMPARED = 4000
"""Characters; a longer text takes a reference in plain Python too long."""


class RoundRunner:
    """The rounds of one campaign, as far as one worker tries them."""

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
        self._kept: deque[str] = deque(maxlen=MOST_KEPT)
        self._known = Features()
        self._reached = Features()
        explainer = subject.explainer
        self._split = explainer.tokenizer.pretokens if explainer is not None else None

    def run(self, question: dict[str, Any], *, guarded: bool) -> dict[str, Any]:
        """Try a round; the answer says what failed, what is worth keeping, and counts."""
        if question["anew"]:
            self._kept.clear()
            self._known = Features()
        self._learn(question["news"])
        source = question["source"]
        rng = random.Random(f"{self._seed} {question['number']}")
        made = self._made(source, question, rng)
        wanted = self._allowed(made, question)
        texts = wanted if guarded else _not_deadly(wanted, question["deadly"])
        batches: list[Batch] = []
        begin = time.perf_counter()
        left = question["seconds"]
        parts = _parts(texts, BatchOptions(source, recheck_every=STEP))
        deadline = math.inf if left is None else begin + left
        on_batch = batches.append if source != "long-texts" else None
        done = [
            self._batches.run(part, options, on_batch=on_batch, deadline=deadline)
            for part, options in parts
        ]
        cases = sum(one.cases for one in done)
        kept = self._looked_at(batches)
        if source == "families":  # pieces for others to join and change
            kept += sample_evenly(
                [text for text in made if 0 < len(text) <= LONGEST_PIECE], PIECES_KEPT
            )
        told = _together(done)
        return {
            **told,
            "left_out": told["left_out"] + len(wanted) - len(texts),
            "cases": cases,
            "corpus": list(dict.fromkeys(kept)),
            "seconds": time.perf_counter() - begin,
            **update_excluded(batches, done, question["avoid"]),
        }

    def reached(self) -> dict[str, Any]:
        """Say all that this worker's texts have reached."""
        return features_record(self._reached, self._partial)

    @cached_property
    def _tokens(self) -> Tokens:
        return tokens_of(self._subject)

    @cached_property
    def _partial(self) -> frozenset[int]:
        parts = set(self._tokens.partial)
        known = bytes_of_tokens(self._subject).items()
        return frozenset(number for number, token in known if token in parts)

    def _learn(self, news: Sequence[str]) -> None:
        """Take in what rounds before have kept, and what that has reached."""
        rows = [self._subject.try_encode(text) for text in news]
        found, _ = new_features(news, rows, self._known, self._split, self._partial)
        self._known.add(found)
        self._kept += news

    def _looked_at(self, batches: Sequence[Batch]) -> list[str]:
        texts = [text for batch in batches for text in batch.texts]
        ids = [row for batch in batches for row in batch.ids]
        try:
            found, best = new_features(texts, ids, self._known, self._split, self._partial)
        except TypeError:  # an id that cannot be looked up
            ids = [None if row is None else as_ids(row) for row in ids]
            found, best = new_features(texts, ids, self._known, self._split, self._partial)
        self._reached.add(found)
        return best

    def _made(self, source: str, question: dict[str, Any], rng: random.Random) -> list[str]:
        """Make the texts of a round."""
        turn, count = question["turn"], TEXTS if question["number"] else FIRST_TEXTS
        pieces = list(self._kept) or list(RUNS)
        if source == "corpus":
            return list(question["remembered"])
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
    def _allowed(made: list[str], question: dict[str, Any]) -> list[str]:
        """Leave out what is empty or too much, and every other time what is suspect."""
        if question["avoid"] and question["number"] % 2:
            gone = dict.fromkeys(map(ord, question["avoid"]))
            made = [text.translate(gone) for text in made]
        return list(dict.fromkeys(filter(None, made)))[: question["texts"]]


def _not_deadly(texts: list[str], rows: Sequence[Sequence[Any]]) -> list[str]:
    """Leave out what ends the process, or is near enough to that to be asked about alone."""
    if not rows:
        return texts
    deadly = Deadly(rows)
    return [
        text
        for text in texts
        if not deadly.concerns("encode", text) and not deadly.is_left_out("encode", text)
    ]


def _parts(texts: list[str], options: BatchOptions) -> list[tuple[list[str], BatchOptions]]:
    """Put texts apart that are too long to compare and to ask about once more."""
    short = [text for text in texts if len(text) <= MOST_COMPARED]
    long = [text for text in texts if len(text) > MOST_COMPARED]
    whole = BatchOptions(options.name, compared=False, recheck_every=0)
    return [(some, how) for some, how in ((short, options), (long, whole)) if some]


def _together(done: Sequence[UnitResult]) -> dict[str, Any]:
    failing: dict[str, list[str]] = {}
    for tried in done:
        for code, texts in tried.failing.items():
            failing.setdefault(code, []).extend(texts)
    return {
        "failing": {code: _some(texts) for code, texts in failing.items() if texts},
        "failing_counts": {code: len(texts) for code, texts in failing.items() if texts},
        "left_out": sum(tried.left_out for tried in done),
        "not_compared": sum(tried.not_compared for tried in done),
    }


def _some(texts: Sequence[str]) -> list[str]:
    """Keep the shortest of very many, and some evenly over all."""
    if len(texts) <= MOST_FAILING:
        return list(texts)
    shortest = sorted(texts, key=len)[: MOST_FAILING // 2]
    return list(dict.fromkeys([*shortest, *sample_evenly(texts, MOST_FAILING // 2)]))
