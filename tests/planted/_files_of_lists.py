"""Healthy lists of tokens and merges, each with what readers of such files may get wrong.

``BYTES_OF`` has the content of each file; ``LIST_RECORDS`` has what the reference reads of it.
"""

from __future__ import annotations

import string
from typing import TYPE_CHECKING

from planted import _small_models as models
from tokharness_tokenizers.reference.token_files import (
    clip_merges,
    vocabulary_and_merges,
    wordpiece_list,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from planted._file_parts import Record

MOST_MERGES = 4
"""How many of the small CLIP file's merges count."""

VOCABULARY = models.byte_bpe()["vocab"]
"""The ``vocab.json`` of the small ``merges.txt``."""


def _list_of(tokens: Iterable[str], line_end: str = "\n") -> bytes:
    return "".join(token + line_end for token in tokens).encode()


_WORDPIECE = [*models.wordpiece()["vocab"]]
_FIRST, _LAST = _WORDPIECE[:-3], _WORDPIECE[-3:]
_MERGES = ["e r", *(merge for merge in models.MERGES if merge != "e r")]
_LETTERS = [letter for one in string.ascii_uppercase for letter in (one, f"##{one}")]
BYTES_OF = {
    "wordpiece_list": _list_of([*_WORDPIECE[:8], "", *_WORDPIECE[8:], "##e"]),
    "list_of_windows": _list_of(_FIRST) + _list_of(_LAST, "\r\n"),
    "list_with_a_mark": b"\xef\xbb\xbf" + _list_of(_WORDPIECE),
    "cased_list": _list_of([*_WORDPIECE, *_LETTERS]),
    "clip_merges": b'"bpe_simple_vocab_16e6.txt#version: 0.2\ni n\nt h\na n\nin g</w>\no r\n',
    "vocabulary_and_merges": "\n".join(_MERGES[:-3]).encode(),
}


def list_record(data: bytes) -> Record:
    """Read a list of pieces."""
    return wordpiece_list.record_of(wordpiece_list.read_tokens(data))


def clip_record(data: bytes, most: int = MOST_MERGES) -> Record:
    """Read merges of CLIP, with a limit that a small file reaches."""
    return clip_merges.record_of_merges(clip_merges.read_merges(data, most))


def merges_record(data: bytes) -> Record:
    """Read a ``merges.txt`` with the small ``vocab.json``."""
    return vocabulary_and_merges.record_of(VOCABULARY, vocabulary_and_merges.read_merges(data))


LIST_RECORDS: dict[str, Record] = {
    **{name: list_record(data) for name, data in BYTES_OF.items() if "list" in name},
    "clip_merges": clip_record(BYTES_OF["clip_merges"]),
    "vocabulary_and_merges": merges_record(BYTES_OF["vocabulary_and_merges"]),
}
