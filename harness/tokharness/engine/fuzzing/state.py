"""State of a campaign: the results of its rounds, merged in the order of their numbers."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from tokharness.checks import crashes_or_hangs
from tokharness.engine.worker.units import sample_evenly
from tokharness.model import Skip

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.engine.fuzzing.rounds import Round
    from tokharness.engine.requests import CrasherRows
    from tokharness.errors import TargetDeath

MAX_FAILING = 1200
"""Failing texts of a check are stored up to twice this number; then every second one is dropped."""

MAX_FAILING_IF_CRASHING = 60
"""Failing texts of a check that are diagnosed if the target crashes, which makes that slow."""

MAX_EXCLUDED = 4000


class CampaignState:
    """Failing texts by check, crashing texts, corpus, excluded characters and counts."""

    def __init__(self, spec: str, first: int) -> None:
        self.spec = spec
        self._failing: dict[str, dict[str, str]] = {}
        self.crashers: CrasherRows = ()
        self.unexplained_deaths: list[tuple[str, str]] = []
        self.corpus_by_round: list[list[str]] = []
        self.excluded_by_round: list[str] = []
        self.texts_by_source: Counter[str] = Counter()
        self.failing_by_source: Counter[str] = Counter()
        self.seconds = 0.0
        self.discovered: dict[tuple[Any, ...], dict[str, Any]] = {}
        self._causes_by_round: list[int] = []
        self._skipped: Counter[str] = Counter()
        self._first = first
        self._excluded: dict[str, None] = {}
        self._waiting: dict[int, tuple[Round, dict[str, Any]]] = {}

    @property
    def failing(self) -> dict[str, dict[str, str]]:
        """Failing texts to diagnose, with the source of each, by the code of the check.

        The first text that showed a cause is always among them.
        """
        limit = MAX_FAILING_IF_CRASHING if self.crashers else 2 * MAX_FAILING
        failing = {
            code: {text: texts[text] for text in sample_evenly(list(texts), limit)}
            for code, texts in self._failing.items()
        }
        for (code, _, _), record in self.discovered.items():
            failing[code].setdefault(record["text"], record["source"])
        return failing

    @property
    def has_crashers(self) -> bool:
        """Whether a text is known that crashes or hangs the target or exhausts its memory."""
        return bool(self.crashers) or bool(self.failing.get(crashes_or_hangs.CODE))

    @property
    def next_round(self) -> int:
        """Number of the first round whose result is missing."""
        return self._first + len(self.corpus_by_round)

    @property
    def texts(self) -> int:
        """Number of texts that have been run."""
        return sum(self.texts_by_source.values())

    def add_round(self, round_: Round, response: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Merge the result of a round, once all earlier rounds are merged; yield its new causes."""
        self._waiting[round_.number] = round_, response
        while self.next_round in self._waiting:
            yield from self._merge(*self._waiting.pop(self.next_round))

    def record_death(self, death: TargetDeath, response: dict[str, Any]) -> None:
        """Record the death of a worker if no single text is known to cause it.

        A round that exceeded the time limit may have been slow for all its texts. A diagnosis may
        also have caused the death; its text is then among the crashing texts.
        """
        if self.is_unexplained(response) and death.reason not in ("time limit", "SIGINT"):
            self.unexplained_deaths.append(("", str(death)))

    @staticmethod
    def is_unexplained(response: dict[str, Any]) -> bool:
        """Whether no text of a round that ran guarded is known to have killed its first worker."""
        explained = any(how for _, _, how, _ in response["crashers"]) or response["left_out"]
        explained = explained or response["failing"].get(crashes_or_hangs.CODE)
        return not explained and not response["not_compared"]

    def new_corpus(self, start: int, end: int) -> list[str]:
        """Texts that the rounds from ``start`` to before ``end`` added to the corpus."""
        rounds = self.corpus_by_round[max(start - self._first, 0) : max(end - self._first, 0)]
        return [text for texts in rounds for text in texts]

    def excluded_before(self, number: int) -> str:
        """Characters that are excluded after all rounds before this one."""
        index = min(number - self._first, len(self.excluded_by_round)) - 1
        return self.excluded_by_round[index] if index >= 0 else ""

    def known_causes_before(self, number: int) -> list[list[Any]]:
        """Causes that are known after all rounds before this one."""
        index = min(number - self._first, len(self._causes_by_round)) - 1
        known = list(self.discovered)[: self._causes_by_round[index]] if index >= 0 else []
        return [[code, kind, [*map(list, parameters)]] for code, kind, parameters in known]

    def skips(self) -> Iterator[Skip]:
        """Yield what was left out."""
        if left_out := self._skipped["left_out"]:
            reason = f"{_texts(left_out)} left out: equal or similar to texts that crash or hang it"
            yield Skip(self.spec, "part of the campaign", reason)
        if not_compared := self._skipped["not_compared"]:
            what = f"comparison of {_texts(not_compared)} of the campaign"
            yield Skip(self.spec, what, "the reference raises, crashes, hangs or gets another text")

    def _merge(self, round_: Round, response: dict[str, Any]) -> Iterator[dict[str, Any]]:
        self._count(round_.source, response)
        for record in response["discovered"]:
            key = (record["code"], record["kind"], tuple(map(tuple, record["parameters"])))
            if key not in self.discovered:
                self.discovered[key] = {**record, "source": round_.source}
                yield record
        self._causes_by_round.append(len(self.discovered))
        self.corpus_by_round.append(response["corpus"])
        self._excluded.update(dict.fromkeys(response["excluded"]))
        for character in response["readmitted"]:
            self._excluded.pop(character, None)
        self.excluded_by_round.append("".join(list(self._excluded)[:MAX_EXCLUDED]))

    def _count(self, source: str, response: dict[str, Any]) -> None:
        self.texts_by_source[source] += response["cases"]
        self.failing_by_source[source] += sum(response["failing_counts"].values())
        self.seconds += response["seconds"]
        self._skipped["left_out"] += response["left_out"]
        self._skipped["not_compared"] += response["not_compared"]
        for code, texts in response["failing"].items():
            stored = self._failing.setdefault(code, {})
            for text in texts:
                stored.setdefault(text, source)
            if len(stored) > 2 * MAX_FAILING:
                self._failing[code] = dict(list(stored.items())[::2])


def _texts(count: int) -> str:
    return "1 text" if count == 1 else f"{count} texts"
