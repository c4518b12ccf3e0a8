"""What each entry point must return for a plain text whose ids are known.

Entry points that read or reject special tokens differ on their text by design. Texts with lone
surrogates are compared between entry points that all give ids for them, or all raise.

The target's file, as a reference reads it, requires results of an entry point, too.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.entry_points.bos_eos import allowed_ids, count_ids
from tokharness.diagnosis.probes.calls import BATCH, encode_all
from tokharness.edits import numbering_of
from tokharness.errors import TokharnessError
from tokharness.model import Cause
from tokharness.outcome import Raised
from tokharness.targets.description import DescriptionLoader, describe, versions_of
from tokharness.targets.subject import is_scalar, scalar_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.model import Target
    from tokharness.targets.subject import Subject

MAY_READ_SPECIAL = ("encode", "encode_special", "encode_with_offsets", "count")
"""Entry points that may read, or reject, the text of special tokens."""

OF_THE_FILE = ("encode", "encode_special")
"""Entry points that may add ids around a text, and may therefore truncate the text earlier."""

ENTRY_POINTS = "entry points"
"""Kind of the cause of an entry point that disagrees with that for plain text."""

Agrees = Callable[[str, list[int]], bool]
"""Whether an entry point agrees with the ids that plain encoding gives for a text."""


def entry_point_cause(name: str, message: str = "", *, surrogates: bool = False) -> Cause:
    """Make the cause of an entry point that disagrees with the entry point for plain text."""
    if surrogates:
        message = f"{name} handles lone surrogates differently than the entry point for plain text"
        return Cause("lone surrogates", (("differ", name),), message=message)
    message = message or f"{name} disagrees with the entry point for plain text"
    return Cause(ENTRY_POINTS, (("differ", name),), message=message)


def decode_bytes_cause(given: object) -> Cause:
    """Make the cause of a wrong result of ``decode_bytes``, which may be an exception."""
    what = "gives different bytes than those of the text"
    if isinstance(given, Raised):
        what = f"raises {type(given.error).__name__}"
    return entry_point_cause("decode_bytes", f"decode_bytes {what}")


def has_special_text(text: str, subject: Subject) -> bool:
    """Whether a text, or its declared form, contains the text of a special token."""
    forms = {text, subject.expected_text(text)}
    if not is_scalar(text):
        forms |= set(map(scalar_text, forms))
    return any(special in form for form in forms for special in subject.special_tokens)


def contracts(subject: Subject) -> dict[str, Agrees]:
    """Contracts of the entry points that take one text or its ids, by name."""
    target = subject.target
    by_name: dict[str, Agrees] = {}
    if target.can("encode_ordinary"):
        by_name["encode"] = _gives_allowed_ids("encode", subject)
    for name in ("encode_special", "encode_with_offsets"):
        if target.can(name):
            by_name[name] = _gives_allowed_ids(name, subject)
    if target.can("encode_bytes"):
        same = _gives_allowed_ids("encode_bytes", subject)
        by_name["encode_bytes"] = lambda text, ids: not is_scalar(text) or same(text, ids)
    if target.can("count"):
        by_name["count"] = lambda text, ids: (
            count_ids(text, subject) in map(len, allowed_ids(text, ids, "count", subject))
        )
    if target.can("decode_bytes"):
        by_name["decode_bytes"] = lambda text, ids: (
            not is_scalar(text) or _same_text(ids, text, subject)
        )
    return by_name


def disagreement_causes(text: str, ids: list[int], subject: Subject) -> list[Cause]:
    """Causes that name the entry points that disagree with these ids of a plain text."""
    special = has_special_text(text, subject)
    names = [
        name
        for name, agrees in contracts(subject).items()
        if not (special and name in MAY_READ_SPECIAL) and not agrees(text, ids)
    ]
    if not names or is_scalar(text):
        return [_cause_of_result(name, text, ids, subject) for name in names]
    # If an entry point also disagrees on the text with U+FFFD in place of each surrogate, the
    # surrogates are not the cause.
    plain = scalar_text(text)
    also = disagreement_causes(plain, subject.encode(plain) or [], subject)
    return [
        entry_point_cause(name, surrogates=entry_point_cause(name) not in also) for name in names
    ]


def _cause_of_result(name: str, text: str, ids: list[int], subject: Subject) -> Cause:
    if name == "decode_bytes":
        return decode_bytes_cause(subject.target.call(name, ids))
    (given,) = encode_all([text], subject, name)
    if not isinstance(given, Raised):
        return entry_point_cause(name)
    message = (
        f"{name} raises {type(given.error).__name__}, and the entry point for plain text does not"
    )
    return entry_point_cause(name, message)


def batch_ids(texts: Sequence[str], subject: Subject) -> list[Any] | Raised:
    """Return the rows of ids that ``encode_batch`` gives for texts, or the exception it raises."""
    result: list[Any] | Raised = subject.target.call(BATCH, list(texts))
    return result


def batch_agrees(texts: Sequence[str], rows: Sequence[Any], subject: Subject) -> bool:
    """Whether ``encode_batch`` agrees with ``rows``, the ids of the entry point for plain text."""
    got = batch_ids(texts, subject)
    if isinstance(got, Raised) or len(got) != len(rows):
        return False
    triples = zip(texts, rows, got, strict=True)
    return all(new in allowed_ids(text, ids, BATCH, subject) for text, ids, new in triples)


def _gives_allowed_ids(name: str, subject: Subject) -> Agrees:
    def agrees(text: str, ids: list[int]) -> bool:
        (got,) = encode_all([text], subject, name)
        return got in allowed_ids(text, ids, name, subject) or (
            name in OF_THE_FILE and is_of_the_file(name, text, got, subject)
        )

    return agrees


def _same_text(ids: list[int], text: str, subject: Subject) -> bool:
    """Whether ``decode_bytes`` gives the text's bytes, wherever ``decode`` gives the text.

    Ids of special tokens are exempt: one of the two methods may omit special tokens.
    """
    expected = subject.expected_text(text)
    if subject.decode(ids) != expected:
        return True
    if not set(subject.special_tokens.values()).isdisjoint(ids):
        return True
    return bool(subject.target.call("decode_bytes", ids) == expected.encode())


OF_OUR_READER = ("encode_altered", "token_text")
"""Methods of our own reader; a list of ranks has neither, and needs no such explanation."""


def is_of_the_file(entry_point: str, text: str, ids: Any, subject: Subject) -> bool:
    """Whether a reference that reads the same file gives these ids at the same entry point.

    A file may require results that would otherwise be a fault of the entry point: an added token
    takes the white space around it, or ids are truncated so that the ids of a template fit. Only
    our own reader counts: comparing a library with itself proves nothing.
    """
    reference = _our_reader(subject)
    if reference is None:
        return False
    if entry_point != "encode" and not reference.can(entry_point):
        return False
    return bool(reference.call(entry_point, text) == ids)


def is_decoded_as_the_file(ids: list[int], text: str, subject: Subject) -> bool:
    """Whether a reference that reads the same file decodes ids to this text."""
    reference = _our_reader(subject)
    return reference is not None and bool(reference.decode(ids) == text)


def _our_reader(subject: Subject) -> Target | None:
    """Return our reader of the target's file, also if the target is compared with another one."""
    reference = subject.reference
    if subject.claims_parity:
        own = subject.state.files.get_or_compute("reader of the file", lambda: _reader(subject))
        reference = own or reference
    if reference is None or not all(map(reference.can, OF_OUR_READER)):
        return None
    return reference


def _reader(subject: Subject) -> Target | None:
    target = subject.target
    try:
        file = describe(target.spec)
    except TokharnessError:
        return None
    if file is None:
        return None
    numbering = numbering_of(file, file, {**target.special_tokens, **target.added_tokens}, {})
    with tempfile.TemporaryDirectory() as folder, subject.state.preparing():
        return DescriptionLoader(Path(folder), versions_of(subject), numbering).load(file)
