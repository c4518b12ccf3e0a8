"""Whose a finding is: the library's, if small healthy files show it and our reference does not.

The adapter of a target names small healthy files of the same kind, with different components. The
same library reads these files in the same process, and our reference reads them too. A fault that
the library shows for each small file, and the reference for none, is a fault of the library. A
fault that the reference also shows comes from the content of a file, such as a rare token. A fault
that some small file does not show remains a fault of the target: it may need the target's pattern,
normalizer, decoder or tokens.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, cached_property
from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.checks import superlinear_growth
from tokharness.engine.run.selection import is_of_vocabulary
from tokharness.engine.worker.batch_columns import observe
from tokharness.engine.worker.grouping import is_unexplained
from tokharness.engine.worker.shrinking import shrink
from tokharness.engine.worker.units import sample_evenly
from tokharness.errors import PluginError, TargetDeath, TokharnessError
from tokharness.model import Verdict
from tokharness.targets.loading import automatic_reference

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tokharness.engine.worker.state import WorkerState
    from tokharness.model import Finding
    from tokharness.plugins import Check
    from tokharness.targets.subject import Subject

MAX_TEXTS = 8
"""Most failing texts of a finding that a small file has to show, including the smallest text."""

MAX_CHARACTERS = 10_000
"""Most characters of a failing text that is tried, unless it is the smallest text."""


SHORT = 100
"""Most characters of a text that is tried before its core: a stream may take quadratic time."""

MAX_CALLS = 100
"""Most calls to shrink a failing text."""

STATE, ROUNDS = "state", 3
"""A race shows by chance: an audit that finds none is repeated, up to this many rounds."""


class Attribution:
    """Finds out whether findings of a target are the library's; loads the small files on first use.

    ``load(spec, against)`` loads another target in the same way as this target.
    """

    def __init__(
        self, spec: str, against: str | None, load: Callable[[str, str | None], WorkerState]
    ) -> None:
        self._spec = spec
        self._scheme, _, self._rest = spec.partition(":")
        self._against, self._load = against, load
        self._loaded: list[WorkerState] = []
        self.failure = ""
        """Why the small files could not be tried; "" if they could."""

    def of_texts(
        self, check: Check, finding: Finding, texts: Sequence[str], subject: Subject
    ) -> Finding:
        """Name the library in a finding whose smallest text and a sample of ``texts`` it shows.

        A text that the library does not show may contain parts of the target's vocabulary. Such a
        text is shrunk, as long as ``subject`` shows the cause, and tried again. If no text of the
        small files can show the cause, the audit of the same check may, with ids of its own.
        """
        smallest = finding.text
        if not isinstance(smallest, str) or not self._is_tried(check, finding):
            return finding
        others = [text for text in texts if text != smallest and len(text) <= MAX_CHARACTERS]
        tried = [smallest, *sample_evenly(sorted(others, key=len), MAX_TEXTS - 1)]

        def in_library(state: WorkerState) -> bool:
            by_texts = all(any(shows(state, one) for one in forms(text)) for text in tried)
            return by_texts or bool(_is_audited(state, check, finding))

        def forms(text: str) -> Iterator[str]:
            """Yield a text and its core, first the one that takes less time."""
            is_long = text != smallest and len(text) > SHORT
            if is_long:
                yield _core(text)
            yield text
            if text != smallest and not is_long:
                yield _core(text)

        def in_reference(state: WorkerState) -> bool:
            by_texts = any(shows(state, text) is not False for text in tried)
            return by_texts or _is_audited(state, check, finding) is not False

        def shows(state: WorkerState, text: str) -> bool | None:
            own = _with_special_tokens_of(state.subject, text, subject)
            return _is_shown(state, check, finding, own)

        @cache
        def _core(text: str) -> str:
            return _smaller(text, check, finding, subject)

        return self._attribute(finding, in_library, in_reference)

    def of_audit(self, check: Check, finding: Finding) -> Finding:
        """Name the library in a finding of an audit that has the same cause for the small files."""
        if not self._is_tried(check, finding):
            return finding
        return self._attribute(
            finding,
            lambda state: bool(_is_audited(state, check, finding)),
            lambda state: _is_audited(state, check, finding) is not False,
        )

    def close(self) -> None:
        """Kill the processes of the small files, if they have any."""
        for state in self._loaded:
            state.close()

    def _is_tried(self, check: Check, finding: Finding) -> bool:
        if finding.verdict is Verdict.FACT or is_unexplained(finding.cause):
            return False
        if check.code == superlinear_growth.CODE:  # a small vocabulary has other times
            return False
        if "cases" in check.requires or check.needs_reach or is_of_vocabulary(check):
            return False  # they describe the file
        # The user's reference differs, not ours.
        return self._against in (None, "none") or "reference" not in check.requires

    def _attribute(
        self,
        finding: Finding,
        in_library: Callable[[WorkerState], bool],
        in_reference: Callable[[WorkerState], bool],
    ) -> Finding:
        if not self._libraries or not all(map(in_library, self._libraries)):
            return finding
        if not self._references or any(map(in_reference, self._references)):
            return finding
        return replace(finding, library=self._label)

    @property
    def _label(self) -> str:
        versions = plugins.adapter(self._spec).versions()
        return ", ".join(f"{name} {version}" for name, version in versions.items())

    @cached_property
    def _specs(self) -> list[str]:
        rests = plugins.adapter(self._spec).healthy(self._rest) if self._label else ()
        return [f"{self._scheme}:{rest}" for rest in rests]

    @cached_property
    def _libraries(self) -> list[WorkerState]:
        """The small files, loaded by the library; none if a file does not load."""
        return self._load_all(self._specs, "none" if self._against == "none" else None)

    @cached_property
    def _references(self) -> list[WorkerState]:
        """The small files, loaded by our reference; none if it does not read all of them."""
        specs = [other for spec in self._specs if (other := automatic_reference(spec))]
        return self._load_all(specs, "none") if len(specs) == len(self._specs) else []

    def _load_all(self, specs: Sequence[str], against: str | None) -> list[WorkerState]:
        states = []
        try:
            for spec in specs:
                states.append(self._load(spec, against))
                self._loaded.append(states[-1])
        except PluginError:
            raise
        except TokharnessError as error:
            self.failure = f"a small healthy file was not loaded: {error}"
            return []
        return states


def _with_special_tokens_of(other: Subject, text: str, subject: Subject) -> str:
    """Replace the subject's special tokens in a text by a special token of another target."""
    theirs = other.special_tokens
    tokens = [token for token in subject.special_tokens if token in text and token not in theirs]
    for token in sorted(tokens, key=len, reverse=True) if theirs else ():
        text = text.replace(token, next(iter(theirs)))
    return text


