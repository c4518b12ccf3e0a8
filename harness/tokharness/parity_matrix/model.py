"""The result of a run on several forms of one tokenizer, and the differences that are expected.

A difference that the policy of the project expects does not fail a parity.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from tokharness.model import Skip, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.errors import InternalError, TokharnessError

TOKEN_BYTES, SPECIAL, IDS, DECODED, OFFSETS = ASPECTS = (
    *("token bytes", "special tokens", "ids", "decoded text", "offsets"),
)
"""What two forms are compared in, in the order of the matrix."""

NOT_RUN = "not run"
"""The error of a form that makes nothing of a text, since it is not loaded."""

State: TypeAlias = Literal["same", "differs", "not comparable"]


@dataclass(frozen=True, slots=True)
class Form:
    """A target that claims to be the same tokenizer as the others.

    Attributes:
        spec: Its spec.
        problem: Why it is not compared, or why it was stopped; "" if nothing stopped it.
        is_loaded: Whether it was loaded.
        n_vocab: One more than its largest id, if it is known.
        algorithm: The name of its algorithm, if it is known.
        vocabulary: Which known vocabulary it has, a sentence; "" if that is not known.
        reference: The spec of the independent reference that reads the same file, if there is one;
            its own spec if the form is a reference.
        texts: The number of texts that it ran on.
        raised: How many texts it refused, by the name of the exception.
        lacks: Why it shows nothing of an aspect, by the aspect.
        departs: The numbers of the causes for whose text it departs from the reference that reads
            its file, or None if there is no such reference.
        is_installed: Whether the library or the engine that it needs is installed.

    """

    spec: str
    problem: str = ""
    is_loaded: bool = False
    n_vocab: int | None = None
    algorithm: str | None = None
    vocabulary: str = ""
    reference: str | None = None
    texts: int = 0
    raised: Mapping[str, int] = field(default_factory=dict)
    lacks: Mapping[str, str] = field(default_factory=dict)
    departs: tuple[int, ...] | None = None
    is_installed: bool = True


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a form makes of the text of a cause: ids with the text of each token, or an error."""

    ids: tuple[Any, ...] = ()
    tokens: tuple[str, ...] = ()
    decoded: str | None = None
    error: str = ""


@dataclass(frozen=True, slots=True)
class Cause:
    """Why some forms differ from others.

    Attributes:
        aspect: One of :data:`ASPECTS`.
        stage: The stage of the tokenizer, such as ``pre-tokenizer``.
        name: The cause, as a finding names it.
        message: One sentence.
        verdict: How severe it is.
        symptom: Whether the cause only describes what differs, and predicts nothing.
        count: The number of texts, or of tokens, that show it.
        text: The smallest text that shows it, if a text does.
        families: The families of these texts.
        forms: The places of the forms that have it, "the target" of the message.
        against: The places of the forms that they were compared with, "the reference".
        tokens: What each form makes of the text, by its place; empty without a text.
        right: Who agrees with the independent reference, a sentence; "" if there is none.
        expected: Why the policy expects it; "" if it does not.

    """

    aspect: str
    stage: str
    name: str
    message: str
    verdict: Verdict
    count: int
    forms: tuple[int, ...]
    against: tuple[int, ...]
    symptom: bool = False
    text: str | None = None
    families: tuple[str, ...] = ()
    tokens: tuple[Tokens, ...] = ()
    right: str = ""
    expected: str = ""


SEEN_WITH = ": seen with "
"""Stands in a message before the characters of the texts of one class."""


def is_same_cause(one: Cause, other: Cause) -> bool:
    """Whether two classes of forms have one cause, and differ from each other in something else."""
    return not one.symptom and (
        one.message.partition(SEEN_WITH)[0] == other.message.partition(SEEN_WITH)[0]
        and all(
            getattr(one, name) == getattr(other, name)
            for name in ("aspect", "stage", "name", "verdict", "against", "symptom")
        )
    )


def joined(one: Cause, other: Cause, count: int) -> Cause:
    """Return the cause of the forms of both, with so many texts."""
    texts = (text for text in (one.text, other.text) if text is not None)
    return replace(
        max(one, other, key=lambda cause: cause.count),
        count=count,
        forms=tuple(sorted({*one.forms, *other.forms})),
        text=min(texts, key=lambda text: (len(text), text), default=None),
        families=tuple(sorted({*one.families, *other.families})),
    )


