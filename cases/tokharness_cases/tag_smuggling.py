"""Tag characters: an invisible copy of ASCII, meant for three flags and used to hide messages.

U+E0020 to U+E007E mirror ASCII, U+E007F ends a sequence, U+E0001 once began a language tag. All
tags are invisible. A person sees "Hello", a model reads the instruction behind it; conversely, a
model can send out data that no person sees. Tags have a meaning only after U+1F3F4 WAVING BLACK
FLAG, and three such sequences are recommended: England, Scotland, Wales. A tokenizer may keep tags,
or strip all of them with a normalizer that it declares. It must not turn them into the ASCII that
they mirror or into a special token, drop them at one position only, or break the flags.

The twin is the visible text.

Source: UTS #51 ED-14a and annex C; RFC 2482 (withdrawn by RFC 6082); Goodside 2024 and the probes
of PyRIT and garak (ASCII smuggling).
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness.unicode.properties import label
from tokharness.unicode.sequences import flag_sequences
from tokharness_cases._contexts import in_contexts
from tokharness_cases._disguises import to_tags
from tokharness_cases._family import NO_FACTS, curated_cases, mixture, without_duplicates
from tokharness_cases._payloads import CARRIERS, MESSAGES, smuggling_cases

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]

FLAG, LANGUAGE_TAG, CANCEL_TAG = "\U0001f3f4", "\U000e0001", "\U000e007f"
TAGS = (LANGUAGE_TAG, *map(chr, range(0xE0020, 0xE0080)))
UNASSIGNED = tuple(map(chr, (0xE0000, 0xE0002, 0xE0010, 0xE001F, 0xE0080, 0xE00A0, 0xE00FF)))
BASES = (
    *("", "a", "1", " ", "\U0001f3f3", "\U0001f3f3\ufe0f", "\U0001f600", "\U0001f1ec\U0001f1e7"),
    *("\u2764\ufe0f", "\U0001f44d\U0001f3fd", FLAG, f"{FLAG}\ufe0f", f"{FLAG}\u200d", f"{FLAG} "),
)
REGIONS = (
    *("gbnir", "usca", "ustx", "frbre", "jp13", "zz", "z", "", "gbengx", "GBENG", "gb eng"),
    *("gb-eng", "0", "12345", "g" * 30, "</s>"),
)
VISIBLE = ("password", "Hello world", "don't", "12345", "\u4f60\u597d")


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Every tag alone, valid and broken flags, then messages, in a fixed order."""
    return without_duplicates(_all())


def _all() -> Iterator[Case]:
    yield from curated_cases("tag_smuggling")
    for char in (*TAGS, *UNASSIGNED):
        yield from in_contexts(char, label(char), removable=True)
        yield Case(FLAG + char, f"{label(char)} on a flag", FLAG)
        yield Case(f"{FLAG}{char}{CANCEL_TAG}", f"{label(char)} on a flag, terminated", FLAG)
    for flag in _tag_flags():
        yield from _broken(flag)
    for base, region in product(BASES, (*REGIONS, *map(_region, _tag_flags()))):
        tags = to_tags(region)
        yield Case(base + tags + CANCEL_TAG, "the tags of a flag on another base", base)
        yield Case(base + tags, "the tags of a flag on another base, not terminated", base)
        yield Case(f"{base}{tags}{CANCEL_TAG}'s", "the tags of a flag before 's", f"{base}'s")
    yield from smuggling_cases("tag characters", to_tags)
    yield from smuggling_cases(
        "a language tag", lambda text: LANGUAGE_TAG + to_tags(text) + CANCEL_TAG
    )
    for carrier, message in product(CARRIERS, MESSAGES):
        text = to_tags(message)
        for before, after in ((FLAG, CANCEL_TAG), (FLAG, ""), (FLAG * 2, CANCEL_TAG * 2)):
            hidden = before + text + after
            yield Case(carrier + hidden, "a message in an invalid flag", carrier + before)
    for word in VISIBLE:
        for message in MESSAGES:
            yield Case(
                _interleave(word, to_tags(message)), "a message interleaved with a word", word
            )
        for place, char in product(range(len(word) + 1), (TAGS[0], TAGS[1], TAGS[66], CANCEL_TAG)):
            yield Case(word[:place] + char + word[place:], f"{label(char)} in a word", word)
        if word.isascii():
            yield Case(to_tags(word), "a word in tag characters")
            yield Case(word + to_tags(word), "a word and its copy in tag characters", word)


def _broken(flag: str) -> Iterator[Case]:
    """A recommended flag, then with parts missing, doubled, swapped or split by characters."""
    yield from in_contexts(flag, "a recommended tag flag")
    for place in range(1, len(flag)):
        why = "a broken tag flag"
        yield Case(flag[:place], why, FLAG)
        yield Case(f"{flag[:place]} a", why, f"{FLAG} a")
        yield Case(flag[place:], why)
        yield Case(flag[:place] + flag[place + 1 :], why, FLAG)
        yield Case(flag[:place] + flag[place] + flag[place:], why, FLAG)
        yield Case(flag[:place] + flag[place:][::-1], why, FLAG)
        for char in ("\u200d", "\ufe0f", "a", FLAG, CANCEL_TAG, "\U0001f3fd", LANGUAGE_TAG):
            yield Case(flag[:place] + char + flag[place:], f"{why}, with {label(char)} in it", FLAG)
    for other in (flag, "\U0001f1eb\U0001f1f7", CANCEL_TAG):
        yield Case(flag + other, "a tag flag and another", None)
        yield Case(f"{flag}\u200d{other}", "a tag flag joined to another", None)


def _interleave(word: str, tags: str) -> str:
    """Put one tag after each letter, and the rest at the end."""
    return (
        "".join(map("".join, zip(word, tags, strict=False))) + word[len(tags) :] + tags[len(word) :]
    )


@cache
def _tag_flags() -> tuple[str, ...]:
    return tuple(flag for flag in flag_sequences() if flag.endswith(CANCEL_TAG))


def _region(flag: str) -> str:
    return "".join(chr(ord(char) - 0xE0000) for char in flag[1:-1])


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Plain pieces, flags and random runs of tags."""
    from hypothesis import strategies as st

    run = st.text(st.sampled_from(TAGS), min_size=1, max_size=20)
    plain = mixture((FLAG, CANCEL_TAG, *_tag_flags()))
    return st.tuples(st.sampled_from(CARRIERS), run, st.one_of(st.just(""), plain)).map("".join)
