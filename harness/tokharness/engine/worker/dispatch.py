"""What a worker process does: load a target, try units of its cases, diagnose what failed.

A question and its answer are plain data (JSON), as they go over a pipe::

    {"op": "load", ...}      -> what the target is, what it is compared with, what is skipped
    {"op": "unit", "family": NAME, "number": N, "deadly": ROWS}
                             -> {"units", "cases", "failing": {CODE: [text, ...]}, ...}
    {"op": "round", "number": N, "source": NAME, ...}
                             -> {"cases", "failing", "corpus", ...}, as fuzzing/rounds.py says
    {"op": "reached"}        -> what all texts of its rounds have reached
    {"op": "diagnose", "failing": {CODE: {text: family}}, "deadly": ROWS}
                             -> {"findings": {CODE: [record, ...]}}
    {"op": "audit", "code": CODE} -> {"findings": {CODE: [record, ...]}}
    {"op": "snapshot", "golden": [[group, text, ids], ...]} -> {"snapshot": record}
    {"op": "measure", "name": NAME, "deadly": ROWS} -> {"measure": plain data}
    {"op": "encode", "texts": [text, ...], "deadly": ROWS}
                             -> {"encodings": [encoding, ...], "of_reference": the same or null}

An answer ``{"error": ...}`` is a mistake of the user's, ``{"died": ...}`` a target that died in a
process of its own, ``{"internal": ...}`` a mistake of ours.
"""

from __future__ import annotations

import contextlib
import gc
import sys
import traceback
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from tokharness import plugins
from tokharness.checks import crashes_or_hangs
from tokharness.config import PROFILES, Options
from tokharness.engine.fuzzing.rounds import RoundRunner
from tokharness.engine.fuzzing.triage import triage
from tokharness.engine.measures import measures
from tokharness.engine.records import finding_record
from tokharness.engine.run.selection import select_checks, select_families, reason_to_skip, regressions_to_replay
from tokharness.engine.worker.batches import BatchOptions, BatchRunner
from tokharness.engine.worker.encodings import encodings
from tokharness.engine.worker.findings import diagnose_failures, run_audits
from tokharness.engine.worker.golden import golden_texts
from tokharness.engine.worker.snapshotting import NEW, take_snapshot
from tokharness.engine.worker.timed import TimedTokenizer, Timer
from tokharness.engine.worker.units import FamilyTexts
from tokharness.errors import TargetDeath, TokharnessError
from tokharness.model import TargetFacts, target_of
from tokharness.targets.loading import guarded_target, load_subject, load_target
from tokharness.targets.processes.json_lines import from_line
from tokharness.targets.processes.limits import CURRENT_LIMITS, LOAD_SECONDS, Limits, Watchdog, arm_timer, disarm_timer
from tokharness.targets.processes.serve import take_standard_streams
from tokharness.targets.snapshot import Golden, ids_of, snapshot_record
from tokharness.targets.subject import Subject
from tokharness.targets.subject_state import SubjectState

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokharness.model import Finding, Target
    from tokharness.plugins import Check
    from tokharness.targets.processes.remote import Remote

__all__ = ["Worker", "facts_of", "main"]


