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

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.oniguruma.brackets import (
    equivalents,
    long_foldings,
    read_bracket,
    read_class_escape,
    read_code_point,
)
from tokharness_tokenizers.reference.oniguruma.classes import (
    ANY,
    NOT_LINE_FEED,
    QUICK_WORD,
    WORD,
    Chars,
    Not,
    among,
    every_character,
    has_standins,
)
from tokharness_tokenizers.reference.oniguruma.parts import (
    INTERVAL,
    Options,
    Part,
    Scanner,
    alternatives,
    anchor,
    repeated,
    sequence,
)

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


# Back references, ``\1`` and ``\k<name>``, and the names of groups.

_CLOSING: Final = {"<": ">", "'": "'"}


def read_name(scanner: Scanner, opening: str) -> str:
    """Return the name of a group, whose opening "<" or "'" is read."""
    start = scanner.at
    name = scanner.until(_CLOSING[opening])
    if name is None or not re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII):
        raise scanner.unsupported("this name of a group", start)
    return name


def numbered_reference(scanner: Scanner, number: int, options: Options, start: int) -> Part:
    r"""Return the part for a reference such as ``\1``."""
    if scanner.has_names:
        raise scanner.error("a back reference by number in a pattern with names", start)
    if number > 9 and number not in scanner.closed:
        raise scanner.unsupported("an octal number without a leading 0", start)
    return _reference(scanner, number, options, start)


def read_named_reference(scanner: Scanner, options: Options) -> Part:
    r"""Return the part for ``\k<name>`` or ``\k<1>``, whose "k" is read."""
    start = scanner.at - 2
    opening = scanner.next("a back reference")
    if opening not in _CLOSING:
        raise scanner.unsupported(r"\k without a name", start)
    if not (found := scanner.match("([0-9]+)" + _CLOSING[opening])):
        number = scanner.names.get(read_name(scanner, opening), 0)
        return _reference(scanner, number, options, start)
    if scanner.has_names:
        raise scanner.error("a back reference by number in a pattern with names", start)
    return _reference(scanner, int(found[1]), options, start)


def _reference(scanner: Scanner, number: int, options: Options, start: int) -> Part:
    if number not in scanner.closed:
        raise scanner.unsupported("a reference to a group that is not complete before", start)
    if options.fold or options.behind:
        raise scanner.unsupported("a back reference in a look-behind or without case", start)
    expression = rf"(?:\{number})"
    return Part(expression, expression, may_be_empty=True)


# Parts other than groups that may be repeated: literals, classes, and escapes outside of brackets.

MOST_CLASSES: Final = 1000
"""Most classes and characters of a pattern; the content of each is computed."""

_ASCII: Final = "".join(map(chr, range(0x80)))
_ANCHORS: Final = {"A": r"\A", "z": r"\Z", "Z": r"(?=\n?\Z)", "G": r"\G"}
_OUTSIDE: Final[dict[CharacterClass, CharacterClass]] = {
    WORD: QUICK_WORD,
    Not(WORD): Not(QUICK_WORD),
}


def of_class(scanner: Scanner, node: CharacterClass) -> Part:
    """Return the part for one character of a class."""
    scanner.classes.add(node)
    if len(scanner.classes) > MOST_CLASSES:
        raise scanner.error(f"more than {MOST_CLASSES:,} different classes and characters")
    shown = node
    if scanner.explicit and scanner.version is not None:
        shown = every_character(node, scanner.version)
    return Part(shown.expression(), Chars.of(among(node, _ASCII, None)).expression())


def of_literal(scanner: Scanner, char: str, options: Options) -> Part:
    """Return the part for a character or, if case is ignored, for all its case variants."""
    if "\ud800" <= char <= "\udfff":
        raise scanner.error("a surrogate")
    points = equivalents(char, scanner.version) if options.fold else frozenset({ord(char)})
    return replace(of_class(scanner, Chars.of(points)), literal=char)


