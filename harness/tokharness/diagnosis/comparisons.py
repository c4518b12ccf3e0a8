"""What a target gave and what was expected, as plain data for the evidence of a finding."""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.ids.token_texts import token_bytes
from tokharness.diagnosis.probes.calls import reportable_ids
from tokharness.errors import TargetDeath, message_of
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.targets.subject import Subject

DIFFERS = "differs"
"""Key of a row of evidence that is marked, since it is not as expected."""

MAX_SHOWN, BEFORE = 64, 8
"""Ids or characters shown of a long result, and how many of them precede the first difference."""


def compared(given: Any, expected: Any, subject: Subject) -> dict[str, Any]:
    """Return both results, cut to the surroundings of their first difference; ids also in a table.

    A result is a text, bytes, a list of ids, a number, or :class:`~tokharness.outcome.Raised`.
    """
    results = [_plain(given), _plain(expected)]
    start = window(*results)
    cut = [_cut(result, start) for result in results]
    record = {"given": cut[0], "expected": cut[1]}
    if start:
        record["first shown position"] = start
    if all(map(_are_ids, cut)):
        record["ids side by side"] = list(_side_by_side(cut[0], cut[1], subject))
    return record


def compared_call(
    name: str, given: Any, expected: Any, subject: Subject, argument: Any = None
) -> dict[str, Any]:
    """Return the entry point that was called, and both results as :func:`compared` does.

    The ``argument`` of the call is left out if it is the text of the finding.
    """
    call: dict[str, Any] = {"entry point": name}
    if isinstance(argument, list):
        call["for"] = reportable_ids(argument[:MAX_SHOWN])
    elif argument is not None:
        call["for"] = argument
    return {**call, **compared(given, expected, subject)}


def window(given: Any, expected: Any) -> int:
    """Return the position from which two results are shown: shortly before they differ, if long."""
    if not isinstance(given, str | list) or not isinstance(expected, str | list):
        return 0
    if max(len(given), len(expected)) <= MAX_SHOWN:
        return 0
    pairs = zip_longest(given, expected)
    first = next((place for place, (one, other) in enumerate(pairs) if one != other), 0)
    return max(first - BEFORE, 0)


def token_text(number: Any, subject: Subject) -> str:
    """Return the text of a token; its bytes in hex if they are not UTF-8; "" if it has none."""
    if not isinstance(number, int):
        return ""
    if not subject.target.can("decode_single_token_bytes"):
        return subject.decode([number]) or ""
    data = token_bytes(subject)[number]
    try:
        return data.decode()
    except UnicodeDecodeError:
        return f"<{data.hex(' ')}>"


def _plain(result: Any) -> Any:
    """Return a result as plain data; an exception as a sentence."""
    if isinstance(result, Raised):
        return _exception(result.error)
    if isinstance(result, bytes):
        return result.hex(" ")
    if isinstance(result, list | tuple):
        rows = [isinstance(one, list | tuple) for one in result]
        return list(map(_plain, result)) if any(rows) else reportable_ids(result)
    return result if isinstance(result, str | int | None) else str(result)


def _exception(error: BaseException) -> str:
    if not isinstance(error, TargetDeath):
        return f"raises {type(error).__name__}: {message_of(error)}"
    reason = "an invalid response" if error.reason == "nonsense" else error.reason
    detail = error.detail.partition(": {")[0]  # without the response itself
    return f"{reason}: {detail}" if detail else reason


def _cut(result: Any, start: int) -> Any:
    return result[start : start + MAX_SHOWN] if isinstance(result, str | list) else result


def _are_ids(result: Any) -> bool:
    return isinstance(result, list) and not any(isinstance(one, list) for one in result)


def _side_by_side(
    given: Sequence[Any], expected: Sequence[Any], subject: Subject
) -> Iterator[dict[str, Any]]:
    """Yield a row for each pair of ids that belong together; one of them may be missing."""
    for tag, a, b, c, d in SequenceMatcher(None, given, expected, autojunk=False).get_opcodes():
        for one, other in zip_longest(given[a:b], expected[c:d]):
            row = {**_column("given", one, subject), **_column("expected", other, subject)}
            yield row | ({DIFFERS: True} if tag != "equal" else {})


def _column(name: str, number: Any, subject: Subject) -> dict[str, Any]:
    return {name: number, f"token {name}": "" if number is None else token_text(number, subject)}
