"""Load a target with its reference, and prepare everything that other operations need."""

from __future__ import annotations

import contextlib
import gc
import math
import os
import sys
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from tokharness import plugins
from tokharness.config import PROFILES
from tokharness.diagnosis.probes.after_errors import first_decoded
from tokharness.engine.fuzzing.rounds import RoundRunner
from tokharness.engine.responses import (
    FIRST_TEXTS,
    SLOW_SECONDS,
    NotLoadedError,
    require_an_answer,
    seconds_per_text,
)
from tokharness.engine.run.selection import (
    reason_to_skip,
    regressions_to_replay,
    select_checks,
    select_families,
)
from tokharness.engine.worker.attribution import Attribution
from tokharness.engine.worker.batches import BatchRunner
from tokharness.engine.worker.state import (
    WorkerState,
    close_targets,
    remote_of,
    timed_target,
    with_time_limit,
    without_time_limit,
)
from tokharness.engine.worker.time_limits import Timer
from tokharness.engine.worker.units import FamilyTexts
from tokharness.engine.worker.vocabularies import target_facts
from tokharness.errors import TargetError, TokharnessError
from tokharness.outcome import Raised
from tokharness.targets.comparison import opened_files, reference_digest
from tokharness.targets.loading import (
    automatic_reference,
    guarded_target,
    load_alone,
    load_in_other_process,
    load_subject,
    load_target,
)
from tokharness.targets.processes.deadlines import crowding, set_deadline, without_deadline
from tokharness.targets.processes.limits import (
    CURRENT_LIMITS,
    WARM_UP_SECONDS,
    Limits,
    arm_timer,
    disarm_timer,
    resident_memory,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tokharness.config import Options
    from tokharness.engine.requests import LoadRequest
    from tokharness.model import Target, TargetFacts
    from tokharness.plugins import Check, Family
    from tokharness.targets.loading import LoadedSubject

OTHER_PROCESSES = "the target in new processes"
TOO_LARGE = "it takes too much memory for that in this profile"


def respond(request: LoadRequest, *, timed: bool) -> tuple[WorkerState, dict[str, Any]]:
    """Load the target; return the state for later requests, and the response.

    A ``timed`` worker has a process of its own, which is killed if a call takes too long.
    """
    sys.path.extend(path for path in request.sys_path if path not in sys.path)
    options = request.options
    limits = Limits(
        options.time_limit, options.memory_limit, cold=request.cold, load=options.load_limit
    )
    CURRENT_LIMITS.set(limits)
    checks, families = select_checks(options), select_families(options)
    # In the process of the command a file may have been read before.
    opening = opened_files() if timed and not request.guarded else contextlib.nullcontext()
    with opening as opened, without_deadline():  # the command limits the time of a load
        loaded = _load_subject(request, timed=timed)
    with contextlib.ExitStack() as on_error:
        on_error.callback(close_targets, loaded.subject)
        if loaded.subject.target.tokens_alone:
            families = []
        reasons = {check.code: reason_to_skip(check, loaded, options) for check in checks}
        run = [check for check in checks if not reasons[check.code]]
        state = _state(request, loaded, run, families, timed=timed)
        on_error.pop_all()
    if timed:  # what is loaded stays: the garbage collector need not traverse it again
        gc.freeze()  # in the process of the user it would keep what other runs leave
    response = _response(request.spec, state, checks, reasons)
    response["comparison"] = reference_digest(loaded.subject, opened) if opened else ""
    response["unfinished"] = loaded.no_reference if loaded.is_short_of_memory else ""
    return state, {**response, **_speed(state)}


def _load_subject(request: LoadRequest, *, timed: bool) -> LoadedSubject:
    timed = timed and not request.guarded
    try:
        loaded = load_subject(
            request.spec,
            request.options.against,
            partial(_load_target, request, timed=timed),
            reference=request.options.reference,
        )
    except NotLoadedError as error:
        error.other = _other_that_loads(request)
        raise
    return replace(loaded, subject=without_time_limit(loaded.subject))


def _other_that_loads(request: LoadRequest) -> str:
    """Return the spec of the reference if it loads, though the target does not, or ""."""
    options = request.options
    spec = options.against or automatic_reference(request.spec) or options.reference or "none"
    if spec == "none":
        return ""
    try:
        other = guarded_target(spec) if request.guarded else load_target(spec)
    except TokharnessError:
        return ""
    other.close()
    return spec


def _load_target(request: LoadRequest, spec: str, *, timed: bool) -> Target:
    """Load the target or its reference, and run first texts on the target.

    Raises:
        NotLoadedError: the target is there and fails while it is loaded.

    """
    try:
        target = guarded_target(spec) if request.guarded else load_target(spec)
        target = _at_versions(target, request.versions.get(spec, {}))
    except TargetError as error:
        if spec == request.spec and error.failure:
            raise NotLoadedError(spec, error.failure, str(error)) from error
        raise
    if spec != request.spec:
        return target
    if target.has_own_process:
        if not request.options.keep_going:
            require_an_answer(target)
    elif timed:
        if not request.options.keep_going:
            arm_timer(WARM_UP_SECONDS * crowding())
        first = target.encode("a")  # which may be slow
        disarm_timer()
        if isinstance(first, Raised) and isinstance(first.error, MemoryError):
            _require_an_answer(target, request.options)
        set_deadline(math.inf)  # it is loaded further
        return timed_target(target, Timer(CURRENT_LIMITS.get()))
    return target


def _at_versions(target: Target, versions: Mapping[str, str]) -> Target:
    """Return a target at Unicode versions; unchanged if there are none, or if it refuses them."""
    if not versions:
        return target
    if "" in versions:
        other = target.at_unicode_version(versions[""])
    else:
        other = target.at_stage_versions(versions)
    return target if isinstance(other, Raised) else other


def _speed(state: WorkerState) -> dict[str, Any]:
    """Return how long a text takes and, if that is long, how many texts the run has.

    These are the first calls of the target; their decoded texts are kept for a check of its state.
    """
    if state.timer is not None and not state.guarded:
        arm_timer(WARM_UP_SECONDS * crowding())
    seconds = seconds_per_text(state.subject)
    first_decoded(state.subject)
    disarm_timer()
    if seconds < SLOW_SECONDS:
        return {"texts": 0, "text_seconds": seconds}
    return {"texts": sum(texts.estimate for texts in state.texts.values()), "text_seconds": seconds}


def _state(
    request: LoadRequest,
    loaded: LoadedSubject,
    checks: Sequence[Check],
    families: Sequence[Family],
    *,
    timed: bool,
) -> WorkerState:
    options, limits = request.options, CURRENT_LIMITS.get()
    timer = Timer(limits) if timed else None
    has_room = not (timed and _is_large(options))
    facts = target_facts(
        with_time_limit(loaded.subject, timer),
        options.profile,
        regressions_to_replay(options, families),
    )
    cases = {family.name: partial(family.cases, facts) for family in families}
    subject = replace(
        loaded.subject,
        checks=frozenset(check.code for check in checks),
        cases=cases if options.enumerated else {},
        corpus=options.corpus,
        embeddings=options.embeddings,
        other_process=_other_process(request.spec) if timed and has_room else None,
        alone=partial(load_alone, request.spec) if timed and has_room else None,
    )
    batch_timer = Timer(limits, stopped=not timed or remote_of(subject) is not None)
    batches = BatchRunner(subject, checks, batch_timer, guarded=request.guarded)
    return WorkerState(
        options=options,
        subject=subject,
        guarded=request.guarded,
        timer=timer,
        checks=checks,
        texts=_texts(request, families, facts),
        batches=batches,
        has_room=has_room,
        rounds=RoundRunner(with_time_limit(subject, timer), families, facts, batches, options.seed),
        attribution=Attribution(
            request.spec, options.against, partial(_load_other, request, timed=timed)
        ),
    )


def _require_an_answer(target: Target, options: Options) -> None:
    """Run the first texts of a target in this process, unless the run is to keep going."""
    if not options.keep_going:
        arm_timer(len(FIRST_TEXTS) * WARM_UP_SECONDS * crowding())
        try:
            require_an_answer(target)
        finally:
            disarm_timer()


def _is_large(options: Options) -> bool:
    """Whether this process takes so much memory that the profile allows no second process."""
    limit = PROFILES[options.profile].worker_memory
    return limit is not None and resident_memory(os.getpid()) > limit


def _other_process(spec: str) -> Callable[[int], Target] | None:
    """Return a loader of the target in another process; None if our own code reads its files."""
    own_code = plugins.adapter(spec).plain_files
    return None if own_code else partial(load_in_other_process, spec)


def _load_other(
    request: LoadRequest, spec: str, against: str | None, *, timed: bool
) -> WorkerState:
    """Load another target with the settings of this target."""
    options = replace(request.options, against=against, reference=None, regressions=None)
    return respond(replace(request, spec=spec, options=options), timed=timed)[0]


def _texts(
    request: LoadRequest, families: Sequence[Family], facts: TargetFacts
) -> dict[str, FamilyTexts]:
    options, profile = request.options, PROFILES[request.options.profile]
    examples = profile.examples if options.examples is None else options.examples
    return {
        family.name: FamilyTexts(family, facts, profile, examples, options.seed)
        for family in families
    }


def _response(
    spec: str, state: WorkerState, checks: Sequence[Check], reasons: Mapping[str, str]
) -> dict[str, Any]:
    subject = state.subject
    return {
        "spec": spec,
        "against": subject.reference.spec if subject.reference else None,
        "capabilities": subject.target.capabilities,
        "normalizer": subject.target.normalizer,
        "unicode_version": subject.unicode_version,
        "families": list(state.texts),
        "checks": [check.code for check in state.checks],
        "skips": [
            *map(list, subject.target.beyond_bounds),
            *(
                [f"{check.code} {check.name}", reasons[check.code]]
                for check in checks
                if reasons[check.code]
            ),
            *([[OTHER_PROCESSES, TOO_LARGE]] if not state.has_room else []),
        ],
    }
