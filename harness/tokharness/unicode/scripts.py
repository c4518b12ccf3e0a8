"""Scripts of characters (UAX #24): ISO 15924 codes and the names of the standard.

``regex`` can test whether a character has a given script, but cannot return its script or list the
scripts. So this module has the codes (Unicode 18.0, from PropertyValueAliases.txt). A script that
the installed ``regex`` does not know is left out.
"""

from __future__ import annotations

from collections import Counter
from functools import cache, lru_cache
from typing import TYPE_CHECKING

import regex

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = [
    "SCRIPT_NAMES",
    "characters_by_script",
    "main_script",
    "script",
    "script_extensions",
    "script_extensions_of",
    "script_name",
]

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
    if text.isascii():  # its letters are Latin, and nothing else of it has a script of its own
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
    from tokharness.unicode.properties import members

    joined = "".join(map(chr, members(r"[\p{L}\p{M}\p{N}]")))
    found = {code: _of_script(code).findall(joined) for code in _supported()}
    return {
        code: tuple(chars)
        for code, chars in found.items()
        if chars and code not in ("Zyyy", "Zinh")
    }


def _of_script(code: str) -> regex.Pattern[str]:
    return regex.compile(rf"\p{{sc={code}}}")
