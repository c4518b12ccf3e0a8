"""Results that the target's file requires of an entry point, as a reference reads the file."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokharness.edits import numbering_of
from tokharness.errors import TokharnessError
from tokharness.targets.description import DescriptionLoader, describe, versions_of

if TYPE_CHECKING:
    from tokharness.model import Target
    from tokharness.targets.subject import Subject

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
