"""Whose a finding is: the library's, if a small healthy file shows it and our reference does not.

The adapter of a target names a small healthy file of the same kind. The same library reads it in
the same process, and our reference reads it too. What the library shows there and the reference
does not is a fault of the library, whatever the file. What the reference shows too is in the
content of a file, as a rare token or a pattern that loses spaces is. What the small file does not
show stays a fault of the target: it may need a normalizer, a decoder or a token of its own.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.checks import superlinear_growth
from tokharness.engine.worker.batch_columns import observe
from tokharness.engine.worker.units import sample_evenly
from tokharness.engine.worker.without_cause import is_unexplained
from tokharness.errors import PluginError, TargetDeath, TokharnessError
from tokharness.model import Verdict
from tokharness.targets.loading import automatic_reference

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tokharness.engine.worker.state import WorkerState
    from tokharness.model import Finding
    from tokharness.plugins import Check
    from tokharness.targets.subject import Subject

__all__ = ["Attribution"]

MAX_TEXTS = 8
"""Failing texts of a finding that the small file has to show, the smallest one among them."""

MAX_CHARACTERS = 10_000
"""Characters of a text that is tried in this process."""


class Attribution:
    """Finds out whether findings of a target are the library's; loads the small file on first use.

    ``load(spec, against)`` loads another target in the way that this one was loaded.
    """

    def __init__(
        self, spec: str, against: str | None, load: Callable[[str, str | None], WorkerState]
    ) -> None:
        self._scheme, _, self._rest = spec.partition(":")
        self._against, self._load = against, load
        self._loaded: list[WorkerState] = []
        self.failure = ""
        """Why the small file could not be tried, if it could not."""

    def of_texts(self, check: Check, finding: Finding, texts: Sequence[str]) -> Finding:
        """Name the library in a finding whose smallest text and a sample of ``texts`` it shows."""
        smallest = finding.text
        if not isinstance(smallest, str) or (sides := self._sides_for(check, finding)) is None:
            return finding
        library, reference = sides
        if len(smallest) > MAX_CHARACTERS and not library.remote:
            return finding
        others = [text for text in texts if text != smallest and len(text) <= MAX_CHARACTERS]
        tried = [smallest, *sample_evenly(sorted(others, key=len), MAX_TEXTS - 1)]
        if not all(_is_shown(library, check, finding, text) for text in tried):
            return finding
        if any(_is_shown(reference, check, finding, text) for text in tried):
            return finding
        return replace(finding, library=self._label)

    def of_audit(self, check: Check, finding: Finding) -> Finding:
        """Name the library in a finding of an audit that has the same cause for the small file."""
        if (sides := self._sides_for(check, finding)) is None:
            return finding
        library, reference = sides
        if not _is_audited(library, check, finding) or _is_audited(reference, check, finding):
            return finding
        return replace(finding, library=self._label)

    def close(self) -> None:
        """Kill the processes of the small file, if they have any."""
        for state in self._loaded:
            state.close()

    def _sides_for(self, check: Check, finding: Finding) -> tuple[WorkerState, WorkerState] | None:
        """Return both sides if it makes sense to try a finding with the small file."""
        if finding.verdict is Verdict.FACT or is_unexplained(finding.cause):
            return None
        if check.code == superlinear_growth.CODE:  # a small vocabulary has other times
            return None
        if self._against not in (None, "none") and "reference" in check.requires:
            return None  # the user's reference differs, and not ours
        return self._sides

    @property
    def _label(self) -> str:
        versions = plugins.adapters()[self._scheme].versions()
        return ", ".join(f"{name} {version}" for name, version in versions.items())

    @cached_property
    def _sides(self) -> tuple[WorkerState, WorkerState] | None:
        """The small file in the library and in the reference; None if there is none."""
        rest = plugins.adapters()[self._scheme].healthy(self._rest)
        if rest is None or not self._label:
            return None
        spec = f"{self._scheme}:{rest}"
        try:
            reference = automatic_reference(spec)
            if reference is None:
                return None
            against = "none" if self._against == "none" else None
            self._loaded.append(self._load(spec, against))
            self._loaded.append(self._load(reference, "none"))
        except PluginError:
            raise
        except TokharnessError as error:
            self.failure = f"the small healthy file was not loaded: {error}"
            return None
        return self._loaded[0], self._loaded[1]


def _is_shown(state: WorkerState, check: Check, finding: Finding, text: str) -> bool:
    """Whether a check selects a text alone, and finds the cause of the finding."""
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
        return False


def _is_audited(state: WorkerState, check: Check, finding: Finding) -> bool:
    """Whether the audit of a check has the cause of the finding."""
    subject = _subject(state, check)
    if subject is None or check.audit is None:
        return False
    audit = check.audit
    try:
        causes = subject.cache.get_or_compute(
            f"causes of {check.code}", lambda: [failure.cause for failure in audit(subject)]
        )
    except TargetDeath:
        return False
    return finding.cause in causes


def _subject(state: WorkerState, check: Check) -> Subject | None:
    """Return the subject of a check; None if the check cannot run on it."""
    can_run = any(other.code == check.code for other in state.checks)
    return state.timed_subject() if can_run else None
