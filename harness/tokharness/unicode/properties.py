"""Properties of code points (UAX #44), scripts (UAX #24), blocks and grapheme clusters (UAX #29).

A character is a string of length 1 and may be a lone surrogate; a code point is an int. The blocks
are in ``blocks.json``, which says how it was made.
"""

from __future__ import annotations

import json
import sys
from array import array
from collections import Counter
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import chain
from typing import TYPE_CHECKING

import regex
import unicodedata2

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

# Scripts of characters (UAX #24): ISO 15924 codes and the names of the standard.
#
# ``regex`` can test whether a character has a given script, but cannot return its script or list
# the scripts. So this module has the codes (Unicode 18.0, from PropertyValueAliases.txt). A script
# that the installed ``regex`` does not know is left out.

_TABLE = """
Adlm=Adlam Aghb=Caucasian_Albanian Ahom=Ahom Arab=Arabic Armi=Imperial_Aramaic Armn=Armenian
Avst=Avestan Bali=Balinese Bamu=Bamum Bass=Bassa_Vah Batk=Batak Beng=Bengali Berf=Beria_Erfe
Bhks=Bhaiksuki Bopo=Bopomofo Brah=Brahmi Brai=Braille Bugi=Buginese Buhd=Buhid Cakm=Chakma
Cans=Canadian_Aboriginal Cari=Carian Cham=Cham Cher=Cherokee Chrs=Chorasmian Copt=Coptic
Cpmn=Cypro_Minoan Cprt=Cypriot Cyrl=Cyrillic Deva=Devanagari Diak=Dives_Akuru Dogr=Dogra
Dsrt=Deseret Dupl=Duployan Egyp=Egyptian_Hieroglyphs Elba=Elbasan Elym=Elymaic Ethi=Ethiopic
Gara=Garay Geor=Georgian Glag=Glagolitic Gong=Gunjala_Gondi Gonm=Masaram_Gondi Goth=Gothic
Gran=Grantha Grek=Greek Gujr=Gujarati Gukh=Gurung_Khema Guru=Gurmukhi Hang=Hangul Hani=Han
Hano=Hanunoo Hatr=Hatran Hebr=Hebrew Hira=Hiragana Hluw=Anatolian_Hieroglyphs
Hmng=Pahawh_Hmong Hmnp=Nyiakeng_Puachue_Hmong Hung=Old_Hungarian Ital=Old_Italic Java=Javanese
Jurc=Jurchen Kali=Kayah_Li Kana=Katakana Kawi=Kawi Khar=Kharoshthi Khmr=Khmer Khoj=Khojki
Kits=Khitan_Small_Script Knda=Kannada Krai=Kirat_Rai Kthi=Kaithi Lana=Tai_Tham Laoo=Lao
Latn=Latin Lepc=Lepcha Limb=Limbu Lina=Linear_A Linb=Linear_B Lisu=Lisu Lyci=Lycian
Lydi=Lydian Mahj=Mahajani Maka=Makasar Mand=Mandaic Mani=Manichaean Marc=Marchen
Medf=Medefaidrin Mend=Mende_Kikakui Merc=Meroitic_Cursive Mero=Meroitic_Hieroglyphs
Mlym=Malayalam Modi=Modi Mong=Mongolian Mroo=Mro Mtei=Meetei_Mayek Mult=Multani Mymr=Myanmar
Nagm=Nag_Mundari Nand=Nandinagari Narb=Old_North_Arabian Nbat=Nabataean Newa=Newa Nkoo=Nko
Nshu=Nushu Ogam=Ogham Olck=Ol_Chiki Onao=Ol_Onal Orkh=Old_Turkic Orya=Oriya Osge=Osage
Osma=Osmanya Ougr=Old_Uyghur Palm=Palmyrene Pauc=Pau_Cin_Hau Pcun=Proto_Cuneiform
Perm=Old_Permic Phag=Phags_Pa Phli=Inscriptional_Pahlavi Phlp=Psalter_Pahlavi Phnx=Phoenician
Plrd=Miao Prti=Inscriptional_Parthian Rjng=Rejang Rohg=Hanifi_Rohingya Runr=Runic
Samr=Samaritan Sarb=Old_South_Arabian Saur=Saurashtra Seal=Seal Sgnw=SignWriting Shaw=Shavian
Shrd=Sharada Sidd=Siddham Sidt=Sidetic Sind=Khudawadi Sinh=Sinhala Sogd=Sogdian
Sogo=Old_Sogdian Sora=Sora_Sompeng Soyo=Soyombo Sund=Sundanese Sunu=Sunuwar Sylo=Syloti_Nagri
Syrc=Syriac Tagb=Tagbanwa Takr=Takri Tale=Tai_Le Talu=New_Tai_Lue Taml=Tamil Tang=Tangut
Tavt=Tai_Viet Tayo=Tai_Yo Telu=Telugu Tfng=Tifinagh Tglg=Tagalog Thaa=Thaana Thai=Thai
Tibt=Tibetan Tirh=Tirhuta Tnsa=Tangsa Todr=Todhri Tols=Tolong_Siki Toto=Toto
Tutg=Tulu_Tigalari Ugar=Ugaritic Vaii=Vai Vith=Vithkuqi Wara=Warang_Citi Wcho=Wancho
Xpeo=Old_Persian Xsux=Cuneiform Yezi=Yezidi Yiii=Yi Zanb=Zanabazar_Square Zinh=Inherited
Zyyy=Common
"""

