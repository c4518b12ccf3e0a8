"""Words written in letters that look the same: Cyrillic, Greek, fullwidth, mathematical.

A reader sees the word, a tokenizer gets other code points. So a keyword passes a filter, a user
name passes for another, and the model reads something that neither expected. Spoofs come mixed
(one letter from another script), whole (every letter from one other script, so that a
mixed-script test sees nothing), compatible (NFKC gives the word back, so a normalizing tokenizer
undoes the disguise after the filter has looked), and by ASCII alone (``rn`` for ``m``). Beyond
ASCII every confusable of another character stands in a word once.

A byte-level tokenizer owes them no common ids; what counts is that each comes back as it was,
that none becomes a special token, and what it costs in tokens. The twin is the plain word.

Source: UTS #39 (confusables.txt); UAX #15; UAX #31 for identifiers.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness.unicode.confusables import confusables_of, skeleton
from tokharness.unicode.properties import label, members, script
from tokharness_cases._contexts import BASIC, SENTINELS, in_contexts
from tokharness_cases._disguises import (
    MATH_STYLES,
    beyond_ascii,
    compatible,
    fullwidth,
    mathematical,
    replaced_once,
)
from tokharness_cases._family import NO_FACTS, distinct

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
MAY_BE_CONFUSABLE = r"[^\x00-\x7f\p{Cc}\p{Cn}\p{Co}\p{Cs}]"
CONTEXTS = (BASIC[0], BASIC[3], BASIC[4], SENTINELS[0], SENTINELS[3])
CHOICES = 3


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Every word in every disguise, then confusables of ASCII, then others, in a fixed order."""
    return distinct(_all())


def _all() -> Iterator[Case]:
    for word in WORDS:
        for text, why in _disguised(word):
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
    """What looks like a character of ASCII, or is compatible with it; keys only, in order."""
    return dict.fromkeys((*confusables_of(char), *compatible(char)))


@cache
def _beyond_ascii() -> tuple[tuple[str, str], ...]:
    """Every other character that has a prototype in the data of confusables, and the prototype."""
    tried = {other for char in ASCII for other in _like(char)}
    chars = [char for char in map(chr, members(MAY_BE_CONFUSABLE)) if char not in tried]
    # In one call: line feeds keep normalization apart, and no prototype has one.
    prototypes = skeleton("\n".join(chars)).split("\n")
    return tuple(
        (char, prototype)
        for char, prototype in zip(chars, prototypes, strict=True)
        if prototype not in {char, ""} and char in confusables_of(prototype)
    )


def _disguised(word: str) -> Iterator[tuple[str, str]]:
    for text in replaced_once(word, CHOICES):
        yield text, "one character is a confusable"
    for choice in range(CHOICES):
        rewritten = "".join(_pick(char, choice) for char in word)
        yield rewritten, "every character is a confusable"
    for code in _whole_scripts(word):
        text = "".join(_scripts_of(char).get(code, char) for char in word)
        yield text, f"every letter from the script {code}"
    yield fullwidth(word), "in fullwidth forms"
    yield fullwidth(word[0]) + word[1:], "one character is fullwidth"
    for style in MATH_STYLES:
        yield mathematical(word, style), f"in mathematical {style}"
    yield "".join((*compatible(char)[-1:], char)[0] for char in word), "in compatible characters"
    for plain, other in (("m", "rn"), ("w", "vv"), ("l", "1"), ("l", "I"), ("o", "0"), ("O", "0")):
        yield word.replace(plain, other), "in ASCII that looks the same"


def _pick(char: str, choice: int) -> str:
    others = beyond_ascii(char)
    return others[choice % len(others)] if others else char


def _labels(text: str) -> str:
    return " and ".join(label(char) for char in text[:3])


def _whole_scripts(word: str) -> list[str]:
    """Scripts that have a lookalike for every letter of the word."""
    letters = [_scripts_of(char) for char in word if char.isalpha()]
    return sorted(set.intersection(*map(set, letters))) if letters else []


@cache
def _scripts_of(char: str) -> Mapping[str, str]:
    """The first confusable of a letter in each script that has one."""
    found: dict[str, str] = defaultdict(str)
    for other in beyond_ascii(char):
        if len(other) == 1 and script(other) not in {"Latn", "Zyyy", "Zinh", "Zzzz"}:
            found.setdefault(script(other), other)
    return found


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Words with each character plain, confusable or compatible at random."""
    from hypothesis import strategies as st

    def spelled(word: str) -> SearchStrategy[str]:
        choices = [st.sampled_from((char, *beyond_ascii(char), *compatible(char))) for char in word]
        return st.tuples(*choices).map("".join)

    other = st.sampled_from(_beyond_ascii()).map(lambda pair: f"a{pair[0]}")
    word = st.one_of(st.sampled_from(WORDS).flatmap(spelled), other)
    rest = st.sampled_from(["", " ", "'s", ".", "\n", "_", "1"])
    return st.lists(st.tuples(word, rest).map("".join), min_size=1, max_size=3).map("".join)
