r"""Alterations of a pattern that cuts a text into pre-tokens: a rule comes from another pattern.

The rules come from the published patterns: contractions, words and the characters that join them,
numbers, punctuation, line ends and white space. A pattern without a rule has no alteration of it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tokharness.unicode.properties import digits_like, label
from tokharness_tokenizers.reference.patterns import CL100K, O200K, R50K

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

OTHER_PATTERNS: Final = {"r50k": R50K, "cl100k": CL100K, "o200k": O200K}
LOOK_AHEAD: Final = "pattern without look-ahead"

CLASS: Final = r"\[(?:\\.|[^\]\\])*\]"
NUMBERS: Final = re.compile(
    rf"(?P<rule>\[?\\p\{{N\}}\]?)(?P<number>\{{\d+(?:,\d+)?\}}|\+|)(?![\]+*?{{])|{CLASS}"
)
CLASS_OR_APOSTROPHE: Final = re.compile(rf"{CLASS}|'")
CONTRACTIONS: Final = re.compile(
    r"(?:\(\?i:)?'\(\?i?:\[[sdmt]{4}\](?:\|(?:re|ve|ll)){3}\)\)?(?:\?|\|)"
    r"|\(\?i:(?:'(?:[sdmt]|re|ve|ll)\|?){7}\)(?:\?|\|)"
    r"|(?<![\w:])(?:'(?:[sdmt]|re|ve|ll)\|){7}"
)
UPPER_OR_LOWER: Final = r"\[\\p\{Lu\}[^\]]*\]"
BEFORE_A_WORD: Final = re.compile(r"\[\^\\r\\n\\p\{L\}\\p\{N\}\]\?\+?")

NO_LOW_LINE: Final = r"[^\\r\\n_\\p{L}\\p{N}]?"
r"""What a port writes that has ``\w`` in the place of letters and numbers."""

JOINER: Final = re.compile(r"[^\w\s](?=[^\W\d_])")

GROUPS: Final = (
    ("numbers are split into digits", ""),
    ("numbers are not split", "+"),
    ("numbers are split into threes", "{1,3}"),
    ("numbers are split into fours", "{1,4}"),
    ("numbers are split into twos", "{1,2}"),
)

REPLACED: Final = (
    ("the pattern has case", "(?i:", "(?:"),
    ("a space does not join the word after it", r" ?[\p{L}]+", r"[\p{L}]+"),
    ("a space does not join the word after it", r" ?\p{L}+", r"\p{L}+"),
    ("a space does not join the punctuation after it", r" ?[^\s", r"[^\s"),
    ("a slash does not join the punctuation before it", r"[\r\n/]*", r"[\r\n]*"),
    ("line ends do not join the punctuation before them", r"[\r\n/]*", ""),
    ("line ends do not join the punctuation before them", r"+[\r\n]*", "+"),
    ("a slash joins the punctuation before it", r"+[\r\n]*", r"+[\r\n/]*"),
    ("line ends are white space", r"|\s*[\r\n]+", ""),
    ("U+000D is no line end", r"\r\n", r"\n"),
    ("white space at the end is split at line ends", r"\s++$|", ""),
    (LOOK_AHEAD, r"|\s+(?!\S)", ""),
    ("marks are not part of words", r"\p{M}", ""),
)
"""The alteration, a part of the pattern, and its replacement at each place."""

_SPACES: Final = r" \t\n\x0b\x0c\r"
# Characters, not escapes of a pattern: Oniguruma takes \xa0 for a byte.
_OTHER_SPACES: Final = "\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
CLASSES: Final[Mapping[str, Mapping[str, str | None]]] = {
    "white space is ASCII": {r"\s": _SPACES, r"\S": None},
    "white space is JavaScript's": {r"\s": _SPACES + _OTHER_SPACES, r"\S": None},
    "letters are ASCII": {
        r"\p{L}": "A-Za-z",
        r"\p{Lu}": "A-Z",
        r"\p{Ll}": "a-z",
        **dict.fromkeys((r"\p{Lt}", r"\p{Lm}", r"\p{Lo}"), ""),
    },
    "numbers are ASCII": {r"\p{N}": "0-9"},
}
"""The members of classes in other engines: those of ASCII, and JavaScript's, without U+0085."""


def pattern_alterations(pattern: str) -> Iterator[tuple[str, str]]:
    """Yield each alteration in a few words, and the altered pattern, both without repetition."""
    seen = {pattern}
    named: set[str] = set()
    for what, altered in _alterations(pattern):
        if altered not in seen and what not in named:
            seen.add(altered)
            named.add(what)
            yield what, altered


def other_patterns(pattern: str) -> Iterator[tuple[str, str]]:
    """Yield the published patterns, and a pattern that does not cut text."""
    others = {**{f"pattern of {name}": one for name, one in OTHER_PATTERNS.items()},
              "texts are not cut": r"[\s\S]+"}  # fmt: skip
    yield from ((what, other) for what, other in others.items() if other != pattern)


def patterns_for_text(pattern: str, text: str) -> Iterator[tuple[str, str]]:
    """Yield patterns with another rule for digits, or joiners of words, of a text."""
    yield from patterns_for_digits(pattern, text)
    yield from patterns_for_joiners(pattern, text)


