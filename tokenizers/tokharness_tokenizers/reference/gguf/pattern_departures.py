r"""What llama.cpp does in the place of patterns, as alterations of these.

llama.cpp matches patterns with ``std::regex``, which has neither classes of Unicode nor ``(?i:)``.
Before it matches a pattern that has no class of Unicode, it replaces all white space outside ASCII
by U+000B, so that ranges of code points do not have this white space. (Where the pattern has a
class, it replaces each character by a letter for its class.) It writes ``'[sS]`` for ``(?i:'s)``,
which does not match U+017F. In the patterns of ``tekken`` and ``gpt-4o`` it has one class of
letters for all cases: each letter outside ASCII is uppercase and lowercase, and marks are neither.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.white_space import WHITE_SPACE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

SPACES_IN_NO_RANGE: Final = "white space outside ASCII is in no range of code points"
LONG_S: Final = "U+017F is no letter of a contraction"
ONE_CASE: Final = "letters outside ASCII have no case, and marks are no part of words"

_SPACES: Final = "".join(char for char in WHITE_SPACE if not char.isascii())
_RANGES: Final = re.compile(r"(?<!\\)\[(?!\^)(?:\\.|[^\]\\])*\]")
_ANY_CASE: Final = re.compile(r"\(\?i:([^()]*)\)")
_LETTERS: Final = re.compile(r"\[([a-z]+)\]|[a-z]")
_UPPER: Final = re.compile(r"\[\\p\{Lu\}[^\]]*\]")
_LOWER: Final = re.compile(r"\[\\p\{Ll\}[^\]]*\]")


def _without_spaces(pattern: str) -> str:
    return pattern if r"\p{" in pattern else _RANGES.sub(_without_spaces_in, pattern)


def _without_spaces_in(ranges: re.Match[str]) -> str:
    has_spaces = re.search(ranges[0], _SPACES)
    return f"(?:(?![{_SPACES}]){ranges[0]})" if has_spaces else ranges[0]


def _without_long_s(pattern: str) -> str:
    return _ANY_CASE.sub(lambda group: f"(?:{_LETTERS.sub(_in_both_cases, group[1])})", pattern)


def _in_both_cases(letters: re.Match[str]) -> str:
    either = letters[1] or letters[0]
    return f"[{either}{either.upper()}]"


def _without_case(pattern: str) -> str:
    upper = _UPPER.sub(r"(?:(?=\\p{L})[^a-z])", pattern)
    return _LOWER.sub(r"(?:(?=\\p{L})[^A-Z])", upper)


DEPARTURES: Final[Mapping[str, Callable[[str], str]]] = {
    SPACES_IN_NO_RANGE: _without_spaces,
    LONG_S: _without_long_s,
    ONE_CASE: _without_case,
}
"""The change of a pattern, by the name of the alteration."""


def departing(pattern: str, departure: str | None) -> str:
    """Return a pattern with a departure; the pattern itself if the departure does not change it."""
    return pattern if departure is None else DEPARTURES[departure](pattern)
