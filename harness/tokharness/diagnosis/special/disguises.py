"""Which transformations turn a text into a special token.

A text that contains the token's exact text contains it after every transformation too. So if the
exact text alone is harmless, a transformation must be proved: the target encodes a disguise of the
token that only this transformation undoes. Pairs of transformations are proved in the same way, so
that a normalizer that does two things is one fault.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations
from typing import TYPE_CHECKING
from urllib.parse import unquote

from tokharness.unicode.confusables import skeleton
from tokharness.unicode.normalization import normalize
from tokharness.unicode.properties import members

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

# Transformations of a text that may turn it into a special token.
#
# Each has the function that the target may apply (``apply``), and a function that disguises a token
# such that only this transformation turns it back into the token (``disguise``), to probe the
# target.

ESCAPE = re.compile(
    r"\\(?:u\{(?P<braced>HEX{1,6})\}|u(?P<four>HEX{4})|U(?P<eight>HEX{8})|x(?P<two>HEX{2})"
    r"|(?P<octal>[0-7]{1,3})|N\{(?:U\+(?P<point>HEX{4,6})|[^{}]+)\})".replace("HEX", "[0-9A-Fa-f]")
)
FOLDED = {0x17F: "s", 0x212A: "k", 0x130: "i", 0x131: "i"}
HOMOGLYPHS = str.maketrans("aceiopsx", "\u0430\u0441\u0435\u0456\u043e\u0440\u0455\u0445")
FULLWIDTH = {code_point: code_point + 0xFEE0 for code_point in range(0x21, 0x7F)}
TAGS = {0xE0000 + code_point: code_point for code_point in range(0x20, 0x7F)}
BLANK = "\u2581"


@dataclass(frozen=True, slots=True)
class Transformation:
    """A change of text; ``name`` is what findings call it."""

    name: str
    apply: Callable[[str], str]
    disguise: Callable[[str], str]


@cache
def _deletions(expression: str) -> dict[int, None]:
    return dict.fromkeys(members(expression))


def _remover(expression: str) -> Callable[[str], str]:
    return lambda text: text.translate(_deletions(expression))


def _inserter(char: str) -> Callable[[str], str]:
    return lambda token: token[:2] + char + token[2:]


def _encoder(form: str) -> Callable[[str], str]:
    return lambda token: "".join(form.format(ord(char)) for char in token)


def _unescape(text: str) -> str:
    """Decode backslash escapes of Python, C, JSON and JavaScript, each on its own."""
    return ESCAPE.sub(_unescape_match, text)


def _unescape_match(escape: re.Match[str]) -> str:
    digits = next(filter(None, escape.groups()), None)
    if digits is None:  # \N{...}: a name that Python's parser of literals knows
        try:
            return escape[0].encode("ascii").decode("unicode_escape")
        except UnicodeError:
            return escape[0]
    number = int(digits, 8 if escape["octal"] else 16)
    return chr(number) if number <= 0x10FFFF else escape[0]


def _ascii_lower(text: str) -> str:
    return re.sub("[A-Z]+", lambda letters: letters[0].lower(), text)


def _strip_marks(text: str) -> str:
    return normalize("NFD", text).translate(_deletions(r"\p{M}"))


TRANSFORMATIONS = (
    Transformation("case", _ascii_lower, str.swapcase),
    Transformation(
        "white space collapsed", lambda t: " ".join(t.split()), lambda t: t.replace(" ", "  ")
    ),
    Transformation(
        "spaces read as low lines", lambda t: t.replace(" ", "_"), lambda t: t.replace("_", " ")
    ),
    Transformation(
        "spaces read as U+2581", lambda t: t.replace(" ", BLANK), lambda t: t.replace(BLANK, " ")
    ),
    Transformation(
        "U+2581 read as spaces", lambda t: t.replace(BLANK, " "), lambda t: t.replace(" ", BLANK)
    ),
    Transformation(
        "tag characters read as ASCII",
        lambda t: t.translate(TAGS),
        lambda t: t.translate({plain: tag for tag, plain in TAGS.items()}),
    ),
    Transformation("HTML entities", html.unescape, _encoder("&#{};")),
    Transformation(
        "URL escapes", unquote, lambda t: "".join(f"%{byte:02X}" for byte in t.encode())
    ),
    Transformation("backslash escapes", _unescape, _encoder("\\u{:04x}")),
    Transformation(
        "backslashes removed", lambda t: t.replace("\\", ""), lambda t: "\\" + "\\".join(t)
    ),
    Transformation("control characters removed", _remover(r"\p{Cc}"), _inserter("\x00")),
    Transformation(
        "invisible characters removed",
        _remover(r"[\p{Default_Ignorable_Code_Point}\p{Cf}]"),
        _inserter("\u200b"),
    ),
    Transformation("white space removed", lambda t: "".join(t.split()), _inserter(" ")),
    Transformation(
        "case folding",
        lambda t: t.translate(FOLDED).casefold(),
        lambda t: t.translate({ord(plain): char for char, plain in FOLDED.items()}),
    ),
    Transformation("NFC", lambda t: normalize("NFC", t), lambda t: t.replace("K", "\u212a")),
    Transformation("marks removed", _strip_marks, _inserter("\u0301")),
    Transformation("NFKC", lambda t: normalize("NFKC", t), lambda t: t.translate(FULLWIDTH)),
    Transformation("confusables", skeleton, lambda t: t.translate(HOMOGLYPHS)),
)
"""Transformations, the narrowest first: if two explain the same texts, the first is reported."""

MOST_CHARACTERS = 64
"""Most characters of a text that are tried alone: any of them may get the id, whatever is near."""

APPLIED_TWICE = ("HTML entities", "URL escapes", "backslash escapes")
"""Names of the transformations that a target may apply twice."""


def explain_special_id(
    text: str, special: str, others: Sequence[str], gives_id: Callable[[str], bool]
) -> list[str]:
    """Names of the transformations that may turn ``text`` into ``special``, the narrowest first.

    ``others`` are all special tokens; ``gives_id`` says whether a text gets the id of ``special``.
    """
    exact = special in text
    if exact and gives_id(special):
        return ["exact text"]
    if any(map(gives_id, _other_characters(text, special))):
        return ["other text"]
    names = []
    if any(
        text.replace(other, "").count(special) > text.count(special) * (other != special)
        for other in others
    ):
        names.append("nested token joined")
    spaced = (f" {special}", f"{special} ")
    if exact and text.strip() == special and any(map(gives_id, spaced)):
        names.append("white space around it stripped")
    # A transformation leaves the exact text of the token in place, so it needs proof.
    proved = [
        t
        for t in TRANSFORMATIONS
        if _is_proved((t,), special, gives_id) or (exact and _removes(t, text, special, gives_id))
    ]
    names += [
        t.name for t in (proved if exact else TRANSFORMATIONS) if _turns_into(text, special, (t,))
    ]
    pairs = [pair for pair in combinations(proved, 2) if _is_proved(pair, special, gives_id)]
    names += [_pair_name(pair) for pair in pairs if _turns_into(text, special, pair)]
    if not names and not exact:
        names = list(_pair_names(text, special))
    if not names:
        names = [*(["exact text"] if exact else []), *_part_names(text, special), "other text"]
    return names


def _other_characters(text: str, special: str) -> Iterator[str]:
    """Yield characters that are neither a part of the token nor turned into the token."""
    for character in list(dict.fromkeys(text))[:MOST_CHARACTERS]:
        if character not in special and not any(
            _turns_into(character, special, (one,)) for one in TRANSFORMATIONS
        ):
            yield character


def _turns_into(text: str, special: str, transformations: tuple[Transformation, ...]) -> bool:
    """Whether these transformations, in either order, make the text contain the token."""
    return any(
        result in _apply_all(text, order)
        for order in dict.fromkeys((transformations, transformations[::-1]))
        if (result := _transformed(special, order))
    )


def _apply_all(text: str, transformations: tuple[Transformation, ...]) -> str:
    for transformation in transformations:
        text = transformation.apply(text)
    return text


@lru_cache(maxsize=4096)
def _transformed(special: str, transformations: tuple[Transformation, ...]) -> str:
    return _apply_all(special, transformations)


def _is_proved(
    transformations: tuple[Transformation, ...], special: str, gives_id: Callable[[str], bool]
) -> bool:
    """Whether the target gives the token's id for a disguise that only these steps undo."""
    for order in dict.fromkeys((transformations, transformations[::-1])):
        probe = special
        for transformation in order:
            probe = transformation.disguise(probe)
        needed = all(t.disguise(special) != special for t in transformations)
        if needed and special not in probe and gives_id(probe):
            return True
    return False


def _removes(
    transformation: Transformation, text: str, special: str, gives_id: Callable[[str], bool]
) -> bool:
    """Whether a character that this transformation removes from the text splits no token."""
    removed = sorted({*text} - {*transformation.apply(text)} - {*special})
    return any(
        transformation.apply(probe) == special and gives_id(probe)
        for probe in (special[:2] + character + special[2:] for character in removed)
    )


def _pair_name(transformations: tuple[Transformation, ...]) -> str:
    return " and ".join(t.name for t in transformations)


def _pair_names(text: str, special: str) -> Iterator[str]:
    for transformation in TRANSFORMATIONS:
        twice = (transformation, transformation)
        if transformation.name in APPLIED_TWICE and _turns_into(text, special, twice):
            yield f"{transformation.name} twice"
    for pair in combinations(TRANSFORMATIONS, 2):
        if _turns_into(text, special, pair):
            yield _pair_name(pair)


def _part_names(text: str, special: str) -> Iterator[str]:
    """Name for a text that has half of the token or more."""
    size = max(-(-len(special) // 2), 2)
    if any(special[at : at + size] in text for at in range(len(special) - size + 1)):
        yield "a part of it"
