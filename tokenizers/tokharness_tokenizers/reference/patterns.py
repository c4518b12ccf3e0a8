r"""Pre-token patterns of the published byte-level vocabularies, and their twins for ASCII text.

A pattern splits a text into pre-tokens, which no merge crosses. These patterns have a syntax that
both the ``regex`` library (version 0) and the Rust crate fancy-regex accept, and split as tiktoken
0.14 does (``tiktoken_ext.openai_public``). Each character belongs to one pre-token.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_UNICODE = {
    "LETTER": r"\p{L}",
    "NUMBER": r"\p{N}",
    "UPPER": r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}",
    "LOWER": r"\p{Ll}\p{Lm}\p{Lo}\p{M}",
}
_ASCII = {"LETTER": "A-Za-z", "NUMBER": "0-9", "UPPER": "A-Z", "LOWER": "a-z"}

_R50K = (
    r"'(?:[stmd]|re|ve|ll)",
    r" ?[LETTER]+",
    r" ?[NUMBER]+",
    r" ?[^\sLETTERNUMBER]+",
    r"\s+(?!\S)",
    r"\s+",
)

# White space at the very end is one pre-token even if it contains a line end, so its rule precedes
# the rule for line ends. The plus is possessive, so `$` cannot match before a last line feed.
_CL100K = (
    r"(?i:'(?:[stmd]|re|ve|ll))",
    r"[^\r\nLETTERNUMBER]?[LETTER]+",
    r"[NUMBER]{1,3}",
    r" ?[^\sLETTERNUMBER]+[\r\n]*",
    r"\s++$",
    r"\s*[\r\n]+",
    r"\s+(?!\S)",
    r"\s+",
)

_CONTRACTION = r"(?i:'(?:[stmd]|re|ve|ll))?"
_O200K = (
    r"[^\r\nLETTERNUMBER]?[UPPER]*[LOWER]+" + _CONTRACTION,
    r"[^\r\nLETTERNUMBER]?[UPPER]+[LOWER]*" + _CONTRACTION,
    r"[NUMBER]{1,3}",
    r" ?[^\sLETTERNUMBER]+[\r\n/]*",
    r"\s*[\r\n]+",
    r"\s+(?!\S)",
    r"\s+",
)


# In ASCII no letter is both UPPER and LOWER, so one rule replaces the two rules for words. An empty
# branch is faster than `?`, and classes are faster than `(?i:`.
_ASCII_CONTRACTION = r"(?:'(?:[SDMTsdmt]|[Rr][Ee]|[Vv][Ee]|[Ll][Ll])|)"
# All spaces of an indent before a word except the last; matches before the rule for line ends.
_ASCII_INDENT = r" +(?= \S)"

_ASCII_CL100K = (*_CL100K[:4], _ASCII_INDENT, *_CL100K[4:])
_ASCII_O200K = (
    r"[^\r\nLETTERNUMBER]?(?=[LETTER])[UPPER]*[LOWER]*" + _ASCII_CONTRACTION,
    *_O200K[2:4],
    _ASCII_INDENT,
    *_O200K[4:],
)


def _fill(alternatives: tuple[str, ...], classes: Mapping[str, str]) -> str:
    pattern = "|".join(alternatives)
    for name, members in classes.items():
        pattern = pattern.replace(name, members)
    return pattern


R50K = _fill(_R50K, _UNICODE)
"""GPT-2's pattern, of the vocabularies ``r50k_base`` and ``p50k_base`` (Radford et al. 2019)."""

CL100K = _fill(_CL100K, _UNICODE)
"""The pattern of ``cl100k_base``: contractions in any case, numbers of one to three digits."""

O200K = _fill(_O200K, _UNICODE)
"""The pattern of ``o200k_base``: capitals begin a word, a contraction belongs to it."""

ASCII_TWINS: Mapping[str, str] = MappingProxyType(
    {
        R50K: _fill(_R50K, _ASCII),
        CL100K: _fill(_ASCII_CL100K, _ASCII),
        O200K: _fill(_ASCII_O200K, _ASCII),
    }
)
"""By pattern: a twin that splits ASCII text in the same way, with ``re.ASCII``, twice as fast.

Each of these patterns splits between a character that is not white space and a space: no rule has a
space after any character other than white space, and no rule that ends there depends on the text
that follows. Therefore a text may be split there first, and its ASCII parts matched with the twin.
"""