class Worker:
    """One target, loaded, and what is tried on it.

    ``timed`` workers have a process of their own, which ends when the target takes too long.
    """

    def __init__(self, *, timed: bool) -> None:
        self._timed = timed
        self._loaded: Subject | None = None
        self._watchdog = Watchdog()
        self._answers: dict[str, Callable[..., dict[str, Any]]] = {
            "load": self._load,
            "unit": self._unit,
            "round": self._round,
            "reached": self._reached,
            "diagnose": self._diagnose,
            "audit": self._audit,
            "snapshot": self._snapshot,
            "measure": self._measure,
            "encode": self._encode,
        }

    def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        """Answer one question; what goes wrong is told in the answer."""
        try:
            arguments = {key: value for key, value in question.items() if key != "op"}
            return self._answers[question["op"]](**arguments)
        except TokharnessError as error:
            return {"error": str(error)}
        except TargetDeath as death:
            return {"died": death.reason, "words": death.detail}
        except MemoryError:  # what the target has taken is not there for anybody
            return {"died": "memory limit", "words": ""}
        except Exception as error:
            told = f"{type(error).__name__}: {error}"
            return {"internal": told, "traceback": traceback.format_exc()}
        finally:
            self._watchdog.stop()

    def close(self) -> None:
        """End the processes that targets have of their own."""
        if self._loaded is not None:
            for target in (self._loaded.target, self._loaded.reference):
                if target is not None:
                    target.close()

    def _load(
        self, spec: str, options: dict[str, Any], path: list[str], guarded: bool
    ) -> dict[str, Any]:
        sys.path.extend(one for one in path if one not in sys.path)
        self._options = Options(**{**options, **_tuples(options)})
        self._limits = Limits(self._options.time_limit, self._options.memory_limit)
        CURRENT_LIMITS.set(self._limits)
        checks = select_checks(self._options)
        families = select_families(self._options)
        if self._timed and not guarded:
            arm_timer(LOAD_SECONDS)
            self._watchdog.wait(LOAD_SECONDS)
        loaded = load_subject(
            spec,
            self._options.against,
            guarded_target if guarded else load_target,
            reference=self._options.reference,
        )
        loaded.subject.try_encode("a")  # may do at the first text what takes long
        disarm_timer()
        self._subject = self._loaded = loaded.subject
        self._guarded = guarded
        lacking = {check.code: reason_to_skip(check, loaded, self._options) for check in checks}
        self._checks: list[Check] = [check for check in checks if not lacking[check.code]]
        again = regressions_to_replay(self._options, families)
        facts = facts_of(self._subject, self._options.profile, again)
        profile = PROFILES[self._options.profile]
        drawn = self._options.examples
        examples = profile.examples if drawn is None else drawn
        self._texts = {
            family.name: FamilyTexts(family, facts, profile, examples, self._options.seed)
            for family in families
        }
        self._subject = subject = replace(
            self._subject,
            cases={family.name: partial(family.cases, facts) for family in families}
            if self._options.enumerated
            else {},
        )
        self._clock = Timer(
            self._limits, self._watchdog, stopped=not self._timed or self._remote is not None
        )
        self._batches = BatchRunner(subject, self._checks, self._clock, guarded=guarded)
        self._rounds = RoundRunner(
            self._own_time(), families, facts, self._batches, self._options.seed
        )
        self._triage_state = SubjectState()
        self._measure_state = SubjectState()
        gc.freeze()  # what is loaded stays, and need not be looked through again
        return {
            "spec": spec,
            "against": subject.reference.spec if subject.reference else None,
            "capabilities": subject.target.capabilities,
            "normalizer": subject.target.normalizer,
            "unicode_version": subject.unicode_version,
            "families": [family.name for family in families],
            "checks": [check.code for check in self._checks],
            "skips": [
                [f"{check.code} {check.name}", lacking[check.code]]
                for check in checks
                if lacking[check.code]
            ],
        }

    def _unit(self, family: str, number: int, deadly: list[list[Any]]) -> dict[str, Any]:
        """Try one unit of a family; only what failed goes into the answer."""
        if self._guarded and self._remote:
            self._remote.set_crashers(deadly)
        texts = self._texts[family]
        manner = BatchOptions(
            family, compared=texts.family.compared, recheck_every=texts.recheck_every
        )
        tried = self._batches.run(texts.texts_of_unit(number), manner)
        if self._guarded and self._remote:
            deadly = self._remote.crashers.rows
        return {"units": texts.units, "deadly": deadly, **tried.record()}

    def _round(
        self, deadly: list[list[Any]], known: list[list[Any]], **question: Any
    ) -> dict[str, Any]:
        """Try one round of a campaign, and say which causes show that are not known yet."""
        if self._guarded and self._remote:
            self._remote.set_crashers(deadly)
        told = self._rounds.run({**question, "deadly": deadly}, guarded=self._guarded)
        subject = replace(self._own_time(), state=self._triage_state)
        checks = self._checks
        if self._guarded:  # a question to another process for each text that a diagnosis asks about
            checks = [check for check in checks if check.code == crashes_or_hangs.CODE]
        try:
            discovered = triage(checks, subject, told["failing"], known)
        except TargetDeath:  # the diagnosis at the end tells what can be told
            discovered = []
        if self._guarded and self._remote:
            deadly = self._remote.crashers.rows
        return {"deadly": deadly, "discovered": discovered, **told}

    def _reached(self) -> dict[str, Any]:
        return self._rounds.features()

    def _diagnose(
        self, failing: dict[str, dict[str, str]], deadly: list[list[Any]]
    ) -> dict[str, Any]:
        if self._guarded and self._remote:
            self._remote.set_crashers(deadly)
        with contextlib.ExitStack() as ended:
            fresh = cache(partial(self._fresh, ended)) if self._timed and not self._remote else None
            return _records(diagnose_failures(self._checks, self._own_time(), failing, fresh))

    def _audit(self, code: str) -> dict[str, Any]:
        checks = [check for check in self._checks if check.code == code]
        return _records(run_audits(checks, self._own_time()))

    def _snapshot(self, golden: list[list[Any]]) -> dict[str, Any]:
        """Take a snapshot on these golden texts, or on a new set if there are none."""
        known = [Golden(group, text, ids_of(ids)) for group, text, ids in golden]
        if not known:
            facts = facts_of(self._subject, self._options.profile)
            known = [Golden(name, text, NEW) for name, text in golden_texts(facts)]
        return {"snapshot": snapshot_record(take_snapshot(self._own_time(), self._checks, known))}

    def _measure(self, name: str, deadly: list[list[Any]]) -> dict[str, Any]:
        """Measure the target as it is, whichever families and checks the run is of."""
        if self._guarded and self._remote:
            self._remote.set_crashers(deadly)
        facts = facts_of(self._subject, self._options.profile)
        cases = {one.name: partial(one.cases, facts) for one in plugins.families().values()}
        subject = replace(self._own_time().with_original_target(), cases=cases, state=self._measure_state)
        return {"measure": measures()[name](subject)}

    def _encode(self, texts: list[str], deadly: list[list[Any]]) -> dict[str, Any]:
        if self._guarded and self._remote:
            self._remote.set_crashers(deadly)
        subject = self._own_time()
        reference = subject.reference and Subject(subject.reference)
        return {
            "encodings": encodings(texts, subject.with_original_target()),
            "of_reference": encodings(texts, reference) if reference else None,
        }

    def _fresh(self, ended: contextlib.ExitStack) -> Target:
        """Give the target in another process, which ends with the diagnosis."""
        target = guarded_target(self._subject.target.spec)
        ended.callback(target.close)
        return target

    def _own_time(self) -> Subject:
        """Give the subject with each call of target and reference under the limit of time."""
        if not self._timed:
            return self._subject
        target, reference = self._subject.target, self._subject.reference
        return replace(
            self._subject,
            target=self._timed_target(target),
            original_target=self._subject.original_target and self._timed_target(self._subject.original_target),
            reference=None if reference is None else self._timed_target(reference),
        )

    def _timed_target(self, target: Target) -> Target:
        if target.has_own_process:  # which keeps the limit itself
            return target
        return target_of(
            target.spec, TimedTokenizer(target.tokenizer, Timer(self._limits, self._watchdog))
        )

    @property
    def _remote(self) -> Remote | None:
        """The tokenizer, where it runs in a process of its own."""
        return self._subject.target.tokenizer if self._subject.target.has_own_process else None


def main() -> None:
    """Answer questions until the input ends."""
    lines, write = take_standard_streams()
    worker = Worker(timed=True)
    for line in lines:
        write(worker.answer(from_line(line)))


def facts_of(
    subject: Subject, profile: str, regressions: tuple[tuple[str, str], ...] = ()
) -> TargetFacts:
    """What families may know; the pattern is the target's, or that of what explains it."""
    owners = (subject.target, subject.explainer)
    patterns = [getattr(one.tokenizer, "pattern", None) for one in owners if one is not None]
    pattern = next((one for one in patterns if isinstance(one, str)), None)
    return TargetFacts(tuple(subject.special_tokens), pattern, profile, regressions)


def _records(findings: dict[str, list[Finding]]) -> dict[str, Any]:
    return {
        "findings": {code: [finding_record(one) for one in some] for code, some in findings.items()}
    }


def _tuples(options: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) for key, value in options.items() if isinstance(value, list)}


if __name__ == "__main__":
    main()
