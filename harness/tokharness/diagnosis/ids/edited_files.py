"""Differences that an edit of the file explains: a target and a reference that show their files.

The reference implementation reads the reference's file, then this file with the first edit, with
the first two edits, and so on until it equals the target's file. An edit that changes the ids of a
text, or the decoded text of ids, is a cause. This requires that the implementation gives the result
of each side with the file of that side. Of files of two formats, only the merges and the scores of
equal tokens are compared, which a conversion may lose or round.
"""

from __future__ import annotations

import tempfile
from ctypes import c_float
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokharness.edits import edits_between, grouped, numbering_of
from tokharness.errors import TokharnessError
from tokharness.model import Cause, Failure, Verdict
from tokharness.outcome import Raised
from tokharness.targets.description import DescriptionLoader, describe, versions_of
from tokharness.targets.stage_versions import SPLIT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.edits import Edit
    from tokharness.model import Description, Target, TokenEntry
    from tokharness.targets.subject import Subject

MAX_EDITS = 12
"""Most edits that are made one by one; in a longer list the edits of each stage are one edit."""

MAX_SHOWN = 5
"""Most edits in the message of a fact; its evidence has all."""

DIFFERENCE = "the file of the target differs from the file of the reference"
FOUND = "each of these that changes a text of this run has a finding"

MAX_TOKENS = 500_000
"""Tokens of all files that are loaded at once."""

MESSAGE = "by this edit the file of the target differs from that of the reference, and so do {}"

REFUSED = object()
"""In the place of the text of ids that are refused, whatever the exception."""

_Step = tuple["Edit | None", "Target"]


def file_edit_causes(text: str, ids: Sequence[Any], subject: Subject) -> list[Cause]:
    """Return the edits on the way to the target's file that change the ids of a text.

    Return none if a side shows no file, or if the implementation does not give the ids of a side.
    """
    steps = _known_steps(subject)
    found = [_ids(target, text) for _, target in steps]
    wanted = (subject.reference_ids(text), list(ids))
    return _causes(steps, found, wanted, "the ids")


def ids_of_edited_file(subject: Subject, text: str) -> list[Any] | None:
    """Return the ids that the implementation gives with the target's file; None without a file."""
    steps = _known_steps(subject)
    return _ids(steps[-1][1], text) if steps else None


def file_difference(subject: Subject) -> Iterator[Failure]:
    """Yield a fact with all edits between two files, also edits that no text shows."""
    old, new = _both(subject) if subject.claims_parity else (None, None)
    if old is None or new is None or old.format != new.format:
        return
    edits = [str(edit) for edit in grouped(edits_between(old, new), MAX_EDITS)]
    if edits:
        more = f" and {len(edits) - MAX_SHOWN} more" if len(edits) > MAX_SHOWN else ""
        message = f"{DIFFERENCE}: {'; '.join(edits[:MAX_SHOWN])}{more}; {FOUND}"
        fact = Cause("differences of the files", verdict=Verdict.FACT, message=message)
        yield Failure(fact, evidence={"edits": edits})


def decoding_edit_causes(ids: Sequence[Any], decoded: Any, subject: Subject) -> list[Cause]:
    """Return the edits on the way to the target's file that change the decoded text of ids.

    Return none if a side shows no file, or if the implementation does not give the text of a side,
    or refuse the ids as that side does.
    """
    steps = _known_steps(subject)
    if not steps or subject.reference is None:
        return []
    found = [_text(target.decode(ids)) for _, target in steps]
    wanted = (_text(subject.reference.decode(ids)), _text(decoded))
    return _causes(steps, found, wanted, "the decoded texts")


def _known_steps(subject: Subject) -> list[_Step]:
    if not subject.claims_parity or subject.reference is None:  # both sides read one file
        return []
    return subject.state.files.get_or_compute("edited files", lambda: _prepared(subject))


def _causes(
    steps: Sequence[_Step], found: Sequence[Any], wanted: tuple[Any, Any], what: str
) -> list[Cause]:
    """Return the edits that change a result, if the first and last results match both sides."""
    if not found or None in wanted or (found[0], found[-1]) != wanted:
        return []
    changes = zip(steps[1:], pairwise(found), strict=True)
    return [_cause(edit, what) for (edit, _), (old, new) in changes if edit and old != new]


def _prepared(subject: Subject) -> list[_Step]:
    with subject.state.preparing():
        return list(_steps(subject))


def _steps(subject: Subject) -> Iterator[_Step]:
    """Yield the implementation with the reference's file, then each edit and the edited file."""
    target, (old, new) = subject.target, _both(subject)
    if old is None or new is None:
        return
    if old.format != new.format:
        new = tables_of(old, new)
    most = min(MAX_EDITS, MAX_TOKENS // (len(new.tokens) + 1))
    edits = grouped(edits_between(old, new), most)
    with tempfile.TemporaryDirectory() as name:
        ids = {**target.special_tokens, **target.added_tokens}
        numbering = numbering_of(old, new, ids, {})
        files = DescriptionLoader(Path(name), _versions(subject), numbering)
        first, last = files.load(old), files.load(new)
        if not edits or first is None or last is None:
            return
        yield None, first
        for edit in edits[:-1]:
            old = edit.apply(old)
            if (edited := files.load(old)) is not None:  # else it needs the next edit too
                yield edit, edited
        yield edits[-1], last


def _versions(subject: Subject) -> dict[str, str]:
    """Return the Unicode versions of the target, or the explainer's if its ids show none."""
    explainer = subject.explainer
    version = None if explainer is None else explainer.unicode_version
    return versions_of(subject, {} if version is None else {SPLIT: version})


def tables_of(old: Description, new: Description) -> Description:
    """Return a description with the merges and scores of another one, of another format."""
    merges = old.merges if old.merges is None or new.merges is None else new.merges
    scores = {one.token: one.score for one in new.tokens if one.score is not None}
    tokens = [one._replace(score=_score(one, scores.get(one.token))) for one in old.tokens]
    return replace(old, merges=merges, tokens=tuple(tokens))


def _score(old: TokenEntry, new: float | None) -> float | None:
    """Return the other score of a token, unless one format has fewer digits of the same number."""
    if old.score is None or new is None or c_float(old.score).value == c_float(new).value:
        return old.score
    return new


def _both(subject: Subject) -> tuple[Description | None, Description | None]:
    """Return the content of the reference's file and of the target's file; each is read once."""

    def read() -> tuple[Description | None, Description | None]:
        old = None if subject.reference is None else _described(subject.reference.spec)
        return old, _described(subject.target.spec)

    return subject.state.files.get_or_compute("described files", read)


def _described(spec: str) -> Description | None:
    try:
        return describe(spec)
    except TokharnessError:
        return None


def _ids(target: Target, text: str) -> list[Any] | None:
    ids = target.encode(text)
    return None if isinstance(ids, Raised) else list(ids)


def _text(decoded: Any) -> Any:
    return REFUSED if isinstance(decoded, Raised) else decoded


def _cause(edit: Edit, differ: str) -> Cause:
    what = edit.what.removeprefix(edit.stage).removeprefix(": ").strip()
    return Cause(edit.stage, (("edit", what),), message=MESSAGE.format(differ))
