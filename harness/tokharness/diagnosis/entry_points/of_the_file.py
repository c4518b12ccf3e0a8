"""What an entry point has to give by the file of the target, as a reference reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

__all__ = ["is_of_the_file"]

OF_OUR_READER = ("encode_altered", "token_text")
"""A list of ranks has neither: it asks for nothing that an entry point has to explain."""


def is_of_the_file(entry_point: str, text: str, ids: Any, subject: Subject) -> bool:
    """Whether a reference that reads the same file gives these ids at the same entry point.

    A file may ask for what an entry point otherwise has to explain: an added token that takes the
    white space around it, or ids that are cut off so that those of a template still fit. Only our
    reader can be altered; a library that is compared with itself proves nothing.
    """
    reference = subject.reference
    if reference is None or not all(map(reference.can, OF_OUR_READER)):
        return False
    if entry_point != "encode" and not reference.can(entry_point):
        return False
    return bool(reference.call(entry_point, text) == ids)
