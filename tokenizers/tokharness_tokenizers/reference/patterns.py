r"""Pre-token patterns of the published byte-level vocabularies, and their twins for ASCII text.

A pattern cuts a text into pre-tokens, which no merge crosses. Those here are in the syntax that
the ``regex`` library (version 0) and the Rust crate fancy-regex share, and
cut as tiktoken 0.14 does (``tiktoken_ext.openai_public``). Each character belongs to one pre-token.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ASCII_TWINS", "CL100K", "O200K", "R50K"]

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

# White space at the very end is one pre-token even if a line ends inside it: it comes before the
# rule for line ends. The plus is possessive, and so `$` cannot stop before a last line feed.
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


# In ASCII no letter is both UPPER and LOWER, so capitals and small letters need no trying of one
# word rule after the other. An empty branch is faster than `?`, classes faster than `(?i:`.
_ASCII_CONTRACTION = r"(?:'(?:[SDMTsdmt]|[Rr][Ee]|[Vv][Ee]|[Ll][Ll])|)"
# An indent before a word is all but its last space: found without looking for a line end first.
_ASCII_INDENT = r" +(?= \S)"

_ASCII_CL100K = (*_CL100K[:4], _ASCII_INDENT, *_CL100K[4:])
_ASCII_O200K = (
    r"[^\r\nLETTERNUMBER]?(?=[LETTER])[UPPER]*[LOWER]*" + _ASCII_CONTRACTION,
    *_O200K[2:4],
    _ASCII_INDENT,
    *_O200K[4:],
)


def _filled(alternatives: tuple[str, ...], classes: Mapping[str, str]) -> str:
    pattern = "|".join(alternatives)
    for name, members in classes.items():
        pattern = pattern.replace(name, members)
    return pattern


R50K = _filled(_R50K, _UNICODE)
"""GPT-2's pattern, of the vocabularies ``r50k_base`` and ``p50k_base`` (Radford et al. 2019)."""

CL100K = _filled(_CL100K, _UNICODE)
"""The pattern of ``cl100k_base``: contractions in any case, numbers of one to three digits."""

O200K = _filled(_O200K, _UNICODE)
"""The pattern of ``o200k_base``: capitals begin a word, a contraction belongs to it."""

ASCII_TWINS: Mapping[str, str] = MappingProxyType(
    {
        R50K: _filled(_R50K, _ASCII),
        CL100K: _filled(_ASCII_CL100K, _ASCII),
        O200K: _filled(_ASCII_O200K, _ASCII),
    }
)
"""Pattern to the one that cuts ASCII text alike under ``re.ASCII``, in less than half the time.

Each of these patterns cuts between a character that is no white space and a space: no rule has a
space behind another character than white space, and none that ends there asks what follows. So
text may be cut there first, and what is ASCII of it given to the twin.
"""
