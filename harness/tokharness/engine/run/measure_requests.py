"""Have workers measure a target for a reader, and encode the texts of what was found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.checks import crashes_or_hangs
from tokharness.engine.events import Event, MetricsCollected, SkipRecorded
from tokharness.engine.measures import measures
from tokharness.engine.run.diagnosis_requests import asked, asked_direct
from tokharness.errors import TargetDeath
from tokharness.model import Skip

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from tokharness.engine.run.diagnosis_requests import Told
    from tokharness.engine.run.workers import Workers
    from tokharness.model import Finding

__all__ = ["measured", "measures_of", "texts_of"]

LONGEST = 200
"""Characters of a text that is drawn as tokens."""

TOGETHER = 500
"""Texts of one question."""


def measured(crew: Workers, tried: Told, findings: Sequence[Finding]) -> Iterator[Event]:
    """Tell what was measured, after a skip for each measure that ends the target's process.

    Where texts are known that do, all is measured with the target in a process of its own.

    Raises:
        KeyboardInterrupt: it was interrupted, which has been told.

    """
    texts = texts_of(findings)
    parts = [texts[at : at + TOGETHER] for at in range(0, len(texts), TOGETHER)]
    try:
        yield from measures_of(
            crew, measures(), parts=parts, deadly=tried.deadly, guarded=tried.is_deadly
        )
    except KeyboardInterrupt:
        yield SkipRecorded(Skip(crew.pool.spec, "what is measured", "the run was interrupted"))
        raise


def measures_of(
    crew: Workers,
    names: Collection[str],
    *,
    parts: Sequence[Sequence[str]] = (),
    deadly: Sequence[Sequence[Any]] = (),
    guarded: bool = False,
) -> Iterator[Event]:
    """Tell the measures of these names, and the encodings of texts, which come in parts."""
    spec = crew.pool.spec
    questions: dict[str, dict[str, Any]] = {
        f"the measure of {name.replace('_', ' ')}": {
            "op": "measure",
            "name": name,
            "deadly": deadly,
        }
        for name in names
    }
    for number, part in enumerate(parts, 1):
        what = f"part {number} of the tokens of what was found"
        questions[what] = {"op": "encode", "texts": part, "deadly": deadly}
    found = {} if guarded else asked_direct(crew, questions)
    told: dict[str, Any] = {}
    drawn: list[dict[str, Any]] = []
    for what, question in questions.items():
        try:
            answer = found[what] if what in found else asked(crew.guarded_worker(), question)
        except TargetDeath as death:
            yield SkipRecorded(Skip(spec, what, f"the target's process ended with {death}"))
            continue
        if "name" in question:
            told[question["name"]] = answer["measure"]
        else:
            drawn += _drawn(answer)
    yield MetricsCollected(spec, {**told, "texts": drawn})


def texts_of(findings: Sequence[Finding]) -> list[str]:
    """Texts of findings, and what each is compared with, that are short enough to be drawn."""
    texts: dict[str, None] = {}
    for finding in findings:
        if finding.code != crashes_or_hangs.CODE:
            for text in (finding.text, finding.evidence.get("twin")):
                if isinstance(text, str) and len(text) <= LONGEST:
                    texts[text] = None
    return list(texts)


def _drawn(answer: dict[str, Any]) -> list[dict[str, Any]]:
    """Encodings, each with the reference's beside it."""
    rows, others = answer["encodings"], answer["of_reference"]
    if others is None:
        return [{**row, "reference": None} for row in rows]
    return [{**row, "reference": other} for row, other in zip(rows, others, strict=True)]