SCRIPT_NAMES: dict[str, str] = {
    code: name for code, _, name in (pair.partition("=") for pair in _TABLE.split())
}
"""Long names of the standard by ISO 15924 code, sorted by code, without Zzzz (unknown)."""


def script_name(code: str) -> str:
    """Return the long name of a script, "Old_Italic" for "Ital"; the code if it has none."""
    return SCRIPT_NAMES.get(code, "Unknown" if code == "Zzzz" else code)


@lru_cache(maxsize=65_536)
def script(char: str) -> str:
    """Return the script of a character as an ISO 15924 code, such as "Latn"; "Zzzz" if unknown."""
    match = _scripts().fullmatch(char)
    return str(match.lastgroup) if match else "Zzzz"


@lru_cache(maxsize=65_536)
def script_extensions(char: str) -> frozenset[str]:
    """Return the scripts in which a character is used (Script_Extensions), as ISO 15924 codes.

    The set is {"Zyyy"} or {"Zinh"} for a character of no particular script, {"Zzzz"} if unknown.
    """
    codes = frozenset(code for code, pattern in _extensions() if pattern.fullmatch(char))
    return codes or frozenset({"Zzzz"})


def script_extensions_of(chars: Iterable[str]) -> dict[str, frozenset[str]]:
    """Return :func:`script_extensions` of each character, much faster if there are thousands."""
    joined = "".join(sorted(set(chars)))
    codes: dict[str, set[str]] = {char: set() for char in joined}
    for code, pattern in _extensions():
        for char in pattern.findall(joined):
            codes[char].add(code)
    return {char: frozenset(known or {"Zzzz"}) for char, known in codes.items()}


@cache
def _supported() -> tuple[str, ...]:
    """Return the codes of the scripts that the installed ``regex`` knows."""
    supported = []
    for code in SCRIPT_NAMES:
        try:
            regex.compile(rf"\p{{sc={code}}}")
        except regex.error:
            continue
        supported.append(code)
    return tuple(supported)


@cache
def _scripts() -> regex.Pattern[str]:
    return regex.compile("|".join(rf"(?P<{code}>\p{{sc={code}}})" for code in _supported()))


@cache
def _extensions() -> tuple[tuple[str, regex.Pattern[str]], ...]:
    return tuple((code, regex.compile(rf"\p{{scx={code}}}")) for code in _supported())


def main_script(text: str) -> str:
    """Return the script of most characters, except those that several scripts share."""
    if text.isascii():  # its letters are Latin, and its other characters have no script
        return "Latn" if text.lower() != text.upper() else "Zyyy"
    counts = Counter(map(script, text))
    for shared in ("Zyyy", "Zinh"):
        counts.pop(shared, None)
    return counts.most_common(1)[0][0] if counts else "Zyyy"


@cache
def characters_by_script() -> Mapping[str, tuple[str, ...]]:
    """Return the letters, marks and digits of each script by its code, in code point order.

    Characters that several scripts share (Zyyy, Zinh) are left out.
    """
    joined = "".join(map(chr, members(r"[\p{L}\p{M}\p{N}]")))
    found = {code: _of_script(code).findall(joined) for code in _supported()}
    return {
        code: tuple(chars)
        for code, chars in found.items()
        if chars and code not in ("Zyyy", "Zinh")
    }


def _of_script(code: str) -> regex.Pattern[str]:
    return regex.compile(rf"\p{{sc={code}}}")


# Grapheme clusters (UAX #29), from ``regex``.

_CLUSTER = regex.compile(r"\X")


def graphemes(text: str) -> list[str]:
    """Return the extended grapheme clusters of a text, in order; joined they are the text."""
    clusters: list[str] = _CLUSTER.findall(text)
    return clusters


PLANE = 0x10000
UNIFORM = (range(0x40000, 0xE0000), range(0xF0000, sys.maxunicode + 1))
"""Planes without assigned characters, and planes for private use."""

UNICODE_VERSION: str = unicodedata2.unidata_version
"""Version of the Unicode Character Database for names, categories and normal forms."""


def category(char: str) -> str:
    """Return the general category of a character, such as "Lu"; "Cn" if it is unassigned."""
    return str(unicodedata2.category(char))


def combining(char: str) -> int:
    """Return the canonical combining class of a character, 0 to 254."""
    return int(unicodedata2.combining(char))


