"""What an entry point has to give by the file of the target, as a reference reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tokharness.model import Target
    from tokharness.targets.subject import Subject

OF_OUR_READER = ("encode_altered", "token_text")
"""A list of ranks has neither: it asks for nothing that an entry point has to explain."""


def is_of_the_file(entry_point: str, text: str, ids: Any, subject: Subject) -> bool:
    """Whether a reference that reads the same file gives these ids at the same entry point.

    A file may ask for what an entry point otherwise has to explain: an added token that takes the
    white space around it, or ids that are cut off so that those of a template still fit. Only our
    reader can be altered; a library that is compared with itself proves nothing.
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
    reference = subject.reference
    if reference is None or not all(map(reference.can, OF_OUR_READER)):
        return None
    return reference
