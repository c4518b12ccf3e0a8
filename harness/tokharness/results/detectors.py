"""Detections of the vocabulary checks: the number of tokens of each class, and an example."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokharness import plugins
from tokharness.engine.run.report_requests import VOCABULARY
from tokharness.engine.run.selection import is_of_vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokharness.model import Finding, Text, Verdict
    from tokharness.results.report import Report, TargetReport

TABLES = {"classes": ("class", "{}"), "forms": ("equal in", "equal in {}")}
"""Tables of the evidence of findings with a row for a class: the key of its name, and the name."""

TOKENS, EXAMPLE, ITS_ID = "tokens", "example", "its id"
"""Other keys of such a row."""


@dataclass(frozen=True, slots=True)
class Detector:
    """A class of tokens that a check detects, with an example and, if known, its id."""

    code: str
    verdict: Verdict
    name: str
    tokens: int
    example: Text | None = None
    number: int | None = None


def detectors(target: TargetReport) -> list[Detector]:
    """Return what the checks of the vocabulary detect, by the code of the check.

    If two findings of a check have the same class with the same tokens, it is listed once, with the
    worse verdict.
    """
    rows: dict[tuple[str, str, int], Detector] = {}
    findings = [finding for finding in target.findings if _is_of_vocabulary(finding.code)]
    for finding in sorted(findings, key=lambda one: (one.code, one.verdict.rank)):
        for row in _rows(finding):
            rows.setdefault((row.code, row.name, row.tokens), row)
    return list(rows.values())


def _is_of_vocabulary(code: str) -> bool:
    check = plugins.checks().get(code)
    return check is not None and is_of_vocabulary(check)


def _rows(finding: Finding) -> Iterator[Detector]:
    """Yield a row for each class of the evidence, or one for the finding."""
    code, verdict = finding.code, finding.verdict
    classes = list(_classes(finding.evidence))
    for name, row in classes:
        example, number = row.get(EXAMPLE), row.get(ITS_ID)
        yield Detector(
            *(code, verdict, name, row[TOKENS]),
            example if isinstance(example, str | bytes) else None,
            number if isinstance(number, int) else None,
        )
    if not classes:
        yield Detector(code, verdict, str(finding.cause), finding.count, finding.text)


def _classes(evidence: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the names and rows of classes; a report from a file may hold any data."""
    for table, (key, name) in TABLES.items():
        rows = evidence.get(table)
        for row in rows if isinstance(rows, list) else []:
            if isinstance(row, dict) and isinstance(row.get(TOKENS), int):
                value = row.get(key)
                if isinstance(value, str):
                    yield name.format(value), row


CONVERSATIONS = "conversations"
"""What stands in the place of a family where a chat template was checked."""


SPLITS = "splits"
"""What stands in the place of a family where a chunker was checked."""
PLACES = "places of chunks"
"""What is not finished after too many steps, which are no matter of time."""

STREAMS = "streams"
"""What stands in the place of a family where a stream parser was checked."""

CONVERSATION = "conversation"
"""Key of the evidence with the parts of a rendered conversation: ``part``, ``text`` and ``ids``."""

RENDERED = "rendered"
"""Key of the evidence with the text of a rendered conversation."""


def conversation_parts(finding: Finding) -> list[tuple[str, str, str]]:
    """Return what each part of a rendering is, its text and its ids; a file may hold any data."""
    rows = finding.evidence.get(CONVERSATION)
    return [
        (row["part"], row["text"], row["ids"])
        for row in (rows if isinstance(rows, list) else [])
        if isinstance(row, dict)
        and all(isinstance(row.get(key), str) for key in ("part", "text", "ids"))
    ]


def has_conversations(report: Report) -> bool:
    """Whether a run only checked what is no tokenizer: it has no profile and no seed."""
    return bool(report.targets) and all(
        is_of_conversations(target) or is_of_splits(target) or is_of_streams(target)
        for target in report.targets
    )


def is_of_conversations(target: TargetReport) -> bool:
    """Whether a run checked a chat template, and not the texts of families."""
    return target.started.families == (CONVERSATIONS,)


def is_of_splits(target: TargetReport) -> bool:
    """Whether a run checked a chunker, and not a tokenizer."""
    return target.started.families == (SPLITS,)


def is_of_streams(target: TargetReport) -> bool:
    """Whether a run checked a stream parser, and not a tokenizer."""
    return target.started.families == (STREAMS,)


def is_audit(target: TargetReport) -> bool:
    """Whether a run examined the vocabulary of a target, and ran no cases."""
    codes = target.started.checks
    of_vocabulary = bool(codes) and all(map(_is_of_vocabulary, codes))
    return not target.families and (of_vocabulary or VOCABULARY in (target.measures or {}))


def are_audits(report: Report) -> bool:
    """Whether a run only examined vocabularies."""
    return bool(report.targets) and all(map(is_audit, report.targets))


def seen_tokens(target: TargetReport) -> tuple[int, int]:
    """Return the number of ids and of tokens that a target shows."""
    vocabulary = (target.measures or {}).get(VOCABULARY) or {"n_vocab": 0, "tokens": 0}
    return vocabulary["n_vocab"], vocabulary["tokens"]
