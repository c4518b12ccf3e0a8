"""State that the checks and diagnoses of a subject share during a run."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from tokharness.targets.comparison import Answers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from tokharness.model import Cause

Value = TypeVar("Value")


class Cache:
    """Values that are computed once a run."""

    def __init__(self) -> None:
        self._values: dict[str, Any] = {}

    def get_or_compute(self, key: str, compute: Callable[[], Value]) -> Value:
        """Return the value of a key; the first call computes it."""
        if key not in self._values:
            self._values[key] = compute()
        value: Value = self._values[key]
        return value


@dataclass
class DiagnosisPass:
    """A pass of diagnosing all failing texts of a check.

    It is ``learned`` if a discovery may change the causes of texts that were diagnosed before; then
    all texts are diagnosed again. Names that depend on discoveries are computed once for each
    ``number``, so that all texts of a pass get the same names.
    """

    number: int = 0
    learned: bool = False

    def begin(self) -> None:
        """Begin the next pass."""
        self.number += 1
        self.learned = False


@dataclass
class ProbedCharacters:
    """Characters with an unusual behavior, and characters that were probed for it.

    ``known`` maps a character to its behavior, for example to its replacement; ``usual`` has the
    characters that were known before any text was diagnosed.
    """

    usual: Mapping[str, str]
    known: dict[str, str] = field(init=False)
    probed: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.known = dict(self.usual)


@dataclass
class Discoveries:
    """What diagnoses have found out about the target, for the diagnoses of other texts.

    ``class_counts`` counts probed characters by their kind and the class they are read as.
    ``message_words`` counts the words of error messages that do not come from the text, by the
    exception and the call.
    """

    merge_order_differs: bool = False
    class_counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    message_words: dict[str, Counter[tuple[str, ...]]] = field(default_factory=dict)
    _characters: dict[str, ProbedCharacters] = field(default_factory=dict)

    def characters(
        self, behavior: str, probe: Callable[[], dict[str, str]] = dict
    ) -> ProbedCharacters:
        """Return the characters with this behavior; the first call probes the usual characters."""
        if behavior not in self._characters:
            self._characters[behavior] = ProbedCharacters(probe())
        return self._characters[behavior]

    def before_any_text(self) -> Discoveries:
        """Return the discoveries that need no text, which a fresh process makes too."""
        usual = {name: ProbedCharacters(one.usual) for name, one in self._characters.items()}
        return Discoveries(_characters=usual)

    def known_characters(self, *behaviors: str) -> dict[str, str]:
        """Return the known characters with these behaviors, without a probe."""
        asked = (self._characters[one] for one in behaviors if one in self._characters)
        return {old: new for one in asked for old, new in one.known.items()}


@dataclass
class SubjectState:
    """The cache of a subject, the answers of its reference, and the progress of its diagnosis.

    ``files`` has what is computed from the files of both sides alone, which no text changes.
    ``expected_causes`` explained some of the failing texts and explain most of the others: a
    diagnosis tries them first, and stops if they explain its text. ``preparation`` has the seconds
    for loading the common data of all diagnoses, which no budget counts. ``refuted_causes``
    explained texts and predicted nothing: a diagnosis prefers any other explanation.
    """

    cache: Cache = field(default_factory=Cache)
    files: Cache = field(default_factory=Cache)
    answers: Answers = field(default_factory=Answers)
    diagnosis_pass: DiagnosisPass = field(default_factory=DiagnosisPass)
    discoveries: Discoveries = field(default_factory=Discoveries)
    expected_causes: frozenset[Cause] = frozenset()
    refuted_causes: frozenset[Cause] = frozenset()
    preparation: float = 0.0

    @contextlib.contextmanager
    def preparing(self) -> Iterator[None]:
        """Count the time of the block as preparation."""
        start = time.monotonic()
        try:
            yield
        finally:
            self.preparation += time.monotonic() - start

    @contextlib.contextmanager
    def expect(self, causes: Iterable[Cause]) -> Iterator[None]:
        """Expect these causes in the block, and none after it."""
        self.expected_causes = frozenset(causes)
        try:
            yield
        finally:
            self.expected_causes = frozenset()

    @contextlib.contextmanager
    def refute(self, causes: Iterable[Cause]) -> Iterator[None]:
        """Refute these causes in the block, and none after it."""
        self.refuted_causes = frozenset(causes)
        try:
            yield
        finally:
            self.refuted_causes = frozenset()
