"""Answers of a reference that later runs need not ask it for again.

Some questions about the tokens of a vocabulary take long, and their answers depend on nothing but
the reference: the content of its files, the Unicode versions that it is set to, and our code
(:mod:`tokharness.targets.comparison`). An answer is kept in ASCII by a digest of the whole
question, so that a target that leads to other ids asks another question.
"""

from __future__ import annotations

import base64
import re
import zlib
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from tokharness.targets.processes.json_lines import from_ascii_line, to_ascii_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokharness.model import Target

Method: TypeAlias = Literal["reach", "merge_orphans"]
"""What a reference is asked about some ids; it gives ids, or pairs of texts."""

QUESTION: Final = re.compile("[a-z_]+ [0-9a-f]{32}")

TOKENS_OF_A_CALL = 256
"""Tokens that a reference is asked about in a call."""

MOST_PACKED: Final = 1 << 15
"""Characters of an answer that is kept: a baseline is a file of a repository."""

MOST_BYTES: Final = 1 << 22
"""Bytes of an answer that is not packed."""


@dataclass(frozen=True)
class Answers:
    """Packed answers by question: those ``known`` of earlier runs, and those ``given`` in this one.

    A known answer is given as soon as its question is asked.
    """

    known: dict[str, str] = field(default_factory=dict)
    given: dict[str, str] = field(default_factory=dict)

    def ask(self, reference: Target, method: Method, numbers: Sequence[int]) -> Any:
        """Return what a method of the reference gives for some ids, or gave in an earlier run."""
        question = f"{method} {blake2b(repr([*numbers]).encode(), digest_size=16).hexdigest()}"
        if question in self.known:
            self.given[question] = self.known[question]
            return unpack_answer(self.known[question])
        answer = _in_parts(reference, method, numbers)
        if packed := pack_answer(answer):
            self.given[question] = packed
        return answer


def _in_parts(reference: Target, method: Method, numbers: Sequence[int]) -> Any:
    """Ask about few tokens in a call, before each of which the time of an audit is looked at.

    The orphans among merges are a question about all of them.
    """
    if method == "merge_orphans":
        return reference.call(method, numbers)
    rows: list[Any] = []
    for start in range(0, len(numbers), TOKENS_OF_A_CALL):
        part = reference.call(method, numbers[start : start + TOKENS_OF_A_CALL])
        if not isinstance(part, list):
            return part
        rows += part
    return rows


def pack_answer(answer: Any) -> str:
    """Return an answer in ASCII; "" if it is too long to keep, or none that can be kept."""
    if not isinstance(answer, list) or not all(map(_is_row, answer)):
        return ""
    data = to_ascii_line(answer).encode("ascii")
    packed = base64.b64encode(zlib.compress(data, 9)).decode("ascii")
    return packed if len(data) <= MOST_BYTES and len(packed) <= MOST_PACKED else ""


def unpack_answer(packed: str) -> list[Any]:
    """Return the answer of a text that :func:`pack_answer` made.

    Raises:
        ValueError: it is not one.

    """
    unpacking = zlib.decompressobj()
    try:
        data = unpacking.decompress(base64.b64decode(packed, validate=True), MOST_BYTES)
        answer = from_ascii_line(data.decode("ascii"))
    except (ValueError, RecursionError, zlib.error) as error:
        raise ValueError(f"an answer of the reference cannot be read: {error}") from error
    if not unpacking.eof or unpacking.unused_data:
        raise ValueError("an answer of the reference has the wrong length")
    if not isinstance(answer, list) or not all(map(_is_row, answer)):
        raise ValueError("an answer of the reference is neither ids nor pairs of texts")
    return answer


def _is_row(row: Any) -> bool:
    return type(row) is int or (
        isinstance(row, tuple | list) and [type(part) for part in row] == [str, str]
    )


def check_answers(answers: Mapping[str, str]) -> None:
    """Raise ValueError if a question or an answer is none."""
    for question, packed in answers.items():
        if not QUESTION.fullmatch(question):
            raise ValueError(f"a question to the reference is {question[:40]!r}")
        unpack_answer(packed)
