r"""What may be repeated, but groups: literals, classes, and escapes outside of brackets."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.oniguruma.back_references import (
    numbered_reference,
    read_named_reference,
)
from tokharness_tokenizers.reference.oniguruma.case import equivalents
from tokharness_tokenizers.reference.oniguruma.classes import Chars, Not
from tokharness_tokenizers.reference.oniguruma.escapes import read_class_escape, read_code_point
from tokharness_tokenizers.reference.oniguruma.named_classes import (
    ANY,
    NOT_LINE_FEED,
    QUICK_WORD,
    WORD,
)
from tokharness_tokenizers.reference.oniguruma.parts import Part, anchor
from tokharness_tokenizers.reference.oniguruma.versioned import among, every_character

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.oniguruma.classes import CharacterClass
    from tokharness_tokenizers.reference.oniguruma.parts import Options
    from tokharness_tokenizers.reference.oniguruma.scanner import Scanner

__all__ = ["of_class", "of_literal", "read_escape"]

MOST_CLASSES: Final = 1000
"""Classes and characters of a pattern; for each the characters that it has are computed."""

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
    """Return the part for a character, or if case is ignored for all that equal it."""
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
