r"""The model ``rwkv`` of a GGUF file: greedy longest match on bytes (Peng et al. 2024).

Tokens are written with escapes: ``\t``, ``\n``, ``\r``, ``\x`` with two hexadecimal digits, and a
backslash before any other character that stands for itself.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.byte_characters import CHARACTER_OF, bytes_of
from tokharness_tokenizers.reference.decoders import ByteLevel
from tokharness_tokenizers.reference.decoding import Decoding
from tokharness_tokenizers.reference.gguf.file import Stages, with_form
from tokharness_tokenizers.reference.models.byte_trie import ByteTrie
from tokharness_tokenizers.reference.pre_tokenizers.metaspace import ByteLevel as WrittenBytes
from tokharness_tokenizers.reference.sentencepiece.model_file import PieceKind

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.gguf.file import File, Settings
    from tokharness_tokenizers.reference.tokenizer_json.fields import Tables

_ESCAPE: Final = re.compile(rb"\\(?:x([0-9A-Fa-f]{2})|(.))", re.DOTALL)
_NAMED: Final = {b"t": b"\t", b"n": b"\n", b"r": b"\r"}


def model_of(file: File) -> ByteTrie:
    """Return the model; control tokens are not in it."""
    normal = file.tokens.ids(PieceKind.NORMAL)
    return ByteTrie({unescaped(text): number for text, number in normal.items()})


def stages_of(file: File, model: ByteTrie, settings: Settings, tables: Tables) -> Stages:
    """Return the parts of the tokenizer."""
    rows = zip(file.tokens.texts, file.tokens.kinds, strict=True)
    texts = {
        number: _written(unescaped(text)) if kind is PieceKind.NORMAL else text
        for number, (text, kind) in enumerate(rows)
    }
    return Stages(
        model,
        texts,
        Decoding(ByteLevel(), bytes_of=bytes_of),
        with_form(settings, tables, None),
        WrittenBytes(add_prefix_space=False, use_regex=False),
    )


def unescaped(text: str) -> bytes:
    """Return the bytes that a token represents."""

    def replaced(match: re.Match[bytes]) -> bytes:
        if match[1]:
            return bytes.fromhex(match[1].decode())
        return _NAMED.get(match[2], match[2])

    return _ESCAPE.sub(replaced, text.encode())


def _written(data: bytes) -> str:
    return "".join(map(CHARACTER_OF.__getitem__, data))
