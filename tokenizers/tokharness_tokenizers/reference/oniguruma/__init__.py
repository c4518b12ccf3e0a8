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

from tokharness_tokenizers.reference.oniguruma.translation import Translation, translate

__all__ = ["Translation", "translate"]
