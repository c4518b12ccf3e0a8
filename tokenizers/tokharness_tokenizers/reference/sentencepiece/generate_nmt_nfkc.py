"""Make the charsmap of ``nmt_nfkc``, by ``python -m`` with the name of this module.

The rules apply NFKC (UAX #15) to texts of a few characters, since the normalizer replaces the
longest text that has a rule: each character, and sequences that are composed to one character.
Rules that follow from rules for shorter texts are left out. Then come the rules for control
characters and spaces (SentencePiece, ``builder.cc``), which keep U+200D and the fullwidth tilde.

SentencePiece 0.2.3 has exactly these rules, of Unicode 17.0. Older releases have older versions of
Unicode.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from itertools import product
from typing import TYPE_CHECKING, Final

from tokharness.unicode.normalization import normalize
from tokharness_tokenizers.reference.sentencepiece.charsmap_building import charsmap_bytes
from tokharness_tokenizers.reference.sentencepiece.nmt_nfkc import FILE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

UNICODE_VERSION: Final = "17.0"
_REMOVED: Final = (*range(0x01, 0x09), 0x0B, *range(0x0E, 0x20), 0x7F, 0x8F, 0x9F)
_SPACES: Final = "\t\n\f\r\u061c\u1680\u200b\u200c\u200e\u200f\u2028\u2029\u2581\ufeff\ufffd"
_KEPT: Final = "\uff5e"


def main() -> None:
    """Write the file."""
    FILE.write_bytes(zlib.compress(charsmap_bytes(rules()), 9))


def rules() -> dict[str, str]:
    """Return all rules of ``nmt_nfkc``."""
    found = _without_redundant(_nfkc_rules())
    found |= dict.fromkeys(map(chr, _REMOVED), "") | dict.fromkeys(_SPACES, " ")
    del found[_KEPT]
    return found


def _nfkc_rules() -> dict[str, str]:
    """Return the NFKC of each character, and of each text that NFKC composes to a character."""
    found: dict[str, str] = {}
    same: defaultdict[str, list[str]] = defaultdict(list)
    decompositions: dict[str, None] = {}
    for char in _characters():
        decomposed = normalize("NFKD", char, version=UNICODE_VERSION)
        if len(decomposed) == 1:
            same[decomposed].append(char)
        else:
            decompositions[decomposed] = None
        if decomposed != char and (new := normalize("NFKC", char, version=UNICODE_VERSION)) != char:
            found[char] = new
    for decomposed in decompositions:
        new = normalize("NFKC", decomposed, version=UNICODE_VERSION)
        if new != decomposed:
            spellings = map("".join, product(*map(same.__getitem__, decomposed)))
            found |= {spelling: new for spelling in spellings if spelling != new}
    return found


def _characters() -> Iterator[str]:
    """Yield all scalar values except U+0000."""
    for point in (*range(1, 0xD800), *range(0xE000, 0x110000)):
        yield chr(point)


def _without_redundant(given: Mapping[str, str]) -> dict[str, str]:
    """Return the rules without rules that follow from rules for shorter texts."""
    kept: dict[str, str] = {}
    for length in range(1, max(map(len, given)) + 1):
        shorter = length - 1
        kept |= {
            text: new
            for text, new in given.items()
            if len(text) == length and _apply(kept, text, shorter) != new
        }
    return kept


def _apply(shorter: Mapping[str, str], text: str, longest: int) -> str:
    parts, at = [], 0
    while at < len(text):
        for length in range(longest, 0, -1):
            if (new := shorter.get(text[at : at + length])) is not None:
                break
        else:
            new, length = text[at], 1
        parts.append(new)
        at += length
    return "".join(parts)


if __name__ == "__main__":
    main()
