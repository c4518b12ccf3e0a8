"""Answers of a reference that later runs need not ask it for again.

Some questions about the tokens of a vocabulary take long, and their answers depend only on the
reference: the content of its files, the Unicode versions that it is set to, and our code
(:mod:`tokharness.targets.comparison`). An answer is kept in ASCII by a digest of the whole
question, so that a target with different ids asks a different question.
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
"""Methods of a reference that answer questions about ids, with ids or with pairs of texts."""

QUESTION: Final = re.compile("[a-z_]+ [0-9a-f]{32}")

TOKENS_OF_A_CALL = 256
"""Most tokens in a question to a reference."""

MOST_PACKED: Final = 1 << 15
"""Most characters of an answer that is kept: a baseline is a file of a repository."""

MOST_BYTES: Final = 1 << 22
"""Most bytes of an answer before it is packed."""


@dataclass(frozen=True)
class Answers:
    """Packed answers by question, ``known`` from earlier runs or ``given`` in this run.

    A known answer also counts as given once its question is asked.
    """

    known: dict[str, str] = field(default_factory=dict)
    given: dict[str, str] = field(default_factory=dict)

    def ask(self, reference: Target, method: Method, numbers: Sequence[int]) -> Any:
        """Return the reference's answer about ids, from this run or an earlier run."""
        question = f"{method} {blake2b(repr([*numbers]).encode(), digest_size=16).hexdigest()}"
        if question in self.known:
            self.given[question] = self.known[question]
            return unpack_answer(self.known[question])
        answer = _in_parts(reference, method, numbers)
        if packed := pack_answer(answer):
            self.given[question] = packed
        return answer


def _in_parts(reference: Target, method: Method, numbers: Sequence[int]) -> Any:
    """Ask about few tokens in a call; the time of an audit is checked before each call.

    Orphans among merges are a single question about all tokens.
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
    """Return an answer in ASCII; "" if it is too long, or of a type that cannot be kept."""
    if not isinstance(answer, list) or not all(map(_is_row, answer)):
        return ""
    data = to_ascii_line(answer).encode("ascii")
    packed = base64.b64encode(zlib.compress(data, 9)).decode("ascii")
    return packed if len(data) <= MOST_BYTES and len(packed) <= MOST_PACKED else ""


def unpack_answer(packed: str) -> list[Any]:
    """Return the answer of a text that :func:`pack_answer` made.

    Raises:
        ValueError: the text is not a packed answer.

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
    """Raise ValueError if a question or an answer is invalid."""
    for question, packed in answers.items():
        if not QUESTION.fullmatch(question):
            raise ValueError(f"a question to the reference is {question[:40]!r}")
        unpack_answer(packed)