def _is_shown(state: WorkerState, check: Check, finding: Finding, text: str) -> bool | None:
    """Whether a check selects a text alone, and finds the cause; None if the target dies."""
    subject = _subject(state, check)
    if subject is None or check.failing is None or check.diagnose is None:
        return False
    try:
        family = next(iter(finding.families), "")
        batch = observe(subject, family, [text], columns=check.columns, isolate=True)
        if not batch.errors and not list(check.failing(batch, subject)):
            return False
        return finding.cause in check.diagnose(text, subject)
    except TargetDeath:
        return None


def _smaller(text: str, check: Check, finding: Finding, subject: Subject) -> str:
    """Return a smaller text that shows the cause of the finding in the target."""
    diagnose = check.diagnose
    if diagnose is None:
        return text

    def is_explained(shorter: str) -> bool:
        try:
            return finding.cause in diagnose(shorter, subject)
        except TargetDeath:
            return False

    return shrink(text, is_explained, max_calls=MAX_CALLS)


def _is_audited(state: WorkerState, check: Check, finding: Finding) -> bool | None:
    """Whether the audit of a check reports the cause of the finding; None if the target dies."""
    subject = _subject(state, check)
    if subject is None or check.audit is None:
        return False
    audit = check.audit
    rounds = ROUNDS if finding.cause.kind == STATE else 1
    try:
        return any(
            finding.cause
            in subject.cache.get_or_compute(
                f"causes of {check.code}, {number}",
                lambda: [failure.cause for failure in audit(subject)],
            )
            for number in range(rounds)
        )
    except TargetDeath:
        return None


def _subject(state: WorkerState, check: Check) -> Subject | None:
    """Return the subject of a check; None if the check cannot run on it."""
    can_run = any(other.code == check.code for other in state.checks)
    return state.timed_subject() if can_run else None
