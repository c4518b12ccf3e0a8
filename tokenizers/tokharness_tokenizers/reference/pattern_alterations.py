"""Alterations of a pattern that cuts a text into pre-tokens: of a rule, or of a border.

A rule is replaced by the rule of another pattern. The rules come from the published patterns:
contractions, words and the characters that join them, numbers, punctuation, line ends and white
space. A pattern without a rule has no alteration of it.

Or classes of characters are joined or cut apart. The pattern of an engine may differ from the
pattern of the file in any way. Most differences show where two classes of characters meet. A class
is wide, such as letters, or narrow, such as lowercase letters: texts refute those for which an
alteration is not true. Further alterations are contractions.
"""

from __future__ import annotations

import re
from functools import cache, partial
from itertools import pairwise, product
from typing import TYPE_CHECKING, Final

from tokharness.unicode.properties import category, digits_like, label
from tokharness_tokenizers.reference.limited_pretokens import limited_pretokens
from tokharness_tokenizers.reference.patterns import CL100K, O200K, R50K

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence


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
ENDS: Final = ("s", "t", "d", "m", "re", "ve", "ll")
"""What is behind the apostrophe of a contraction; none is the start of another one."""

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
    ("all white space joins what is after it", " ?", r"\s?"),
    ("white space other than line ends joins what is after it", " ?", r"[^\S\r\n]?"),
    ("a slash does not join the punctuation before it", r"[\r\n/]*", r"[\r\n]*"),
    ("line ends do not join the punctuation before them", r"[\r\n/]*", ""),
    ("line ends do not join the punctuation before them", r"+[\r\n]*", "+"),
    ("a slash joins the punctuation before it", r"+[\r\n]*", r"+[\r\n/]*"),
    ("line ends are white space", r"|\s*[\r\n]+", ""),
    ("white space between line ends is no line end", r"\s*[\r\n]+", r"[^\S\r\n]*[\r\n]+"),
    ("white space is cut behind each line end", r"\s*[\r\n]+", r"\s*?[\r\n]"),
    ("U+000D is no line end", r"\r\n", r"\n"),
    ("U+000D is no line end in white space", r"\s*[\r\n]+", r"\s*\n"),
    ("white space at the end is split at line ends", r"\s++$|", ""),
    (LOOK_AHEAD, r"|\s+(?!\S)", ""),
    ("marks are not part of words", r"\p{M}", ""),
)
"""The alteration, a part of the pattern, and its replacement at each place."""

_SPACES: Final = r" \t\n\x0b\x0c\r"
_OTHER_SPACES: Final = "\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
CLASSES: Final[Mapping[str, Mapping[str, str | None]]] = {
    "white space is ASCII": {r"\s": _SPACES, r"\S": None},
    "white space is ASCII without U+000B, as in Go": {r"\s": r" \t\n\x0c\r", r"\S": None},
    "white space is Python's, with U+001C to U+001F": {r"\s": r"\s\x1c-\x1f", r"\S": None},
    "white space is JavaScript's": {r"\s": _SPACES + _OTHER_SPACES, r"\S": None},
    "letters are ASCII": {
        r"\p{L}": "A-Za-z",
        r"\p{Lu}": "A-Z",
        r"\p{Ll}": "a-z",
        **dict.fromkeys((r"\p{Lt}", r"\p{Lm}", r"\p{Lo}"), ""),
    },
    "numbers are ASCII": {r"\p{N}": "0-9"},
    "numbers are decimal digits": {r"\p{N}": r"\p{Nd}"},
    "numbers that are no decimal digits are letters, as in \\w of Python": {
        r"\p{L}": r"\p{L}\p{Nl}\p{No}",
        r"\p{Lo}": r"\p{Lo}\p{Nl}\p{No}",
        r"\p{N}": r"\p{Nd}",
    },
}
"""The members of classes in other engines; JavaScript's white space is without U+0085.

Beyond ASCII they are characters, not escapes: Oniguruma takes an escape of U+00A0 for a byte.
"""


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
    if "(?i:" not in pattern:
        yield "contractions have no case", CONTRACTIONS.sub(_without_case, pattern)
    for end in ENDS:
        yield f"'{end} is no contraction", CONTRACTIONS.sub(partial(_without, end), pattern)
    yield "contractions are not split", CONTRACTIONS.sub("", pattern, count=2)
    quotes = CLASS_OR_APOSTROPHE.sub(_else("'", lambda _: "['\u2019]"), pattern)
    yield "U+2019 is an apostrophe", quotes


def _without_case(match: re.Match[str]) -> str:
    body, end = match[0][:-1], match[0][-1]
    return f"(?i:{body}){end}"


