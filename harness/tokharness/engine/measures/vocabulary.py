"""Content of the vocabulary; null if the target shows no token.

``n_vocab`` is the largest id plus one; ``tokens`` counts the tokens that it shows: their bytes,
their text without the marks of the format, such as ``##``, or what each id is decoded to;
``special_tokens`` maps each special token to its id. ``byte_lengths`` counts tokens by their length
in bytes, ``kinds`` by their content, ``scripts`` by the script of most of their characters.
``longest`` has the ids and the bytes (hex) of the longest tokens.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import regex

from tokharness.diagnosis.reachability.tokens import own_texts
from tokharness.diagnosis.token_content.texts import content_texts
from tokharness.unicode.properties import main_script, script_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness.targets.subject import Subject

__all__ = ["measure"]

MAX_LONGEST = 20
KINDS = {
    "white space": regex.compile(r"\p{White_Space}+"),
    "word after a space": regex.compile(r" [\p{L}\p{M}]+"),
    "word or part of a word": regex.compile(r"[\p{L}\p{M}]+"),
    "digits": regex.compile(r" ?\p{N}+"),
    "punctuation and symbols": regex.compile(r" ?[\p{P}\p{S}]+\s*"),
    "controls and invisible characters": regex.compile(r"[\p{C}\p{Default_Ignorable_Code_Point}]+"),
}
PART, BYTE, MIXED = "part of a character", "single byte that is not a character", "mixed"


def measure(subject: Subject) -> dict[str, Any] | None:
    """Count the tokens of the vocabulary by length, kind and script."""
    target = subject.target
    special = {text: int(number) for text, number in target.special_tokens.items()}
    if not target.n_vocab:
        return None
    vocabulary = _tokens(subject)
    if not vocabulary:
        return None
    texts = [data.decode("utf-8", "replace") for data in vocabulary.values()]
    kinds = Counter(map(_kind, vocabulary.values()))
    scripts = Counter(script_name(main_script(text)) for text in texts if "\ufffd" not in text)
    longest = sorted(vocabulary.items(), key=lambda item: (-len(item[1]), item[0]))[:MAX_LONGEST]
    return {
        "n_vocab": target.n_vocab,
        "tokens": len(vocabulary),
        "special_tokens": special,
        "byte_lengths": {
            str(size): n for size, n in sorted(Counter(map(len, vocabulary.values())).items())
        },
        "kinds": dict(kinds.most_common()),
        "scripts": dict(scripts.most_common()),
        "longest": [[number, data.hex()] for number, data in longest],
    }


def _tokens(subject: Subject) -> Mapping[int, bytes]:
    """Return the bytes of each token, or its text in UTF-8."""
    if subject.target.can("decode_single_token_bytes"):
        return subject.vocabulary()
    shows_texts = subject.target.can("token_text")
    texts = content_texts(subject) if shows_texts else own_texts(subject)
    return {
        number: text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
        for number, text in texts.items()
        if text
    }


def _kind(data: bytes) -> str:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return PART if len(data) > 1 else BYTE
    return next((name for name, pattern in KINDS.items() if pattern.fullmatch(text)), MIXED)
