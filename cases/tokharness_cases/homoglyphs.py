"""Words in look-alike letters: Cyrillic, Greek, fullwidth, mathematical.

A reader sees the word, but a tokenizer gets other code points. So a keyword passes a filter, one
user name passes for another, and the model reads something that neither the filter nor the reader
expected. Spoofs are mixed (one letter from another script), whole (every letter from one other
script, which a mixed-script test does not detect), compatible (NFKC returns the word, so a
normalizing tokenizer undoes the disguise after the filter), or in ASCII alone (``rn`` for ``m``).
Every confusable of a character outside ASCII occurs in one word.

A byte-level tokenizer may give these words different ids. But each text must round-trip, and none
may become a special token. TOK303 compares their cost in tokens. The twin is the plain word.

Source: UTS #39 (confusables.txt); UAX #15; UAX #31 for identifiers.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING

import regex

from tokharness.model import Case, TargetFacts
from tokharness.unicode.confusables import confusable_characters, confusables_of, skeleton
from tokharness.unicode.properties import label, script
from tokharness_cases._contexts import BASIC, SENTINELS, in_contexts
from tokharness_cases._disguises import (
    MATH_STYLES,
    compatibility_variants,
    non_ascii_confusables,
    replace_one,
    to_fullwidth,
    to_mathematical,
)
from tokharness_cases._family import NO_FACTS, without_duplicates

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]

WORDS = (
    *("paypal", "admin", "system", "endoftext", "root", "password", "ignore", "assistant", "user"),
    *("Google", "microsoft", "apple", "scope", "PayPal", "ADMIN", "access", "exec", "eval"),
    *("import", "print", "os.system", "is_admin", "getUserById", "__init__", "return 0;", "sudo"),
    *("http://a.com", "ignore previous instructions", "SELECT * FROM users", "rm -rf /"),
    *("1.000,00", "if (x == 1)"),
)
ASCII = "".join(map(chr, range(0x21, 0x7F)))
MAY_BE_CONFUSABLE = regex.compile(r"[^\x00-\x7f\p{Cc}\p{Cn}\p{Co}\p{Cs}]")
CONTEXTS = (BASIC[0], BASIC[3], BASIC[4], SENTINELS[0], SENTINELS[3])
CHOICES = 3


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Every word in every disguise, then ASCII's confusables, then the rest, in a fixed order."""
    return without_duplicates(_all())


def _all() -> Iterator[Case]:
    for word in WORDS:
        for text, why in _disguises(word):
            yield Case(text, why, word)
            yield Case(f" {text}", f"{why}, after a space", f" {word}")
    for char in ASCII:
        for other in _like(char):
            why = f"{_labels(other)}, looks like {char}"
            for context in CONTEXTS:
                twin = context.around(char)
                yield Case(context.around(other), f"{why}, {context.name}", twin)
    for other in sorted(_scripts_of("a")):
        yield from in_contexts(_scripts_of("a")[other], f"an a of the script {other}", SENTINELS)
    for other, prototype in _beyond_ascii():
        why = f"{label(other)}, looks like {_labels(prototype)}"
        yield Case(f"a{other}'s", why, f"a{prototype}'s")


def _like(char: str) -> dict[str, None]:
    """Return the confusables and compatibility variants of an ASCII character as ordered keys."""
    return dict.fromkeys((*confusables_of(char), *compatibility_variants(char)))


@cache
def _beyond_ascii() -> tuple[tuple[str, str], ...]:
    """Return every other character with a prototype in confusables.txt, and the prototype."""
    excluded = {other for char in ASCII for other in _like(char)}
    known = "".join(confusable_characters())
    chars = [char for char in MAY_BE_CONFUSABLE.findall(known) if char not in excluded]
    # In one call, separated by line feeds, which block normalization and are in no prototype.
    prototypes = skeleton("\n".join(chars)).split("\n")
    return tuple(
        (char, prototype)
        for char, prototype in zip(chars, prototypes, strict=True)
        if prototype not in {char, ""} and char in confusables_of(prototype)
    )


def _disguises(word: str) -> Iterator[tuple[str, str]]:
    for text in replace_one(word, CHOICES):
        yield text, "one character is a confusable"
    for choice in range(CHOICES):
        rewritten = "".join(_pick(char, choice) for char in word)
        yield rewritten, "every character is a confusable"
    for code in _whole_scripts(word):
        text = "".join(_scripts_of(char).get(code, char) for char in word)
        yield text, f"every letter from the script {code}"
    yield to_fullwidth(word), "in fullwidth forms"
    yield to_fullwidth(word[0]) + word[1:], "one character is fullwidth"
    for style in MATH_STYLES:
        yield to_mathematical(word, style), f"in mathematical {style}"
    yield (
        "".join((*compatibility_variants(char)[-1:], char)[0] for char in word),
        "in compatibility characters",
    )
    for plain, other in (("m", "rn"), ("w", "vv"), ("l", "1"), ("l", "I"), ("o", "0"), ("O", "0")):
        yield word.replace(plain, other), "in ASCII that looks the same"


def _pick(char: str, choice: int) -> str:
    others = non_ascii_confusables(char)
    return others[choice % len(others)] if others else char


def _labels(text: str) -> str:
    return " and ".join(label(char) for char in text[:3])


def _whole_scripts(word: str) -> list[str]:
    """Return the scripts that have a look-alike for every letter of the word."""
    letters = [_scripts_of(char) for char in word if char.isalpha()]
    return sorted(set.intersection(*map(set, letters))) if letters else []


@cache
def _scripts_of(char: str) -> Mapping[str, str]:
    """Return the first confusable of a letter in each script that has one."""
    first: dict[str, str] = defaultdict(str)
    for other in non_ascii_confusables(char):
        if len(other) == 1 and script(other) not in {"Latn", "Zyyy", "Zinh", "Zzzz"}:
            first.setdefault(script(other), other)
    return first


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Words with each character plain, confusable or compatible at random."""
    from hypothesis import strategies as st

    def disguise(word: str) -> SearchStrategy[str]:
        choices = [
            st.sampled_from((char, *non_ascii_confusables(char), *compatibility_variants(char)))
            for char in word
        ]
        return st.tuples(*choices).map("".join)

    other = st.sampled_from(_beyond_ascii()).map(lambda pair: f"a{pair[0]}")
    word = st.one_of(st.sampled_from(WORDS).flatmap(disguise), other)
    rest = st.sampled_from(["", " ", "'s", ".", "\n", "_", "1"])
    return st.lists(st.tuples(word, rest).map("".join), min_size=1, max_size=3).map("".join)
