"""Stages that a library has loaded with another type or other settings than its file says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.model import Cause, Failure, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.targets.subject import Subject

__all__ = ["KIND", "loaded_stage_failures"]

KIND = "loaded stage"
METHOD = "load_differences"
MOST = 20


def loaded_stage_failures(subject: Subject) -> Iterator[Failure]:
    """Report each field that is loaded with another value: a bug, or a risk."""
    if not subject.target.can(METHOD):
        return
    rows = subject.target.call(METHOD, MOST)
    for row in rows if isinstance(rows, list) else []:
        if isinstance(row, list | tuple) and [type(part) for part in row] == [str] * 4:
            yield _failure(*row)


def _failure(stage: str, field: str, written: str, loaded: str) -> Failure:
    ignored = loaded == "none" and field.rpartition(".")[2] != "type"
    what = "the library ignores it" if ignored else f"the library has loaded {loaded}"
    message = f"{stage}: {field} is {written} in the file, and {what}"
    only_around = stage == "post-processor"  # the ids around a text, which a class may declare
    verdict = Verdict.RISK if ignored or only_around else Verdict.BUG
    cause = Cause(KIND, (("stage", stage), ("field", field)), verdict, message)
    evidence = {"entry point": f"loading {field}", "given": loaded, "expected": written}
    return Failure(cause, evidence={"stage": stage, **evidence})