def patterns_for_digits(pattern: str, text: str) -> Iterator[tuple[str, str]]:
    """Yield patterns that split the digits of one script in a text, and group other digits."""
    rules = [match for match in NUMBERS.finditer(pattern) if match["rule"]]
    found = dict.fromkeys(digits_like(char) for char in text if not char.isascii())
    for digits in filter(None, found) if len(rules) == 1 else ():
        start, end = rules[0].span()
        what = f"digits of U+{ord(digits[0]):04X} to U+{ord(digits[-1]):04X} are split"
        yield what, f"{pattern[:start]}(?:[{digits}]|{rules[0][0]}){pattern[end:]}"


def patterns_for_joiners(pattern: str, text: str) -> Iterator[tuple[str, str]]:
    """Yield patterns in which one character of a text does not join the word after it."""
    for char in dict.fromkeys(match[0] for match in JOINER.finditer(text)):
        without = BEFORE_A_WORD.sub(rf"[^\\r\\n\\p{{L}}\\p{{N}}\\U{ord(char):08x}]?", pattern)
        if without != pattern:
            yield f"{label(char)} does not join the word after it", without


HAN: Final = (
    ("Han is cut from other letters", r"(?:(?=\p{Lo})\p{Han})+|"),
    ("Han and kana are cut from other letters", r"[\u4e00-\u9fa5\u3040-\u30ff]+|"),
)
"""Rules for Han; the second rule is from DeepSeek's patterns."""


def _alterations(pattern: str) -> Iterator[tuple[str, str]]:
    for what, old, new in REPLACED:
        yield what, pattern.replace(old, new)
    yield from _of_contractions(pattern)
    yield from _of_words(pattern)
    yield from _of_numbers(pattern)
    if r"\p{L" in pattern:
        yield from ((what, rule + pattern) for what, rule in HAN)
    for what, classes in CLASSES.items():
        yield what, _with_members(classes, pattern)


def _of_contractions(pattern: str) -> Iterator[tuple[str, str]]:
    yield "contractions are not split", CONTRACTIONS.sub("", pattern, count=2)
    if "(?i:" not in pattern:
        yield "contractions have no case", CONTRACTIONS.sub(_without_case, pattern)
    quotes = CLASS_OR_APOSTROPHE.sub(_else("'", lambda _: "['\u2019]"), pattern)
    yield "U+2019 is an apostrophe", quotes


def _without_case(match: re.Match[str]) -> str:
    body, end = match[0][:-1], match[0][-1]
    return f"(?i:{body}){end}"


def _of_words(pattern: str) -> Iterator[tuple[str, str]]:
    yield "only a space joins the word after it", BEFORE_A_WORD.sub(" ?", pattern)
    yield "nothing joins the word after it", BEFORE_A_WORD.sub("", pattern)
    yield "a low line does not join the word after it", BEFORE_A_WORD.sub(NO_LOW_LINE, pattern)
    each = re.sub(rf"({UPPER_OR_LOWER})\*", r"\1?", pattern)
    each = re.sub(rf"({UPPER_OR_LOWER})\+", r"\1", each)
    yield "each capital begins a word", each
    yield (
        "capitals begin no word",
        re.sub(rf"{UPPER_OR_LOWER}\*\[\\p\{{Ll\}}[^\]]*\]\+", r"[\\p{L}\\p{M}]+", pattern),
    )
    if r"\p{M}" not in pattern:
        marked = pattern.replace(r"[\p{L}]+", r"\p{L}+").replace(r"\p{L}+", r"[\p{L}\p{M}]+")
        yield "marks are part of words", marked


def _of_numbers(pattern: str) -> Iterator[tuple[str, str]]:
    rules = [match for match in NUMBERS.finditer(pattern) if match["rule"]]
    if len(rules) != 1:
        return
    ((start, end), rule, known) = rules[0].span(), rules[0]["rule"], rules[0]["number"]
    for what, number in GROUPS:
        if number != known:
            yield what, f"{pattern[:start]}{rule}{number}{pattern[end:]}"
    from_the_right = f"{rule}{{1,3}}(?=(?:{rule}{{3}})*(?!{rule}))"
    yield (
        "numbers are split into threes from the right",
        f"{pattern[:start]}{from_the_right}{pattern[end:]}",
    )
    yield (
        "digits that are not ASCII are split",
        f"{pattern[:start]}(?:[0-9]{known}|{rule}){pattern[end:]}",
    )


def _with_members(classes: Mapping[str, str | None], pattern: str) -> str:
    """Replace classes by their characters in another engine, inside and outside of brackets."""

    def replaced(match: re.Match[str]) -> str:
        part = match[0]
        for name, members in classes.items():
            if part == name:
                inverse = "^" if members is None else ""
                part = f"[{inverse}{members or classes[name.lower()]}]"
            elif members is not None:
                part = part.replace(name, members)
        return part

    names = "|".join(map(re.escape, classes))
    return re.sub(rf"{CLASS}|{names}", replaced, pattern)


def _else(wanted: str, change: Callable[[re.Match[str]], str]) -> Callable[[re.Match[str]], str]:
    return lambda match: change(match) if match[0] == wanted else match[0]
