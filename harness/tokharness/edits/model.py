"""An edit of a tokenizer file, and the way in which its sentence writes tokens."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tokharness.model import Description

TOKENS_ALONE = "vocabulary"
"""The format of a target that shows its tokens, but no file."""

SENTENCEPIECE, GGUF = "SentencePiece", "GGUF"
"""Formats without a component that shows how tokens are written."""

OF_BYTES = "gpt2"
"""The model of a GGUF file whose tokens are byte-level; all others mark spaces with U+2581."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One difference between two files: its stage, a short description, and how to make it.

    ``apply`` makes the edit in a description, and ``about`` are tokens whose texts may show it.
    ``number`` is how many equal differences the edit stands for. ``content`` is the whole
    difference, which the description may abridge.
    """

    stage: str
    what: str
    apply: Callable[[Description], Description]
    about: tuple[Any, ...] = ()
    number: int = 1
    content: str = ""

    def __str__(self) -> str:
        return with_stage(self.stage, self.what)


def with_stage(stage: str, what: str) -> str:
    """Return what an edit changes, with its stage in front unless it begins with the stage.

    A key of GGUF such as ``normalizer.lowercase`` is no stage.
    """
    return what if what.startswith((f"{stage}:", f"{stage} ")) else f"{stage}: {what}"


@dataclass(frozen=True, slots=True)
class Writing:
    """How a file writes the text of its tokens.

    ``byte_level``: each character stands for a byte, as in GPT-2's files. ``mark``: U+2581 stands
    for a space. ``continuation``: the prefix of a token that continues a word, such as ``##``.
    ``end``: the suffix of a token at the end of a word, such as ``</w>``.
    """

    byte_level: bool = False
    mark: bool = False
    continuation: str = ""
    end: str = ""

    def text(self, token: str | bytes) -> str:
        """Return the text of a token, with U+FFFD for bytes that are not text."""
        if isinstance(token, bytes):
            return token.decode("utf-8", "replace")
        return self._without_marks(token.removesuffix(self.end))

    def _without_marks(self, token: str) -> str:
        if self.byte_level:
            bytes_of = _bytes_of_characters()
            if all(char in bytes_of for char in token):
                return bytes(bytes_of[char] for char in token).decode("utf-8", "replace")
        if self.continues(token):
            return token.removeprefix(self.continuation)
        return token.replace("\u2581", " ") if self.mark else token

    def continues(self, token: str | bytes) -> bool:
        """Return whether a token only continues a word."""
        if isinstance(token, bytes):
            return False
        return bool(self.continuation) and token.startswith(self.continuation)

    def show(self, token: Any) -> str:
        """Return a token as it is quoted in a sentence; bytes that are not text as hex."""
        if token is None:
            return ""
        if isinstance(token, bytes):
            try:
                return repr(token.decode("utf-8"))
            except UnicodeDecodeError:
                return f"<{token.hex(' ')}>"
        if self.byte_level:
            text = self._without_marks(token)
            return repr(text) if "\ufffd" not in text else repr(token)
        return repr(token)

    def show_pair(self, pair: Any) -> str:
        """Return a merge as it is quoted in a sentence: ``('r', 'ite')``."""
        return "" if pair is None else f"({self.show(pair[0])}, {self.show(pair[1])})"


@functools.cache
def _bytes_of_characters() -> Mapping[str, int]:
    """Return the byte of each character of a byte-level file.

    Source: the encoder of GPT-2. Bytes that are printable in Latin-1 stand for themselves; the
    other bytes are U+0100 and following, in their order.
    """
    shown = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in shown]
    return {chr(byte): byte for byte in shown} | {
        chr(0x100 + place): byte for place, byte in enumerate(others)
    }


def writing_of(description: Description) -> Writing:
    """Return how a file writes its tokens, from the components that it names."""
    stages = json.dumps(dict(description.stages), sort_keys=True, default=str)
    model = description.stages.get("model") or {}
    model = model if isinstance(model, dict) else {}
    prefix, suffix = model.get("continuing_subword_prefix"), model.get("end_of_word_suffix")
    of_gguf = model.get("type") if description.format == GGUF else None
    return Writing(
        byte_level='"ByteLevel"' in stages or of_gguf == OF_BYTES,
        mark="\\u2581" in stages
        or description.format == SENTENCEPIECE
        or of_gguf not in (None, OF_BYTES),
        continuation=prefix if isinstance(prefix, str) else "",
        end=suffix if isinstance(suffix, str) else "",
    )
