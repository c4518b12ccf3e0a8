"""State of a worker that has loaded a target."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.engine.worker.time_limits import TimedTokenizer
from tokharness.targets.loading import tokenizer_of, with_tokenizer
from tokharness.targets.subject_state import SubjectState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokharness.config import Options
    from tokharness.engine.fuzzing.rounds import RoundRunner
    from tokharness.engine.requests import CrasherRows
    from tokharness.engine.worker.attribution import Attribution
    from tokharness.engine.worker.batches import BatchRunner
    from tokharness.engine.worker.budget import DiagnosisBudgets
    from tokharness.engine.worker.time_limits import Timer
    from tokharness.engine.worker.units import FamilyTexts
    from tokharness.model import Target
    from tokharness.plugins import Check
    from tokharness.targets.processes.remote import Remote
    from tokharness.targets.subject import Subject


@dataclass
class DiagnosisState:
    """State of a diagnosis across checks: the budgets, and the target in a fresh process."""

    budgets: DiagnosisBudgets | None = None
    fresh: Target | None = None

    def close(self) -> None:
        """End the fresh process, if there is one."""
        if self.fresh is not None:
            self.fresh.close()
            self.fresh = None


@dataclass(frozen=True)
class WorkerState:
    """A loaded target, and the runners and state for the operations on it.

    ``subject`` has no time limits. ``timer`` limits each call of a target in this process; it is
    None in the process of the command, which must not be killed. A ``guarded`` target has a process
    of its own. ``texts`` are the texts of each family by its name. The profile ``has_room`` for the
    target in further processes.
    """

    options: Options
    subject: Subject
    guarded: bool
    timer: Timer | None
    checks: Sequence[Check]
    texts: Mapping[str, FamilyTexts]
    batches: BatchRunner
    rounds: RoundRunner
    attribution: Attribution
    has_room: bool = True
    diagnosis: DiagnosisState = field(default_factory=DiagnosisState)
    triage_state: SubjectState = field(default_factory=SubjectState)
    measure_state: SubjectState = field(default_factory=SubjectState)

    def timed_subject(self) -> Subject:
        """Return the subject with a time limit for each call of the target and the reference."""
        return with_time_limit(self.subject, self.timer)

    def compared_subject(self, *, timed: bool = True) -> Subject:
        """Return the subject for a comparison with other targets.

        Only a reference of ours has the Unicode versions of the library that reads the same file.
        """
        subject = self.timed_subject() if timed else self.subject
        own_code = plugins.adapter(subject.target.spec).plain_files
        return subject if own_code else subject.with_original_target()

    @property
    def remote(self) -> Remote | None:
        """The tokenizer if it runs in a process of its own."""
        return remote_of(self.subject)

    def set_crashers(self, rows: CrasherRows) -> None:
        """Set the texts that are known to crash a guarded target."""
        if self.guarded and self.remote:
            self.remote.set_crashers(rows)

    def close(self) -> None:
        """Kill the processes of the target, its reference and the small healthy file, if any."""
        close_targets(self.subject)
        self.attribution.close()
        self.diagnosis.close()

    def crashers(self, rows: CrasherRows) -> CrasherRows:
        """Return the texts that crash a guarded target; for another target return ``rows``."""
        return self.remote.crashers.rows if self.guarded and self.remote else rows


def remote_of(subject: Subject) -> Remote | None:
    """Return the tokenizer of the target if it runs in a process of its own."""
    return tokenizer_of(subject.target) if subject.target.has_own_process else None


def with_time_limit(subject: Subject, timer: Timer | None) -> Subject:
    """Return the subject with a time limit for each call, unless ``timer`` is None."""
    if timer is None:
        return subject
    original, reference = subject.original_target, subject.reference
    return replace(
        subject,
        target=timed_target(subject.target, timer),
        original_target=None if original is None else timed_target(original, timer),
        reference=None if reference is None else timed_target(reference, timer),
    )


def timed_target(target: Target, timer: Timer) -> Target:
    """Return a target with a time limit for each call."""
    if target.has_own_process:  # which has a time limit of its own
        return target
    return with_tokenizer(target, TimedTokenizer(tokenizer_of(target), timer))


def without_time_limit(subject: Subject) -> Subject:
    """Return the subject without the time limit that each call of its target may have."""
    original = subject.original_target
    return replace(
        subject,
        target=_untimed(subject.target),
        original_target=None if original is None else _untimed(original),
    )


def _untimed(target: Target) -> Target:
    tokenizer = tokenizer_of(target)
    is_timed = isinstance(tokenizer, TimedTokenizer)
    return with_tokenizer(target, tokenizer.untimed) if is_timed else target


def close_targets(subject: Subject) -> None:
    """Kill the processes of the target and its reference, if they have any."""
    for target in (subject.target, subject.reference):
        if target is not None:
            target.close()
