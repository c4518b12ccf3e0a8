"""JSON lines, in ASCII, of an audit: an object for each id.

Its keys are ``spec``, ``id``, ``token`` (null for a part of a character), ``bytes`` (hex),
``kind``, ``reach``, ``witness``, ``reason`` and ``classes``; an audit with a corpus adds ``count``,
and an audit with embeddings adds ``norm`` and ``rank``. Unknown values are null.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.escaping import Shown, json_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.model import TokenRow
    from tokharness.results.report import Report

NAME = "jsonl"


def render(report: Report, *, width: int | None = None, color: bool = False) -> Shown:
    """Render one object per line."""
    return Shown("").join(map(json_text, _records(report)))


def _records(report: Report) -> Iterator[dict[str, Any]]:
    further = ["count"] if report.options.corpus else []
    further += ["norm", "rank"] if report.options.embeddings else []
    for target in report.targets:
        for row in target.tokens or ():
            record = {"spec": target.started.spec, **token_record(row)}
            yield record | {name: getattr(row, name) for name in further}


def token_record(row: TokenRow) -> dict[str, Any]:
    """Return what is known about a token as plain data."""
    content = row.content
    return {
        "id": row.id,
        "token": content if isinstance(content, str) else None,
        "bytes": None if row.bytes is None else row.bytes.hex(),
        "kind": row.kind,
        "reach": row.state or None,
        "witness": row.witness,
        "reason": row.reason or None,
        "classes": list(row.classes),
    }
