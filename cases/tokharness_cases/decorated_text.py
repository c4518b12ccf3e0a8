"""Names and messages in decorated letters: bold, circled, struck out, upside down, stacked marks.

Social networks have no fonts, so people write in mathematical letters, enclosed letters and small
capitals, and put a combining mark on every letter: a line through it, or so many marks that they
cover the lines above (Zalgo). Moderation that compares words finds none of these, and models read
most of them. NFKC restores some styles and leaves others, so that a tokenizer with a normalizer
reads one half of a name as text and the other half as unknown. The marks cost several tokens each.

Cases: own texts, then every style of letters on Latin texts, and every style of marks on texts of
several scripts. The twin is the plain text.

Source: UAX #15 (compatibility mappings); UAX #44 (combining marks U+0332 to U+0338); the names of
Unicode's enclosed and mathematical letters.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness_cases._case_file import curated_cases
from tokharness_cases._decorations import LETTER_STYLES, MARK_STYLES
from tokharness_cases._family import NO_FACTS, mixture, without_duplicates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]

LATIN = (
    *("a", "Hello", "free", "not now", "It's me", "HELP", "the end.", "name123", "quick brown fox"),
    *("password", "ignore all of it", "a b c", "Zq", "2024", "I love you"),
)
OTHERS = (
    *("\u0434\u0430", "\u043c\u0438\u0440", "\u03bd\u03b1\u03b9", "\u05dc\u05d0", "\u0645\u0627"),
    *(
        "\u0915\u0932",
        "\u0e01\u0e19",
        "\u6c34\u706b",
        "\u306f\u3044",
        "\ubb3c\ubd88",
        "\u00e9t\u00e9",
    ),
    *("\u10d0\u10d1", "\U0001f600\U0001f680", "1 + 1", "\u0ba8\u0b9f", "\u1204\u12cd"),
)


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Own texts, then each style, in a fixed order."""
    return without_duplicates(_all())


def _all() -> Iterator[Case]:
    yield from curated_cases("decorated_text")
    for (name, style), text in product(LETTER_STYLES.items(), LATIN):
        yield Case(style(text), name, text)
        if len(text) <= 5:
            yield Case(f"so {style(text)}!", f"{name} in a sentence", f"so {text}!")
    for (name, style), text in product(MARK_STYLES.items(), (*LATIN, *OTHERS)):
        yield Case(style(text), name, text)


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Random words in random styles."""
    styles = (*LETTER_STYLES.values(), *MARK_STYLES.values())
    words = tuple(style(text) for style, text in product(styles, (*LATIN[:6], *OTHERS[:6])))
    return mixture(words, ("a", " ", ".", "Hello", "1", "'s", "\u0336"), most=4)
