"""Sequences of code points: of variation, with a name, and emoji for interchange (UTS #51).

The data is that of Unicode 17.0.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

# Emoji recommended for general interchange (RGI, UTS #51), from the data of the package ``emoji``.
#
# Every function returns its sequences in code point order; all except the last return only
# fully-qualified sequences.

_ZWJ = "\u200d"
_EMOJI_SELECTOR = "\ufe0f"
_KEYCAP = "\u20e3"
_TAG_END = "\U000e007f"
_MODIFIERS = frozenset(map(chr, range(0x1F3FB, 0x1F400)))
_REGIONAL_INDICATORS = frozenset(map(chr, range(0x1F1E6, 0x1F200)))


@cache
def rgi_emoji() -> tuple[str, ...]:
    """Return every RGI emoji, single characters and sequences (3,963 in Emoji 18.0)."""
    return _with_status("fully_qualified")


@cache
def zwj_sequences() -> tuple[str, ...]:
    """Return the RGI sequences with U+200D ZERO WIDTH JOINER."""
    return tuple(text for text in rgi_emoji() if _ZWJ in text)


@cache
def modifier_sequences() -> tuple[str, ...]:
    """Return the RGI sequences of one base and one skin tone modifier, U+1F3FB to U+1F3FF."""
    return tuple(text for text in rgi_emoji() if len(text) == 2 and text[1] in _MODIFIERS)


@cache
def flag_sequences() -> tuple[str, ...]:
    """Return the RGI flags: pairs of regional indicators, and tag sequences ending in U+E007F."""
    return tuple(
        text
        for text in rgi_emoji()
        if text[-1] == _TAG_END or (len(text) == 2 and _REGIONAL_INDICATORS.issuperset(text))
    )


@cache
def keycap_sequences() -> tuple[str, ...]:
    """Return the RGI keycaps: a digit, ``#`` or ``*``, with U+FE0F and U+20E3."""
    return tuple(text for text in rgi_emoji() if text[-1] == _KEYCAP)


@cache
def less_qualified() -> dict[str, str]:
    """Return the minimally-qualified and unqualified emoji, each with the RGI emoji that it means.

    These emoji lack some or all of the U+FE0F of the RGI emoji (1,272 in Emoji 18.0).
    """
    whole = {text.replace(_EMOJI_SELECTOR, ""): text for text in rgi_emoji()}
    found = (*_with_status("minimally_qualified"), *_with_status("unqualified"))
    return {text: whole[text.replace(_EMOJI_SELECTOR, "")] for text in sorted(found)}


def _with_status(name: str) -> tuple[str, ...]:
    import emoji

    status = emoji.STATUS[name]
    return tuple(sorted(text for text, d in emoji.EMOJI_DATA.items() if d["status"] == status))


@cache
def standardized_variants() -> tuple[str, ...]:
    """Return every sequence of StandardizedVariants.txt: a base and a selector (1,306)."""
    return _variants("standardized")


@cache
def emoji_variants() -> tuple[str, ...]:
    """Return every sequence of emoji-variation-sequences.txt, text and emoji style (742)."""
    return _variants("emoji")


@cache
def named_sequences() -> dict[str, str]:
    """Return the sequences of NamedSequences.txt by their names (461)."""
    return {name: _text(points) for name, points in _table()["named"].items()}


def _variants(kind: str) -> tuple[str, ...]:
    by_selector: dict[str, str] = _table()[kind]
    return tuple(
        base + _text(selector)
        for selector, bases in by_selector.items()
        for base in map(_text, bases.split())
    )


def _text(points: str) -> str:
    return "".join(chr(int(point, 16)) for point in points.split())


@cache
def _table() -> dict[str, Any]:
    source = files("tokharness.unicode").joinpath("sequences.json").read_text(encoding="ascii")
    table: dict[str, Any] = json.loads(source)
    return table
