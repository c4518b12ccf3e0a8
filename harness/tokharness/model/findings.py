"""What a run reports: verdicts, causes, failures, findings and skips."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

Text: TypeAlias = str | bytes

SYMPTOM = "symptom: "
"""What the message of a finding begins with whose cause predicts nothing."""


class Verdict(StrEnum):
    """The severity of a finding, worst first. A fact is by design."""

    BUG = "bug"
    RISK = "risk"
    FACT = "fact"

    @property
    def rank(self) -> int:
        """0 for a bug, 1 for a risk, 2 for a fact."""
        return list(Verdict).index(self)


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a property does not hold: a kind, and the parameters that distinguish causes of a kind.

    ``parameters`` never hold a failing text: two texts that fail for the same reason have the same
    cause. A ``weak`` cause predicts nothing: it only describes a symptom, and is reported as one.
    Many weak causes in one run are symptoms of one fault, and are reported together.
    """

    kind: str
    parameters: tuple[tuple[str, str], ...] = ()
    verdict: Verdict = field(default=Verdict.BUG, compare=False)
    message: str = field(default="", compare=False)
    weak: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        values = ", ".join(value for _, value in self.parameters)
        return f"{self.kind}: {values}" if values else self.kind


@dataclass(frozen=True, slots=True)
class Failure:
    """A fault or fact from the audit of a whole target.

    ``tokens`` has the ids of all tokens that show it, by the name of a class, or by "" if the kind
    of the cause says enough. ``columns`` has what the check found out about tokens: values of a
    field of :class:`~tokharness.model.TokenRow`, by the id. Only the rows of an audit show them; a
    finding has examples.
    """

    cause: Cause
    count: int = 1
    text: Text | None = None
    evidence: Mapping[str, Any] = field(default_factory=dict)
    tokens: Mapping[str, Collection[int]] = field(default_factory=dict)
    columns: Mapping[str, Mapping[int, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault, risk or fact, reported once for all cases that show it.

    Attributes:
        spec: The spec of the target.
        code: The code of the check.
        name: The name of the check.
        cause: The cause.
        count: The number of cases that show it.
        text: The smallest text that shows it, if there is one.
        families: The families of these cases.
        reproduce: A shell command that shows it again.
        evidence: Facts about the smallest text, by name.
        other_checks: The codes of other checks that find the same cause.
        library: The library and its release, such as ``tokenizers 0.23.3``, if small healthy files
            show the same, so that no change of the target's file can remove it; else "".

    """

    spec: str
    code: str
    name: str
    cause: Cause
    count: int
    text: Text | None
    families: tuple[str, ...]
    reproduce: str
    evidence: Mapping[str, Any] = field(default_factory=dict)
    other_checks: tuple[str, ...] = ()
    library: str = ""

    @property
    def verdict(self) -> Verdict:
        """The verdict of the cause."""
        return self.cause.verdict

    @property
    def is_of_library(self) -> bool:
        """Whether it is a bug or risk of the library, whatever the file."""
        return bool(self.library) and self.verdict is not Verdict.FACT

    @property
    def rank(self) -> int:
        """Its place in a report: bugs, then risks, then those of a library, then facts."""
        is_last = self.is_of_library or self.verdict is Verdict.FACT
        return self.verdict.rank + (2 if is_last else 0)

    @property
    def message(self) -> str:
        """The message of the cause, one sentence, which says of a symptom that it is one."""
        return f"{SYMPTOM if self.cause.weak else ''}{self.cause.message}"

    @property
    def fingerprint(self) -> str:
        """Sixteen hex digits that depend on the check and the cause only.

        Text, family, seed and spec have no effect, so an acceptance stays valid for a new example.
        """
        key = [self.code, self.cause.kind, list(map(list, self.cause.parameters))]
        return hashlib.sha256(json.dumps(key).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Skip:
    """Something that could not be run, and the reason; never counted as a pass.

    It does not apply to the target, or a profile leaves it out; or it is ``unfinished``: it was to
    be done and was not, for a reason that is not the target's, so that the run is not finished.
    """

    spec: str
    what: str
    reason: str
    unfinished: bool = False
