"""What a worker knows about each token: a mapping from ids to values for each field of a row."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from tokharness.diagnosis.token_content.texts import written_texts
from tokharness.engine.worker.findings import failures
from tokharness.errors import TargetDeath
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tokharness.model import Target
    from tokharness.plugins import Check
    from tokharness.targets.subject import Subject

    Column: TypeAlias = Mapping[int, Any]

__all__ = ["audited_columns", "plain_columns"]


def plain_columns(subject: Subject) -> Mapping[str, Column]:
    """Return the bytes, the text and the kind of each token; the kind ``ordinary`` is left out."""
    return subject.cache.get_or_compute("rows of tokens", lambda: _plain_columns(subject.target))


def _plain_columns(target: Target) -> dict[str, Column]:
    named = {number: text for text, number in target.added_tokens.items()}
    special = {number: text for text, number in target.special_tokens.items()}
    kinds = {**dict.fromkeys(named, "added"), **dict.fromkeys(special, "special")}
    named |= special
    numbers = [number for number in range(target.n_vocab or 0) if number not in named]
    tokens, deaths = _bytes_of_tokens(numbers, target)
    texts = {}
    if not tokens and target.can("token_text"):
        texts = written_texts(numbers, target)
    shown = tokens.keys() | texts.keys() | deaths.keys()
    holes = dict.fromkeys((n for n in numbers if n not in shown), "hole")
    return {
        "bytes": {number: data.hex() for number, data in tokens.items()},
        "text": {**texts, **named},
        "kind": {**holes, **kinds},
        "reason": deaths,
    }


def _bytes_of_tokens(
    numbers: Sequence[int], target: Target
) -> tuple[dict[int, bytes], dict[int, str]]:
    """Return the bytes of each id, and how the process ended for which ids."""
    if not target.can("decode_single_token_bytes"):
        return {}, {}
    rows = dict(zip(numbers, target.call_each("decode_single_token_bytes", numbers), strict=True))
    deaths = {
        number: f"the process ended with {data.error}"
        for number, data in rows.items()
        if isinstance(data, Raised) and isinstance(data.error, TargetDeath)
    }
    return {
        number: data for number, data in rows.items() if isinstance(data, bytes) and data
    }, deaths


def audited_columns(checks: Sequence[Check], subject: Subject) -> Mapping[str, Column]:
    """Return the classes of each token."""
    return subject.cache.get_or_compute(
        "audited rows of tokens", lambda: _audited_columns(checks, subject)
    )


def _audited_columns(checks: Sequence[Check], subject: Subject) -> dict[str, Column]:
    columns: dict[str, Column] = {"classes": _classes(checks, subject)}
    return columns


def _classes(checks: Sequence[Check], subject: Subject) -> dict[int, list[str]]:
    """Return the code of each check that reports a token, with the name of the class."""
    classes: dict[int, list[str]] = {}
    for check in checks:
        for failure in _or_nothing(partial(failures, check, subject)):
            for name, numbers in failure.tokens.items():
                label = f"{check.code} {name or failure.cause.kind}"
                for number in numbers:
                    if label not in (known := classes.setdefault(number, [])):
                        known.append(label)
    return classes


def _or_nothing(compute: Callable[[], Any]) -> Any:
    """Return what a function computes; nothing if the target dies, which an audit reports."""
    try:
        return compute()
    except TargetDeath:
        return {}
