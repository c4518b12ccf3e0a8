"""Check a chunker: run the checks on its trials, and make the report."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokharness import plugins
from tokharness.chunking.chunker import (
    ENDS,
    INTERRUPTED,
    NO_CHUNKS,
    NOT_TRIED,
    SCHEME,
    Chunker,
)
from tokharness.chunking.placement import TooManyPlacesError
from tokharness.chunking.splitting import Splitting
from tokharness.chunking.texts import Trial, trials
from tokharness.engine.events import FamilyFinished, TargetFinished, TargetStarted
from tokharness.engine.run.selection import select_of_kind
from tokharness.engine.worker.shrinking import shrink
from tokharness.errors import NothingCheckedError, UsageError
from tokharness.escaping import json_argument, shell
from tokharness.model import Finding, Skip, Verdict
from tokharness.plugins.bare_paths import spec_of
from tokharness.results.detectors import PLACES, SPLITS
from tokharness.results.report import Report, TargetReport
from tokharness.results.versions import versions
from tokharness.targets.loading import contained_target

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.chunking.splitting import Problem
    from tokharness.config import Options
    from tokharness.model import Cause, Target
    from tokharness.plugins import ChunkCheck

SHRINK_CALLS = 400
SHRINK_SECONDS = 15.0
"""Limits for the smallest text of a finding."""

SHORT = 0.5
"""Seconds for a text that may take the time limit."""

TOO_MANY = "too many places are possible to try each one; texts: {:,}"

MOST_CHUNKS = 20
"""Chunks in the evidence of a finding."""


def examine(
    splitting: Splitting, chosen: Sequence[ChunkCheck], command: Sequence[str]
) -> TargetReport:
    """Return the report of the checks of a chunker.

    Args:
        splitting: The chunker and its trials.
        chosen: The checks to run.
        command: The arguments of ``tokharness chunk`` with which a user examines it.

    """
    start, spec = time.monotonic(), splitting.chunker.spec
    findings: list[Finding] = []
    skips: list[Skip] = []
    ran: list[str] = []
    failing: set[Trial] = set()
    unexamined: set[Trial] = set()
    unplaced: set[str] = set()
    has_split = "split" in splitting.chunker.methods
    if has_split:
        splitting.fetch(splitting.trials)
    for check in chosen:
        if reason := _reason(check, splitting):
            skips.append(Skip(spec, f"{check.code} {check.name}", reason))
            continue
        ran.append(check.code)
        rows, left_open, without = _problems(check, splitting)
        findings += _findings(check, splitting, rows, command)
        failing |= {trial for trial, _ in rows}
        unexamined |= left_open
        unplaced |= without
    skips += _left_out(splitting, unplaced)
    if splitting.chunker.is_interrupted:
        left = f"; texts with a problem that was not examined: {len(unexamined):,}"
        left = left if unexamined else ""
        skips.append(Skip(spec, SPLITS, f"{INTERRUPTED}{left}"))
    elif splitting.chunker.gave_up:
        reason = "the chunker exceeds a limit or ends its process, and the rest was not tried"
        if splitting.chunker.why_not_loaded:
            reason = f"the chunker has ended, and then {splitting.chunker.why_not_loaded}"
        unfinished = not any(_is_end(one.cause) for one in findings)
        skips.append(Skip(spec, SPLITS, reason, unfinished=unfinished))
    cases = len(splitting.trials)
    if has_split:
        cases -= sum(splitting.answer(one).failure == NOT_TRIED for one in splitting.trials)
    started = TargetStarted(spec, None, (), None, None, (SPLITS,), tuple(ran))
    return TargetReport(
        started=started,
        families=(FamilyFinished(spec, SPLITS, cases, failing=len(failing)),),
        findings=tuple(sorted(findings, key=lambda one: (one.rank, one.code, str(one.cause)))),
        skips=tuple(skips),
        finished=TargetFinished(spec, cases, time.monotonic() - start, 0.0),
    )


def _left_out(splitting: Splitting, unplaced: set[str]) -> Iterator[Skip]:
    """Yield what was not examined of texts that are split."""
    spec = splitting.chunker.spec
    if "split" in splitting.chunker.methods and not splitting.chunker.has_overlap:
        yield Skip(spec, "overlaps", "split takes no overlap")
    if unplaced:
        yield Skip(spec, PLACES, TOO_MANY.format(len(unplaced)), unfinished=True)
    if splitting.not_measured:
        kinds = ", ".join(splitting.not_measured)
        yield Skip(spec, "growth", f"the time was used up before it was measured on {kinds}")


WITHOUT_SPLIT = ("TOK609", "TOK610", "TOK613")
WITHOUT_CHUNKS = ("TOK601", *WITHOUT_SPLIT)
"""Checks that have something to see if no text is split."""


def _reason(check: ChunkCheck, splitting: Splitting) -> str:
    """Return why a check does not run, or ""."""
    if splitting.chunker.is_interrupted and not splitting.splits:
        return INTERRUPTED
    if check.code not in WITHOUT_SPLIT and "split" not in splitting.chunker.methods:
        return "the chunker has no split(text, limit)"
    if check.code not in WITHOUT_CHUNKS and not splitting.splits:
        return "no text is split"
    return check.not_applicable(splitting)


def _is_end(cause: Cause) -> bool:
    return cause.kind in (*ENDS, NO_CHUNKS) or any(value in ENDS for _, value in cause.parameters)


def _problems(
    check: ChunkCheck, splitting: Splitting
) -> tuple[list[tuple[Trial, Problem]], set[Trial], set[str]]:
    """Return the problems of trials, and the trials with problems that need further answers.

    Also return the texts whose chunks may be at too many places; short texts are tried first.

    After an interrupt nothing is asked, and without an answer there may be a wrong cause, or no
    problem. A text that is not split needs no further answer.
    """
    rows: list[tuple[Trial, Problem]] = []
    unexamined: set[Trial] = set()
    unplaced: set[str] = set()
    order = {trial: number for number, trial in enumerate(splitting.trials)}
    for trial in sorted(splitting.trials, key=lambda one: len(one.text)):
        before = splitting.chunker.refused
        try:
            found = [(trial, problem) for problem in check.problems(splitting, trial)]
        except TooManyPlacesError:
            unplaced.add(trial.text)
            continue
        is_examined = splitting.chunker.refused == before
        if is_examined or splitting.answer(trial).failure not in ("", NOT_TRIED):
            rows += found
        elif found:
            unexamined.add(trial)
    return sorted(rows, key=lambda row: order[row[0]]), unexamined, unplaced


def _findings(
    check: ChunkCheck,
    splitting: Splitting,
    rows: Sequence[tuple[Trial, Problem]],
    command: Sequence[str],
) -> list[Finding]:
    """Return a finding for each cause of some problems, and each problem of the whole chunker."""
    by_cause = _by_cause(rows)
    causes = list(by_cause)
    findings = [
        _of_trials(check, splitting, causes[: number + 1], trials, command)
        for number, trials in enumerate(by_cause.values())
    ]
    if not splitting.chunker.is_interrupted:
        with _stopped(splitting.chunker):
            for problem in check.audit(splitting):  # each is kept if the next one is interrupted
                findings.append(_of_audit(check, splitting, problem, command))  # noqa: PERF401
    return findings


@contextlib.contextmanager
def _stopped(chunker: Chunker) -> Iterator[None]:
    """Ask a chunker for nothing more after an interrupt of another process in this block."""
    try:
        yield
    except KeyboardInterrupt:
        chunker.interrupt()


def _by_cause(rows: Sequence[tuple[Trial, Problem]]) -> dict[Cause, dict[Trial, Problem]]:
    """Return the fewest causes that explain all problems, each with its trials."""
    found: dict[Cause, dict[Trial, Problem]] = {}
    rest = list(rows)
    while rest:
        counts = Counter(cause for _, problem in rest for cause in problem.causes)
        best = max(counts, key=counts.__getitem__)  # the first of equal ones
        found[best] = {trial: problem for trial, problem in rest if best in problem.causes}
        rest = [(trial, problem) for trial, problem in rest if best not in problem.causes]
    return found


def _of_trials(
    check: ChunkCheck,
    splitting: Splitting,
    causes: Sequence[Cause],
    trials: dict[Trial, Problem],
    command: Sequence[str],
) -> Finding:
    """Return the finding of the last of some causes, which explains what the others do not."""
    first = min(trials, key=lambda one: (len(one.text), one.overlap, one.limit, one.text))
    trial = _smallest(check, splitting, first, causes)
    shown = _problem(check, splitting, trial, causes) or trials[first]
    return Finding(
        splitting.chunker.spec,
        check.code,
        check.name,
        causes[-1],
        len(trials),
        trial.text,
        (SPLITS,),
        _command(check, command, trial),
        {**_evidence(splitting, trial), **shown.evidence},
    )


def _of_audit(
    check: ChunkCheck, splitting: Splitting, problem: Problem, command: Sequence[str]
) -> Finding:
    return Finding(
        splitting.chunker.spec,
        check.code,
        check.name,
        problem.cause,
        1,
        problem.text,
        (SPLITS,),
        _command(check, command, None),
        problem.evidence,
    )


def _problem(
    check: ChunkCheck, splitting: Splitting, trial: Trial, causes: Sequence[Cause]
) -> Problem | None:
    """Return the problem of a trial that the last of some causes explains, and no other does."""
    *others, cause = causes
    found = (one for one in check.problems(splitting, trial) if cause in one.causes)
    try:
        return next((one for one in found if not any(map(one.causes.__contains__, others))), None)
    except TooManyPlacesError:
        return None


def _smallest(
    check: ChunkCheck, splitting: Splitting, trial: Trial, causes: Sequence[Cause]
) -> Trial:
    """Return a trial that shows a cause, whose text has nothing that can be left out.

    A chunker that does not end gets less time for each text.
    """
    if splitting.chunker.why_not_loaded or splitting.chunker.is_interrupted:
        return trial
    if _is_end(causes[-1]):
        return _shrunk_by_another(check, splitting, trial, causes)
    return trial if splitting.chunker.gave_up else _shrunk(check, splitting, trial, causes)


def _shrunk_by_another(
    check: ChunkCheck, splitting: Splitting, trial: Trial, causes: Sequence[Cause]
) -> Trial:
    with (
        _stopped(splitting.chunker),
        Chunker(splitting.chunker.spec, seconds=SHORT, most_ended=SHRINK_CALLS) as chunker,
    ):
        trial = _shrunk(check, Splitting(chunker, (), splitting.tokenizer), trial, causes)
        if chunker.is_interrupted:
            raise KeyboardInterrupt
    return trial


def _shrunk(
    check: ChunkCheck, splitting: Splitting, trial: Trial, causes: Sequence[Cause]
) -> Trial:
    end = time.monotonic() + SHRINK_SECONDS

    def shows(one: Trial) -> bool:
        is_pair = any("\ud800" <= a < "\udc00" <= b < "\ue000" for a, b in pairwise(one.text))
        if is_pair or splitting.chunker.gave_up:  # JSON joins a pair
            return False
        return _problem(check, splitting, one, causes) is not None

    if trial.overlap and shows(without := replace(trial, overlap=0)):
        trial = without
    text = shrink(
        trial.text,
        lambda text: shows(splitting.with_text(trial, text)),
        max_calls=SHRINK_CALLS,
        is_used_up=lambda: time.monotonic() > end,
    )
    return splitting.with_text(trial, text)


def _evidence(splitting: Splitting, trial: Trial) -> dict[str, Any]:
    found: dict[str, Any] = {"limit": trial.limit}
    if trial.overlap:
        found["overlap"] = trial.overlap
    has_split = "split" in splitting.chunker.methods
    chunks = splitting.chunks(trial) if has_split else None
    if chunks is not None:
        found["chunks"] = [one.text for one in chunks[:MOST_CHUNKS]]
    return found


def _command(check: ChunkCheck, command: Sequence[str], trial: Trial | None) -> str:
    words = ["tokharness", "chunk", *command, "--select", check.code]
    shown = " ".join(map(str, map(shell, words)))
    if trial is None:
        return shown
    overlap = f" --overlap {trial.overlap}" if trial.overlap else ""
    return f"{shown} --json {json_argument(trial.text)} --limit {trial.limit}{overlap}"


def chunk(
    spec: str,
    options: Options,
    *,
    tokenizer: str | None = None,
    given: Sequence[Trial] = (),
) -> Report:
    """Return the report on a chunker.

    Args:
        spec: Its spec, ``chunker:...``.
        options: What to select, and which findings fail.
        tokenizer: The spec of the tokenizer that counts; None for what the chunker declares.
        given: Trials that are made instead of all others.

    After an interrupt, the report has what was found before.

    Raises:
        UsageError: the spec is not one of a chunker, or no check has this name.
        TargetError: the chunker or the tokenizer cannot be loaded.
        NothingCheckedError: no check could run.

    """
    chosen = select_of_kind(plugins.chunk_checks().values(), options, "check of chunkers")
    if spec.partition(":")[0] != SCHEME:
        raise UsageError(_not_a_chunker(spec))
    with contextlib.ExitStack() as stack:
        chunker = stack.enter_context(Chunker(spec))
        counting = tokenizer or chunker.counts_with
        target = _loaded(counting) if counting else None
        if target is not None:
            stack.callback(target.close)
        rows = given or trials(overlaps=chunker.has_overlap)
        view = Splitting(chunker, rows, target)
        command = [spec, *(["--tokenizer", tokenizer] if tokenizer else [])]
        report = examine(view, chosen, command)
        has_split = "split" in chunker.methods
        is_interrupted = chunker.is_interrupted
        has_bug = any(one.verdict is Verdict.BUG for one in report.findings)
        if has_split and not (view.splits or has_bug or is_interrupted):
            raise NothingCheckedError("no text was split: " + view.answer(rows[0]).message)
    if not report.started.checks and not is_interrupted:
        raise NothingCheckedError(f"no check could run: {report.skips[0].reason}")
    created = datetime.now(UTC).isoformat(timespec="seconds")
    found = {**versions(), **plugins.adapter(spec).versions_of(spec.partition(":")[2])}
    return Report(options, (report,), found, interrupted=is_interrupted, created=created)


def _not_a_chunker(word: str) -> str:
    path = Path(word.partition(":")[2] if plugins.has_known_scheme(word) else word)
    where = path.name if path.suffix == ".py" else "FILE.py"
    return (
        f"{word!r} is not a chunker: write {SCHEME}:{where}:FACTORY, {SCHEME}:MODULE:FACTORY or "
        f"{SCHEME}:PACKAGE:SPLITTER"
    )


def _loaded(spec: str) -> Target:
    """Load the tokenizer that counts, which may be a path."""
    return contained_target(spec_of(spec))