def _without(end: str, match: re.Match[str]) -> str:
    return f"(?:(?!(?i:'{end}))(?:{match[0][:-1]})){match[0][-1]}"


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


MOST_WORK: Final = 48 * 48
"""Most different pairs of neighbours, times the characters of a text, that are tried."""


APOSTROPHES: Final = "'\u2018\u2019\u02bc\uff07`\u00b4"
LONGEST_CONTRACTION: Final = 3
"""Letters of a contraction."""

CASES: Final = {"Lu": "uppercase letters", "Lt": "titlecase letters", "Ll": "lowercase letters"}

Border = tuple[str, str]
"""The classes of the characters before and after a border."""


def altered_borders(pieces: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield each alteration in a few words, and the pre-tokens of a text with it.

    There is an alteration for each pair of classes that meet in the text, between two pre-tokens or
    inside of one.
    """
    pieces = [piece for piece in pieces if piece]
    ends = dict.fromkeys((one[-1], other[0]) for one, other in pairwise(pieces))
    inside = dict.fromkeys(pair for piece in pieces for pair in pairwise(piece))
    if (len(ends) + len(inside)) * sum(map(len, pieces)) <= MOST_WORK:
        for border in _borders(ends):
            yield f"no border between {border[0]} and {border[1]}", _joined(pieces, border)
        for border in _borders(inside):
            yield f"a border between {border[0]} and {border[1]}", _cut(pieces, border)
    yield from limited_pretokens(pieces)
    for start in _starts_of_contractions(pieces):
        any_case = start.lower()
        what = f"{label(start[0])} and {{!r}} are a contraction"
        yield f"{what}, in this case".format(start[1:]), _contracted(pieces, start, str)
        yield what.format(any_case[1:]), _contracted(pieces, any_case, str.lower)


def _borders(pairs: Iterable[tuple[str, str]]) -> list[Border]:
    """Return each pair of classes of neighbouring characters once, the narrowest classes first.

    If two borders explain the same texts, the first counts, so that a cause claims no more than the
    texts show.
    """
    found = (product(classes(left), classes(right)) for left, right in pairs)
    ranked = {border: rank for borders in found for rank, border in enumerate(borders)}
    return sorted(ranked, key=lambda border: ranked[border])


def _joined(pieces: Sequence[str], border: Border) -> list[str]:
    joined = [pieces[0]]
    for piece in pieces[1:]:
        if _is_border(joined[-1][-1], piece[0], border):
            joined[-1] += piece
        else:
            joined.append(piece)
    return joined


def _cut(pieces: Sequence[str], border: Border) -> list[str]:
    parts: list[str] = []
    for piece in pieces:
        parts.append(piece[0])
        for before, char in pairwise(piece):
            if _is_border(before, char, border):
                parts.append(char)
            else:
                parts[-1] += char
    return parts


def _is_border(before: str, after: str, border: Border) -> bool:
    return border[0] in classes(before) and border[1] in classes(after)


def _starts_of_contractions(pieces: Sequence[str]) -> list[str]:
    """Return the starts of words that begin with an apostrophe and go on after the contraction."""
    found = (
        piece[: size + 1]
        for piece in pieces
        if piece[0] in APOSTROPHES
        for size in range(1, min(LONGEST_CONTRACTION, len(piece) - 2) + 1)
        if piece[1 : size + 2].isalpha()
    )
    return list(dict.fromkeys(found))


def _contracted(pieces: Sequence[str], start: str, form: Callable[[str], str]) -> list[str]:
    """Cut words after this start, in a form of it, if more of the word follows."""
    size, parts = len(start), []
    for piece in pieces:
        is_cut = len(piece) > size and form(piece[:size]) == start
        parts += [piece[:size], piece[size:]] if is_cut else [piece]
    return parts


@cache
def classes(char: str) -> tuple[str, ...]:
    """Return the names of the classes that a character is in, the narrowest class first."""
    kind = category(char)
    if kind[0] == "L":
        return CASES.get(kind, "letters without case"), "letters"
    if kind[0] == "M":
        return ("marks", *(["marks of U+0300 to U+036F"] if "\u0300" <= char <= "\u036f" else []))
    if kind[0] == "N":
        return _narrow_number(char), "numbers"
    if char.isspace():
        return "line ends" if char in "\r\n" else label(char), "white space"
    return label(char), "other characters"


def _narrow_number(char: str) -> str:
    if char.isascii():
        return "ASCII digits"
    digits = digits_like(char)
    if digits is None:
        return "numbers that are no decimal digits"
    return f"digits of U+{ord(digits[0]):04X} to U+{ord(digits[-1]):04X}"
