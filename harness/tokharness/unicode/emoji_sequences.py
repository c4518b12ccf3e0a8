"""Emoji recommended for general interchange (RGI, UTS #51), from the data of the package ``emoji``.

Every function returns fully-qualified sequences only, in code point order.
"""

from __future__ import annotations

from functools import cache

__all__ = [
    "flag_sequences",
    "keycap_sequences",
    "modifier_sequences",
    "rgi_emoji",
    "zwj_sequences",
]

_ZWJ = "\u200d"
_KEYCAP = "\u20e3"
_TAG_END = "\U000e007f"
_MODIFIERS = frozenset(map(chr, range(0x1F3FB, 0x1F400)))
_REGIONAL_INDICATORS = frozenset(map(chr, range(0x1F1E6, 0x1F200)))


@cache
def rgi_emoji() -> tuple[str, ...]:
    """Return every RGI emoji, single characters and sequences (3,963 in Emoji 18.0)."""
    import emoji

    qualified = emoji.STATUS["fully_qualified"]
    return tuple(sorted(text for text, d in emoji.EMOJI_DATA.items() if d["status"] == qualified))


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
