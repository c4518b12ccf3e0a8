r"""Translate regular expressions of Oniguruma 6.9 into expressions of ``regex`` and of ``re``.

The patterns of a ``tokenizer.json`` are in Oniguruma's own syntax (its default one, near Ruby's):
``^`` and ``$`` match at each line, ``(?m)`` lets the dot match a line feed, ``\h`` is a hexadecimal
digit, ``{2}+`` repeats a repeat. A construct without a faithful translation is an error. Some of
these constructs are valid in Oniguruma: calls, conditionals, absent operators, callouts, ``\X``,
``\K``, blocks such as ``\p{In_Thai}``, raw bytes, octal numbers without a leading 0, repeats of
expressions that may be empty, and, if case is ignored, characters that fold to several characters.

Departures of Oniguruma from its documentation (``doc/RE``), measured in ``tokenizers`` 0.23.3:

- ``\w`` and ``\b`` treat the six numbers of Latin-1 (U+00B2 ... U+00BE) as word characters, unlike
  ``[\w]`` and ``[[:word:]]``.
- ``[[:punct:]]`` is P and S, ``\p{Punct}`` is P alone. In 0.20.3 both are P.
- ``[[:cntrl:]]`` is Cc alone, and ``\w`` has Alphabetic, M, Nd and Pc, not all of N.
- ``(?i)`` has no effect on ``\p{Lu}``, but on ``[\p{Lu}]``.
- ``^`` does not match after a line feed at the very end; ``$`` does.
- Look-behinds may have a variable length. If it is too complex, Oniguruma refuses the pattern,
  which this package does not.
- ``\b.*a`` is searched for only at the starts of lines, and ``(?<=\b|ba?)a`` does not match where
  ``\b`` does: defects of Oniguruma. Such patterns are errors here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.oniguruma.classes import has_standins
from tokharness_tokenizers.reference.oniguruma.parts import Options
from tokharness_tokenizers.reference.oniguruma.reading import read_alternatives
from tokharness_tokenizers.reference.oniguruma.scanner import Scanner

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.oniguruma.classes import CharacterClass

__all__ = ["Translation", "translate"]


@dataclass(frozen=True, slots=True)
class Translation:
    """A translated pattern.

    ``expression`` is for ``regex`` with ``VERSION1``. ``ascii`` is for ``re`` and matches ASCII
    text in the same way; ``re`` may refuse it. ``classes`` has the classes and literals of the
    pattern. ``may_be_empty`` says whether it can match the empty text, and ``has_groups`` whether
    it captures, which it only does for back references.
    """

    expression: str
    ascii: str
    classes: frozenset[CharacterClass]
    may_be_empty: bool
    has_groups: bool

    def has_standins(self, version: str) -> bool:
        """Whether stand-ins make the expression match as in a Unicode version.

        They do if each class has the stand-in of a code point if and only if it has the code point
        in this version, and if no back reference compares characters.
        """
        return not self.has_groups and all(has_standins(node, version) for node in self.classes)


@lru_cache(maxsize=256)
def translate(pattern: str, *, version: str | None = None, explicit: bool = False) -> Translation:
    """Translate a pattern of Oniguruma.

    Case is ignored as in a Unicode version, if given. With ``explicit`` the expression lists the
    characters of each class in that version; else it has the properties of the installed ``regex``.

    Raises:
        ValueError: the pattern is wrong, or has a construct without translation.

    """
    scanner = Scanner(pattern, version, explicit)
    whole = read_alternatives(scanner, Options())
    if scanner.at < len(pattern):
        raise scanner.error("an unmatched ')'")
    return Translation(
        whole.expression,
        whole.ascii,
        frozenset(scanner.classes),
        whole.may_be_empty,
        scanner.has_references,
    )