def read_escape(scanner: Scanner, options: Options, start: int) -> Part:
    """Return the part for an escape outside of brackets, whose backslash is read."""
    if found := scanner.match("[1-9][0-9]*"):
        return numbered_reference(scanner, int(found[0]), options, start)
    char = scanner.next("an escape")
    if char in _ANCHORS or char in "bB":
        return _anchor(scanner, char, options)
    if char == "R":
        if options.behind:
            raise scanner.unsupported(r"\R in a look-behind")
        return Part(r"(?>\r\n|[\n-\r\x85\u2028\u2029])", r"(?>\r\n|[\n-\r])")
    if char in "NO":
        return of_class(scanner, NOT_LINE_FEED if char == "N" else ANY)
    if char == "k":
        return read_named_reference(scanner, options)
    if (node := read_class_escape(scanner, char)) is not None:
        return of_class(scanner, _OUTSIDE.get(node, node))
    return of_literal(scanner, chr(read_code_point(scanner, char, start)), options)


def _anchor(scanner: Scanner, char: str, options: Options) -> Part:
    if char in "bB":
        return _word_boundary(scanner, negative=char == "B")
    if options.behind and char != "A":
        raise scanner.unsupported(f"\\{char} in a look-behind")
    return anchor(_ANCHORS[char], is_pin=char != "A")


def _word_boundary(scanner: Scanner, *, negative: bool) -> Part:
    word = of_class(scanner, QUICK_WORD)
    behind, other = ("=", "!") if negative else ("!", "=")
    expression, in_ascii = (
        f"(?:(?<={text})(?{behind}{text})|(?<!{text})(?{other}{text}))"
        for text in (word.expression, word.ascii)
    )
    return anchor(expression, in_ascii)


# Groups: ``(a)``, ``(?:a)``, ``(?>a)``, ``(?<name>a)``, ``(?i:a)`` and look-arounds.

_LOOK_AROUNDS: Final = ("=", "!", "<=", "<!")
_FLAGS: Final = {"i": "fold", "m": "dot_all", "x": "extended"}


@dataclass(frozen=True, slots=True)
class Group:
    """The opening of a group.

    ``opening`` begins the translated group, ``options`` apply inside, and ``number`` is the number
    of a capturing group. ``has_end`` is False for ``(?i)``, which lasts to the end of the group
    around it, across alternatives. ``is_plain`` is True for ``(?:``: it may not be repeated if it
    has an anchor, and its literals are joined with the literals around it.
    """

    start: int
    opening: str
    options: Options
    number: int = 0
    has_end: bool = True
    is_plain: bool = False
    is_look_around: bool = False


def read_opening(scanner: Scanner, options: Options, start: int) -> Group:
    """Read the opening of a group, whose bracket is read."""
    if not scanner.take("?"):
        if scanner.peek() == "*":
            raise scanner.unsupported("a callout", start)
        return _capturing(scanner, options, start, "")
    for sign in _LOOK_AROUNDS:
        if scanner.take(sign):
            if options.behind:
                raise scanner.unsupported("a look-around in a look-behind", start)
            inner = replace(options, behind=sign.startswith("<"))
            return Group(start, f"(?{sign}", inner, is_look_around=True)
    if scanner.take(":"):
        return Group(start, "(?:", options, is_plain=True)
    if scanner.take(">"):
        if options.behind:
            raise scanner.unsupported("an atomic group in a look-behind", start)
        return Group(start, "(?>", options)
    if (sign := scanner.peek()) in {"<", "'"}:
        scanner.at += 1
        return _capturing(scanner, options, start, read_name(scanner, sign))
    return _with_flags(scanner, options, start)


def closed(scanner: Scanner, group: Group, part: Part) -> Part:
    """Return the part for a group, from the part inside it."""
    if group.number:
        scanner.closed.add(group.number)
    if group.is_look_around:
        if group.options.behind and part.has_anchor and part.has_variable_repeat:
            raise scanner.unsupported("a look-behind with an anchor and a repeat", group.start)
        whole = part.wrapped(group.opening)
        return replace(anchor(whole.expression, whole.ascii, is_pin=False), has_anchor=False)
    is_anchor, literal = (part.is_anchor, part.literal) if group.is_plain else (False, "")
    return replace(part.wrapped(group.opening), is_anchor=is_anchor, literal=literal)


