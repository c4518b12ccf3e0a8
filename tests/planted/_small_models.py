"""Small models for a ``tokenizer.json``: a BPE, a Unigram, a WordPiece and a WordLevel model."""

from __future__ import annotations

import base64
import string
from typing import TYPE_CHECKING, Any

from tokharness_tokenizers.reference.byte_characters import CHARACTER_OF
from tokharness_tokenizers.reference.sentencepiece.generate_nmt_nfkc import charsmap_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MERGES = (
    *("t h", "th e", "i n", "in g", "\u0120 t", "\u0120t h", "\u0120th e", "\u0120 a", "e r"),
    *("a n", "an d", "o u", "r e", "0 0", "1 2", "! !", "\u00c3 \u00a9", "\u00e2 \u0122"),
)
BYTES = [f"<0x{byte:02X}>" for byte in range(0x100)]
WORDS = ("the", "value", "and", "example", "april", "august", "december", "korea", "hindi")


def byte_bpe(**settings: Any) -> dict[str, Any]:
    """Make a byte-level BPE model, which has a token for each byte.

    The tokens of a few words are what no merges lead to: only ``ignore_merges`` reads them.
    """
    words = [f"\u0120{word}" for word in WORDS[1:]]
    return _bpe([*CHARACTER_OF, *_merged(MERGES), *words], MERGES, **settings)


CROSSING = ("e\u0301", "x1", "1s", "\n ", "(s", "s(", "1,", "_s")
"""Tokens with a border of two classes inside, which shows whether a pre-tokenizer splits there."""


def border_bpe() -> dict[str, Any]:
    """Make a byte-level BPE model with tokens that cross the borders of classes."""
    words = ["".join(CHARACTER_OF[byte] for byte in text.encode()) for text in CROSSING]
    merges = [f"{word[:end]} {word[end]}" for word in words for end in range(1, len(word))]
    return _bpe([*CHARACTER_OF, *_merged(merges)], merges)


def word_ends() -> dict[str, Any]:
    """Make a byte-level BPE model in which the last byte of each word has a token of its own.

    So each end of a pre-token shows in the ids.
    """
    last = [f"{char}</w>" for char in CHARACTER_OF]
    return _bpe([*CHARACTER_OF, *last], [], end_of_word_suffix="</w>")


def suffix_bpe() -> dict[str, Any]:
    """Make a BPE model of ASCII characters, whose tokens at the end of a word have a suffix."""
    characters = string.printable.strip()
    tokens = ["<unk>", *characters, *(f"{char}</w>" for char in characters)]
    merges = ["e r</w>", "i n", "t h"]
    settings = {"unk_token": "<unk>", "end_of_word_suffix": "</w>"}
    return _bpe([*tokens, *_merged(merges)], merges, **settings)


def fallback_bpe(characters: str = string.ascii_letters, **settings: Any) -> dict[str, Any]:
    """Make a BPE model of a few characters, with tokens for the bytes of all others."""
    mark = "\u2581"
    merges = [f"{mark} t", "h e", f"{mark}t he", "i n", "in g", "e r", f"{mark} {mark}"]
    tokens = ["<unk>", *BYTES, mark, *characters, *_merged(merges)]
    defaults = {"unk_token": "<unk>", "fuse_unk": True, "byte_fallback": True}
    return _bpe(tokens, merges, **{**defaults, **settings})


def unigram(*, byte_fallback: bool = True) -> dict[str, Any]:
    """Make a Unigram model of ASCII letters and some longer pieces."""
    mark = "\u2581"
    scores = {"<unk>": 0.0, **dict.fromkeys(BYTES if byte_fallback else (), -20.0)}
    scores |= {char: -6.0 - at / 64 for at, char in enumerate(mark + string.ascii_letters)}
    pieces = (f"{mark}the", f"{mark}t", "he", "in", "ing", "ng", "er", "th", f"{mark}a", "an", "nd")
    scores |= {piece: -4.0 - at / 8 for at, piece in enumerate(pieces)}
    vocab = [[piece, score] for piece, score in scores.items()]
    return {"type": "Unigram", "unk_id": 0, "byte_fallback": byte_fallback, "vocab": vocab}


def wordpiece() -> dict[str, Any]:
    """Make a WordPiece model of ASCII characters and some longer pieces."""
    characters = [char for char in string.printable.strip() if not char.isupper()]
    long = [*WORDS, "##er", "##ing", "##ers", "un", "##able"]
    first = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokens = [*first, *characters, *(f"##{char}" for char in characters), *long]
    return {
        "type": "WordPiece",
        "unk_token": "[UNK]",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
        "vocab": _numbered(tokens),
    }


def word_level() -> dict[str, Any]:
    """Make a WordLevel model of a few words and the ASCII characters."""
    tokens = ["<unk>", *string.printable.strip(), *WORDS]
    return {"type": "WordLevel", "unk_token": "<unk>", "vocab": _numbered(tokens)}


def charsmap(rules: Mapping[str, str]) -> str:
    """Return a SentencePiece charsmap with these rules, as base64."""
    return base64.b64encode(charsmap_bytes(rules)).decode()


def _bpe(tokens: Iterable[str], merges: Iterable[str], **settings: Any) -> dict[str, Any]:
    flags = {"fuse_unk": False, "byte_fallback": False, "ignore_merges": False}
    model = {"type": "BPE", "unk_token": None, **flags, **settings}
    return {**model, "vocab": _numbered(tokens), "merges": list(merges)}


def _merged(merges: Iterable[str]) -> list[str]:
    return [merge.replace(" ", "") for merge in merges]


def _numbered(tokens: Iterable[str]) -> dict[str, int]:
    return {token: number for number, token in enumerate(tokens)}
