"""What the rounds of a campaign have told, taken in by their numbers, whoever was first."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from tokharness.checks import crashes_or_hangs
from tokharness.engine.worker.units import sample_evenly
from tokharness.model import Skip

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.engine.fuzzing.schedule import Round
    from tokharness.errors import TargetDeath

__all__ = ["CampaignState"]

MOST_OF_A_CHECK = 1200
"""Failing texts of a check that are diagnosed at the end; with more every second one is left out.
"""

MOST_IF_DEADLY = 60

MOST_AVOIDED = 4000


class CampaignState:
    """Failing texts by check, what is deadly, suspect characters and counts, of whole rounds."""

    def __init__(self, target: str, first: int) -> None:
        self.target = target
        self._failing: dict[str, dict[str, str]] = {}
        self.deadly: Sequence[Sequence[Any]] = ()
        self.unexplained: list[tuple[str, str]] = []
        self.corpus_by_round: list[list[str]] = []
        self.excluded_by_round: list[str] = []
        self.texts_by_source: Counter[str] = Counter()
        self.failing_by_source: Counter[str] = Counter()
        self.seconds = 0.0
        self.discovered: dict[tuple[Any, ...], dict[str, Any]] = {}
        self._known: list[int] = []
        self._lost: Counter[str] = Counter()
        self._first = first
        self._avoid: dict[str, None] = {}
        self._early: dict[int, tuple[Round, dict[str, Any]]] = {}

    @property
    def failing(self) -> dict[str, dict[str, str]]:
        """Failing texts to diagnose, with the source of each, by the code of the check.

        The text that was the first to show a cause is always among them.
        """
        # To diagnose a deadly target is to ask another process about each text, and to have it die.
        most = MOST_IF_DEADLY if self.deadly else 2 * MOST_OF_A_CHECK
        found = {
            code: {text: texts[text] for text in sample_evenly(list(texts), most)}
            for code, texts in self._failing.items()
        }
        for (code, _, _), record in self.discovered.items():
            found[code].setdefault(record["text"], record["source"])
        return found

    @property
    def is_deadly(self) -> bool:
        """Whether a text is known that ends the target's process or takes its memory."""
        return bool(self.deadly) or bool(self.failing.get(crashes_or_hangs.CODE))

    @property
    def next_round(self) -> int:
        """Number of the round before which all have been taken in."""
        return self._first + len(self.corpus_by_round)

    @property
    def texts(self) -> int:
        """How many texts have been tried."""
        return sum(self.texts_by_source.values())

    def add_round(self, one: Round, answer: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Take a round in, when all before it are in; give what it is the first to show."""
        self._early[one.number] = one, answer
        while self.next_round in self._early:
            yield from self._take(*self._early.pop(self.next_round))

    def record_death(self, death: TargetDeath, answer: dict[str, Any]) -> None:
        """Keep a death that no text brings about alone, as far as that is known.

        A round that took too long may have been slow in all its texts. A worker may have died of
        what a diagnosis asked about, which is among what is known to be deadly.
        """
        known = any(how for _, _, how, _ in answer["deadly"]) or answer["left_out"]
        known = known or answer["failing"].get(crashes_or_hangs.CODE) or answer["not_compared"]
        if not known and death.how not in ("time limit", "SIGINT"):
            self.unexplained.append(("", str(death)))

    def new_corpus(self, start: int, end: int) -> list[str]:
        """Texts kept by the rounds from one number to before another."""
        part = self.corpus_by_round[max(start - self._first, 0) : max(end - self._first, 0)]
        return [text for some in part for text in some]

    def excluded_before(self, number: int) -> str:
        """Characters that were suspect when all rounds before this one were in."""
        place = min(number - self._first, len(self.excluded_by_round)) - 1
        return self.excluded_by_round[place] if place >= 0 else ""

    def known_causes_before(self, number: int) -> list[list[Any]]:
        """Causes that were known when all rounds before this one were in."""
        place = min(number - self._first, len(self._known)) - 1
        known = list(self.discovered)[: self._known[place]] if place >= 0 else []
        return [[code, kind, [*map(list, parameters)]] for code, kind, parameters in known]

    def skips(self) -> Iterator[Skip]:
        """Tell what was left out."""
        if left_out := self._lost["left_out"]:
            reason = f"{left_out} texts hold, or resemble, texts that crash or hang the target"
            yield Skip(self.target, "part of the campaign", reason)
        if not_compared := self._lost["not_compared"]:
            what = f"comparison of {not_compared} texts of the campaign"
            reason = "the reference raises, or its process ends or hangs, on them"
            yield Skip(self.target, what, reason)

    def _take(self, one: Round, answer: dict[str, Any]) -> Iterator[dict[str, Any]]:
        self._count(one.source, answer)
        for record in answer["discovered"]:
            key = (record["code"], record["kind"], tuple(map(tuple, record["parameters"])))
            if key not in self.discovered:
                self.discovered[key] = {**record, "source": one.source}
                yield record
        self._known.append(len(self.discovered))
        self.corpus_by_round.append(answer["corpus"])
        self._avoid.update(dict.fromkeys(answer["excluded"]))
        for character in answer["readmitted"]:
            self._avoid.pop(character, None)
        self.excluded_by_round.append("".join(list(self._avoid)[:MOST_AVOIDED]))

    def _count(self, source: str, answer: dict[str, Any]) -> None:
        self.texts_by_source[source] += answer["cases"]
        self.failing_by_source[source] += sum(answer["failing_counts"].values())
        self.seconds += answer["seconds"]
        self._lost["left_out"] += answer["left_out"]
        self._lost["not_compared"] += answer["not_compared"]
        for code, texts in answer["failing"].items():
            known = self._failing.setdefault(code, {})
            for text in texts:
                known.setdefault(text, source)
            if len(known) > 2 * MOST_OF_A_CHECK:
                self._failing[code] = dict(list(known.items())[::2])
