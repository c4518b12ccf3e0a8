"""What a worker knows about each token: a mapping from ids to values for each field of a row."""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

from tokharness.checks import unreachable_token
from tokharness.diagnosis.reachability import ALONE, reach_of_tokens
from tokharness.diagnosis.reachability.own_texts import own_texts
from tokharness.diagnosis.token_content.texts import written_texts
from tokharness.engine.worker.findings import failures
from tokharness.errors import TargetDeath
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tokharness.diagnosis.reachability import Reach
    from tokharness.model import Failure, Target
    from tokharness.plugins import Check
    from tokharness.targets.subject import Subject

    Column: TypeAlias = Mapping[int, Any]

__all__ = ["audited_columns", "plain_columns"]


def plain_columns(subject: Subject) -> Mapping[str, Column]:
    """Return the bytes, the text and the kind of each token; the kind ``ordinary`` is left out."""
    return subject.cache.get_or_compute("rows of tokens", lambda: _plain_columns(subject))


def _plain_columns(subject: Subject) -> dict[str, Column]:
    target = subject.target
    named = {number: text for text, number in target.added_tokens.items()}
    special = {number: text for text, number in target.special_tokens.items()}
    kinds = {**dict.fromkeys(named, "added"), **dict.fromkeys(special, "special")}
    named |= special
    numbers = [number for number in range(target.n_vocab or 0) if number not in named]
    tokens, deaths = _bytes_of_tokens(numbers, target)
    texts = {} if tokens or deaths else _texts_of_tokens(numbers, subject)
    shown = tokens.keys() | texts.keys() | deaths.keys()
    holes = dict.fromkeys((n for n in numbers if n not in shown), "hole")
    return {
        "bytes": {number: data.hex() for number, data in tokens.items()},
        "text": {**texts, **named},
        "kind": {**holes, **kinds},
        "reason": deaths,
    }


def _texts_of_tokens(numbers: Sequence[int], subject: Subject) -> dict[int, str]:
    """Return the texts as they stand in the vocabulary, or else what each id is decoded to."""
    if subject.target.can("token_text"):
        return written_texts(numbers, subject.target)
    own: Mapping[int, str | bytes] = _or_nothing(partial(own_texts, subject), {})
    return {n: text for n in numbers if isinstance(text := own.get(n), str) and text}


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
    """Return what the checks found out about each token: its reach, its classes, and numbers."""
    return subject.cache.get_or_compute(
        "audited rows of tokens", lambda: _audited_columns(checks, subject)
    )


def _audited_columns(checks: Sequence[Check], subject: Subject) -> dict[str, Column]:
    audited: dict[str, list[Failure]] = {
        check.code: _or_nothing(partial(failures, check, subject), []) for check in checks
    }
    reach: Mapping[int, Reach] = {}
    if unreachable_token.CODE in audited:
        reach = _or_nothing(partial(reach_of_tokens, subject), {})
    shows_own_text = subject.target.can("decode_single_token_bytes")
    columns: dict[str, dict[int, Any]] = {
        "classes": _classes(audited),
        "state": {number: one.state for number, one in reach.items()},
        "witness": {
            number: one.witness
            for number, one in reach.items()
            if one.witness and not (shows_own_text and one.state == ALONE)
        },
        "reason": {number: one.reason for number, one in reach.items() if one.reason},
    }
    for failure in chain.from_iterable(audited.values()):
        for name, values in failure.columns.items():
            columns[name] = {**values, **columns.get(name, {})}  # of the first failure that has it
    return dict(columns)


def _classes(audited: Mapping[str, Sequence[Failure]]) -> dict[int, list[str]]:
    """Return the code of each check that reports a token, with the name of the class."""
    classes: dict[int, list[str]] = {}
    for code, found in audited.items():
        for failure in found:
            for name, numbers in failure.tokens.items():
                label = f"{code} {name or failure.cause.kind}"
                for number in numbers:
                    if label not in (known := classes.setdefault(number, [])):
                        known.append(label)
    return classes


def _or_nothing(compute: Callable[[], Any], nothing: Any) -> Any:
    """Return what a function computes; nothing if the target dies, which an audit reports."""
    try:
        return compute()
    except TargetDeath:
        return nothing