def _capturing(scanner: Scanner, options: Options, start: int, name: str) -> Group:
    """Return a capturing group; without a name, it does not capture in a pattern with names."""
    if scanner.has_names and not name:
        return Group(start, "(?:", options)
    if options.behind:
        raise scanner.unsupported("a capturing group in a look-behind", start)
    if name in scanner.names:
        raise scanner.unsupported("two groups of one name", start)
    scanner.groups += 1
    if name:
        scanner.names[name] = scanner.groups
    opening = "(" if scanner.has_references else "(?:"
    return Group(start, opening, options, scanner.groups)


def _with_flags(scanner: Scanner, options: Options, start: int) -> Group:
    found = scanner.match(r"([imx]*)(?:-([imx]*))?([:)])")
    if not found:
        raise scanner.unsupported("this kind of group", start)
    changes = {_FLAGS[char]: True for char in found[1]}
    changes |= {_FLAGS[char]: False for char in found[2] or ""}
    return Group(start, "(?:", replace(options, **changes), has_end=found[3] == ":")


def read_alternatives(scanner: Scanner, options: Options) -> Part:
    """Read all up to the end of the pattern or of the group."""
    branches = [_branch(scanner, options)]
    while scanner.take("|"):
        branches.append(_branch(scanner, options))
    return alternatives(branches)


def _branch(scanner: Scanner, options: Options) -> Part:
    start = scanner.at
    parts: list[Part] = []
    scanner.skip(extended=options.extended)
    while (char := scanner.peek()) and char not in "|)":
        parts.append(repeated(scanner, _atom(scanner, options), options))
    if options.fold:
        _check_foldings(scanner, parts, start)
    return sequence(parts, starts_with_any=_starts_with_any(scanner, parts, start))


def _check_foldings(scanner: Scanner, parts: list[Part], start: int) -> None:
    """Refuse literals in which several characters fold to the folding of a single character."""
    text = "".join(part.literal.casefold() or "\0" for part in parts)
    if any(folding in text for folding in long_foldings()):
        raise scanner.unsupported("literals that fold to several characters", start)


def _starts_with_any(scanner: Scanner, parts: list[Part], start: int) -> bool:
    r"""Whether a branch begins with ``.*``; refuse ``\b.*`` and the like.

    Oniguruma searches for them only at the starts of lines, and thus misses matches.
    """
    at = next((i for i, part in enumerate(parts) if not part.has_no_width), len(parts))
    starts = at < len(parts) and parts[at].starts_with_any
    if starts and any(part.is_pin for part in parts[:at]):
        raise scanner.unsupported("'.*' after an anchor, where Oniguruma misses matches", start)
    return starts


def _atom(scanner: Scanner, options: Options) -> Part:
    start = scanner.at
    char = scanner.next("a pattern")
    if char in "*+?":
        raise scanner.error(f"a repeat {char!r} of nothing", start)
    if char == "{" and re.compile(INTERVAL).match(scanner.pattern, start):
        raise scanner.error("a repeat of nothing", start)
    if char == "(":
        return _group(scanner, options, start)
    if char == "[":
        return of_class(scanner, read_bracket(scanner, fold=options.fold))
    if char == ".":
        return of_class(scanner, ANY if options.dot_all else NOT_LINE_FEED)
    if char == "^":
        return anchor(r"(?:\A|(?<=\n)(?!\Z))", is_pin=False)
    if char == "$":
        return anchor(r"(?=\n|\Z)")
    if char == "\\":
        return read_escape(scanner, options, start)
    return of_literal(scanner, char, options)


def _group(scanner: Scanner, options: Options, start: int) -> Part:
    group = read_opening(scanner, options, start)
    inside = read_alternatives(scanner, group.options)
    if group.has_end and not scanner.take(")"):
        raise scanner.error("an unmatched '('", start)
    return closed(scanner, group, inside)
