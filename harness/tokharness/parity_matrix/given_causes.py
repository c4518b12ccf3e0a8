"""The causes of texts that differ, and which text has which of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokharness.diagnosis.ids.stage_versions import UNICODE_VERSION
from tokharness.engine.worker.grouping import is_unexplained
from tokharness.model import Verdict
from tokharness.parity_matrix.model import (
    DECODED,
    IDS,
    OFFSETS,
    SPECIAL,
    Cause,
    is_same_cause,
    joined,
)
from tokharness.parity_matrix.stages import UNEXPLAINED, characters_of, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tokharness.model import Finding
    from tokharness.parity_matrix.classes import Apart

SYMPTOMS = {
    IDS: "the ids differ, and no known cause explains it",
    DECODED: "the same ids are decoded to another text, and no known cause explains it",
    SPECIAL: "with special tokens allowed, the text has different ids",
}
STAGES = {DECODED: "decoder", SPECIAL: "added tokens", OFFSETS: "offsets"}


@dataclass
class GivenCauses:
    """All causes, in the order in which they were found.

    ``of_text`` has the number of the cause of a text, by the aspect, the place of the first form of
    the class, and the text; ``classes`` has, by the aspect, the first form of the class of each.
    """

    causes: list[Cause] = field(default_factory=list)
    of_text: dict[tuple[str, int, str], int] = field(default_factory=dict)
    classes: dict[str, list[int]] = field(default_factory=dict)

    def left(self, texts: Mapping[str, str], apart: Apart) -> dict[str, str]:
        """Return the texts that have no cause yet."""
        return {text: family for text, family in texts.items() if not self.is_given(text, apart)}

    def give(self, number: int, texts: Iterable[str], apart: Apart) -> None:
        """Give texts a known cause."""
        self.of_text |= {(apart.aspect, apart.place, text): number for text in texts}

    def is_given(self, text: str, apart: Apart) -> bool:
        """Whether a text has a cause."""
        return (apart.aspect, apart.place, text) in self.of_text

    def add(
        self, finding: Finding, members: Sequence[str], apart: Apart, sides: tuple[int, int]
    ) -> None:
        """Add a finding of the first of two sides, with the second as its reference."""
        stage, name, message = words_of(finding)
        if finding.cause.kind == UNICODE_VERSION:
            message += characters_of(members)
        cause = Cause(
            apart.aspect,
            stage,
            name,
            message,
            finding.verdict,
            len(members),
            self._places(apart.aspect, sides[0]),
            self._places(apart.aspect, sides[1]),
            symptom=is_symptom(finding),
            text=finding.text if isinstance(finding.text, str) else None,
            families=finding.families,
        )
        self._put(cause, members, apart)

    def describe(self, left: Mapping[str, str], apart: Apart, failure: str = "") -> None:
        """Add what differs in texts whose cause is not known."""
        why = f"; the cause was not searched: {failure}" if failure else ""
        words = (STAGES.get(apart.aspect, ""), UNEXPLAINED, SYMPTOMS[apart.aspect] + why)
        self.append(list(left), apart, words, symptom=True)

    def append(
        self,
        members: Sequence[str],
        apart: Apart,
        words: tuple[str, str, str],
        *,
        symptom: bool = False,
        verdict: Verdict = Verdict.BUG,
    ) -> None:
        """Add a cause of texts; ``words`` are its stage, its name and a sentence."""
        cause = Cause(
            apart.aspect,
            *words,
            verdict,
            len(members),
            self._places(apart.aspect, apart.place),
            self._places(apart.aspect, apart.hub),
            symptom=symptom,
            text=min(members, key=lambda text: (len(text), text)),
            families=tuple(sorted({apart.texts[text] for text in members})),
        )
        self._put(cause, members, apart)

    def _put(self, cause: Cause, members: Iterable[str], apart: Apart) -> None:
        """Give texts a cause, which another class may have already."""
        same = (at for at, one in enumerate(self.causes) if is_same_cause(one, cause))
        number = next(same, len(self.causes))
        self.give(number, members, apart)
        if number == len(self.causes):
            self.causes.append(cause)
        else:
            texts = {text for (_, _, text), given in self.of_text.items() if given == number}
            self.causes[number] = joined(self.causes[number], cause, len(texts))

    def _places(self, aspect: str, first: int) -> tuple[int, ...]:
        classes = self.classes[aspect]
        return tuple(place for place, one in enumerate(classes) if one == first)


def is_symptom(finding: Finding) -> bool:
    """Whether a finding says what is seen, and not why."""
    return finding.cause.weak or is_unexplained(finding.cause)


def is_guess(finding: Finding) -> bool:
    """Whether a finding says that a text is changed before all stages of the file.

    That may be what a stage of the other file does.
    """
    return dict(finding.cause.parameters).get("altered", "").endswith(" before it")