def name(char: str) -> str:
    """Return the name of a character, or its code point label if it has no name.

    The labels are those of the Unicode Standard, section 4.8, such as "<control-0000>", or
    "<reserved-0378>" for an unassigned code point.
    """
    return str(unicodedata2.name(char, "")) or f"<{_kind(char)}-{ord(char):04X}>"


def label(char: str) -> str:
    """Return the code point and name of a character: "U+200B ZERO WIDTH SPACE"."""
    return f"U+{ord(char):04X} {name(char)}"


def _kind(char: str) -> str:
    point = ord(char)
    if point & 0xFFFE == 0xFFFE or 0xFDD0 <= point <= 0xFDEF:
        return "noncharacter"
    kinds = {"Cc": "control", "Co": "private-use", "Cs": "surrogate"}
    return kinds.get(category(char), "reserved")


@lru_cache(maxsize=256)
def members(expression: str) -> tuple[int, ...]:
    r"""Return the code points, in order, that a ``regex`` expression for one character matches.

    ``expression`` is a property or a class, such as ``\p{Default_Ignorable_Code_Point}`` or
    ``[\p{Cc}\p{Cf}]``. It is matched against all 1,114,112 code points, including surrogates.
    Results are cached.

    Raises:
        ValueError: ``regex`` cannot compile the expression.

    """
    return tuple(chain.from_iterable(runs_of_members(expression)))


@lru_cache(maxsize=256)
def runs_of_members(expression: str) -> tuple[range, ...]:
    """Return runs of the code points that an expression matches; raises as :func:`members` does."""
    try:
        pattern = regex.compile(f"(?:{expression})+")
    except regex.error as error:
        raise ValueError(f"not a character class: {expression!r}: {error}") from error
    # The expression may name a single character of these planes.
    if "\\U" in expression or max(expression, default="") >= chr(UNIFORM[0].start):
        return tuple(range(*match.span()) for match in pattern.finditer(_every_character()))
    chars, points = _distinct_characters()
    spans = (match.span() for match in pattern.finditer(chars))
    return tuple(range(points[start], points[end]) for start, end in spans)


def characters_of(expression: str) -> str:
    """Return the characters that an expression matches, in the order of their code points."""
    every = _every_character()
    return "".join(every[run.start : run.stop] for run in runs_of_members(expression))


@cache
def _distinct_characters() -> tuple[str, array[int]]:
    """Return characters, each for the code points up to the next, with code points and an end.

    These code points have the same properties: in a plane without characters, only noncharacters
    differ.
    """
    points = array("I")
    for plane in range(0, sys.maxunicode, PLANE):
        uniform = any(plane in planes for planes in UNIFORM)
        points.extend((plane, *range(plane + (0xFFFE if uniform else 1), plane + PLANE)))
    return _text_of(points), points + array("I", [sys.maxunicode + 1])


@cache
def _every_character() -> str:
    return _text_of(array("I", range(sys.maxunicode + 1)))


def _text_of(points: array[int]) -> str:
    return points.tobytes().decode(f"utf-32-{sys.byteorder[0]}e", "surrogatepass")


def ranges(code_points: Iterable[int]) -> str:
    """Return code points as ranges for display: "U+200B..U+200D, U+FEFF"."""
    return ", ".join(
        f"U+{first:04X}" if first == last else f"U+{first:04X}..U+{last:04X}"
        for first, last in _runs(code_points)
    )


def _runs(code_points: Iterable[int]) -> Iterator[tuple[int, int]]:
    first = last = None
    for point in sorted(set(code_points)):
        if first is None or last is None:
            first = last = point
        elif point == last + 1:
            last = point
        else:
            yield first, last
            first = last = point
    if first is not None and last is not None:
        yield first, last


@cache
def digit_sets() -> tuple[str, ...]:
    """Return every set of ten decimal digits as a string from zero to nine, in code point order.

    By the stability policy the digits of a set are ten consecutive code points (77 sets in 18.0).
    """
    zeros = (point for point in members(r"\p{Nd}") if unicodedata2.decimal(chr(point), -1) == 0)
    return tuple("".join(map(chr, range(zero, zero + 10))) for zero in zeros)


def digits_like(char: str) -> str | None:
    """Return the set of ten decimal digits that a character is in; None if it is not a digit."""
    value = unicodedata2.decimal(char, None)
    return (
        None
        if value is None
        else "".join(map(chr, range(ord(char) - value, ord(char) - value + 10)))
    )


@dataclass(frozen=True, slots=True)
class Block:
    """A block: its name, its first and its last code point."""

    name: str
    first: int
    last: int


@cache
def blocks() -> tuple[Block, ...]:
    """Return all blocks in the order of their code points."""
    source = files("tokharness.unicode").joinpath("blocks.json").read_text(encoding="ascii")
    rows = json.loads(source)["blocks"]
    return tuple(Block(name, int(first, 16), int(last, 16)) for first, last, name in rows)