@dataclass(frozen=True, slots=True)
class Cell:
    """Two forms in one aspect.

    Attributes:
        first: The place of a form.
        second: The place of a later form.
        aspect: One of :data:`ASPECTS`.
        state: ``same``, ``differs`` or ``not comparable``.
        causes: The numbers of the causes that set them apart.
        differing: The number of texts, or of tokens, in which they differ.
        compared: The number of texts, or of tokens, that were compared.
        reason: Why they are not comparable.

    """

    first: int
    second: int
    aspect: str
    state: State
    causes: tuple[int, ...] = ()
    differing: int = 0
    compared: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two files of a folder that say different things, seen before any text is tried."""

    files: tuple[str, ...]
    message: str


@dataclass(frozen=True, slots=True)
class Parity:
    """All forms, what each pair has in common, and why it differs."""

    forms: tuple[Form, ...]
    cells: tuple[Cell, ...] = ()
    causes: tuple[Cause, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()
    skips: tuple[Skip, ...] = ()
    profile: str = "quick"
    families: tuple[str, ...] = ()
    texts: int = 0
    seconds: float = 0.0
    interrupted: bool = False
    error: TokharnessError | InternalError | None = None
    unmet: tuple[str, ...] = ()

    def cell(self, first: int, second: int, aspect: str) -> Cell:
        """Return the cell of two forms, in any order."""
        pair = (min(first, second), max(first, second))
        return next(
            one for one in self.cells if (one.first, one.second) == pair and one.aspect == aspect
        )

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Yield the places of each two forms."""
        yield from combinations(range(len(self.forms)), 2)

    @property
    def unfinished(self) -> tuple[Skip, ...]:
        """What was to be compared and was not, for a reason that is not a form's."""
        return tuple(skip for skip in self.skips if skip.unfinished)

    @property
    def compared(self) -> bool:
        """Whether any two forms were compared in anything."""
        return any(one.state != "not comparable" for one in self.cells)

    def shown_pairs(self) -> list[tuple[int, int]]:
        """Return the pairs that are comparable in an aspect."""
        pairs = ((c.first, c.second) for c in self.cells if c.state != "not comparable")
        return sorted(dict.fromkeys(pairs))

    def counts(self, verdict: Verdict) -> int:
        """Return the number of causes of a verdict that are not expected."""
        return sum(one.verdict is verdict and not one.expected for one in self.causes)

    @property
    def expected(self) -> int:
        """The number of causes that the policy expects."""
        return sum(bool(one.expected) for one in self.causes)


def exit_code(result: Parity, fail_on: str) -> int:
    """Return 130 if interrupted; 2 if a part or everything was not compared; 1 for a failing cause.

    A folder whose files disagree fails too, unless nothing does; and so does an expectation of the
    policy that no cause meets.
    """
    if result.interrupted:
        return 130
    if result.unfinished or result.error is not None:
        return 2
    failing = {"bug": (Verdict.BUG,), "risk": (Verdict.BUG, Verdict.RISK)}.get(fail_on, ())
    found = any(one.verdict in failing and not one.expected for one in result.causes)
    if found or result.unmet or (result.disagreements and fail_on != "never"):
        return 1
    return 0 if result.compared else 2


def named(places: Sequence[int], specs: Sequence[str]) -> str:
    """Return the specs of some forms in a row of words."""
    *first, last = (specs[place] for place in places)
    return f"{', '.join(first)} and {last}" if first else last


if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Sequence

    from tokharness.policy import ExpectedDifference


def with_expected(
    result: Parity, expectations: Sequence[ExpectedDifference], today: dt.date
) -> Parity:
    """Return the result with the causes that are expected today.

    A cause that was expected until an earlier day says so, and fails the run again.
    """
    specs = [form.spec for form in result.forms]
    causes = tuple(
        _judged(cause, [one for one in expectations if matches(cause, one, specs)], today)
        for cause in result.causes
    )
    return replace(result, causes=causes)


def _judged(cause: Cause, found: Sequence[ExpectedDifference], today: dt.date) -> Cause:
    valid = [one for one in found if one.expires is None or today <= one.expires]
    if valid:
        return replace(cause, expected=valid[0].reason)
    if not found:
        return cause
    prefix = f"it was expected until {found[0].expires} ({found[0].reason})"
    return replace(cause, message=f"{prefix}: {cause.message}")


def unmet(
    result: Parity, expectations: Iterable[ExpectedDifference]
) -> tuple[ExpectedDifference, ...]:
    """Return the expectations that no cause meets."""
    specs = [form.spec for form in result.forms]
    return tuple(
        one
        for one in expectations
        if not any(matches(cause, one, specs) for cause in result.causes)
    )


def describe_unmet(result: Parity, expectation: ExpectedDifference) -> str:
    """Return a sentence on an expectation that no cause meets."""
    names = "; ".join(dict.fromkeys(cause.name for cause in result.causes)) or "no cause"
    return (
        f"no cause meets the expectation {expectation.cause!r} ({expectation.reason}), and this "
        f"run reported {names}: remove it from parity.expect of the policy"
    )


def matches(cause: Cause, expectation: ExpectedDifference, specs: Sequence[str]) -> bool:
    """Whether an expectation is of a cause: by its name, kind, stage or aspect, and its forms."""
    name = cause.name.removeprefix(f"{cause.stage}: ")
    kind = name.partition(":")[0]
    names = (cause.name, name, kind, cause.stage, cause.aspect, f"{cause.stage}: {name}")
    if expectation.cause.strip().lower() not in map(str.lower, names):
        return False
    places = (*cause.forms, *cause.against)
    return not expectation.form or any(expectation.form in specs[place] for place in places)
