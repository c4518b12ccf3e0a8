"""Bidirectional controls: Trojan Source, unbalanced and deep nesting, scripts of both directions.

The twelve Bidi_Control characters change the order in which a reader sees text, not the order in
which a tokenizer gets it. If a tokenizer drops them, puts text into display order or treats them as
letters, the model gets something other than what the reviewer saw. The swap of CVE-2021-42574 shows
two pieces of code in exchanged positions.

Source: UAX #9 (levels end at 125); CVE-2021-42574 "Trojan Source" (Boucher and Anderson 2021).
"""

from __future__ import annotations

from itertools import permutations, product
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness.unicode.properties import label, members
from tokharness_cases._contexts import in_contexts
from tokharness_cases._family import NO_FACTS, mixture, without_duplicates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]

LRE, RLE, PDF, LRO, RLO = "\u202a\u202b\u202c\u202d\u202e"
LRI, RLI, FSI, PDI = "\u2066\u2067\u2068\u2069"
EMBEDDINGS, ISOLATES = (LRE, RLE, LRO, RLO), (LRI, RLI, FSI)
DEEPEST = 125
"""max_depth of UAX #9: deeper nesting is only counted, without effect."""
HEBREW, ARABIC = "\u05e9\u05dc\u05d5\u05dd", "\u0645\u0631\u062d\u0628\u0627"
MIXED = (HEBREW, ARABIC, "hello", "123", "\u0661\u0662\u0663", "(", ".", "\u05e9\u05b8\u05c1")
CODE = (
    ("return", "pass"),
    ("/* begin admins only */", "if (isAdmin) {"),
    ("user", "admin"),
    ("is_safe()", "# checked"),
    ("abc", HEBREW),
)


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Every bidirectional case, in a fixed order."""
    return without_duplicates(_all())


def _all() -> Iterator[Case]:
    controls = [chr(code_point) for code_point in members(r"\p{Bidi_Control}")]
    for control in controls:
        yield from in_contexts(control, label(control), removable=True)
        why = f"{label(control)} before a word"
        for word in MIXED:
            yield Case(f"{word} {control}{word}", why, f"{word} {word}")
    for first, second in product(controls, repeat=2):
        yield Case(f"a{first}b{second}c", "two bidirectional controls in a word", "abc")
    yield from _trojan_source()
    yield from _unbalanced()
    yield from _nested()
    for words in (*permutations(MIXED, 2), *permutations(MIXED[:5], 3)):
        yield Case(" ".join(words), "words of both directions")
        yield Case("".join(words), "words of both directions, joined")


def _trojan_source() -> Iterator[Case]:
    """Commenting-out, early return, stretched string, and the swap, which displays b before a."""
    for first, second in (*CODE, *((b, a) for a, b in CODE)):
        swap = f"{LRO}{LRI}{RLO}{LRI}{first}{PDI}{LRI}{second}{PDI}{PDF}{PDI}{PDF}"
        for prefix in ("", "# ", "// ", '"'):
            yield Case(prefix + swap, "the swap of Trojan Source", prefix + first + second)
        text = f"/*{RLO} }} {LRI}{first}{PDI} {LRI} {second} */"
        yield Case(text, "commenting-out of Trojan Source", f"/* }} {first}  {second} */")
        text = f"'''{first} {RLI}''' ;{second}"
        yield Case(text, "early return of Trojan Source", f"'''{first} ''' ;{second}")
        text = f'if x != "{first}{RLO} {LRI}// {second}{PDI} {LRI}":'
        yield Case(text, "stretched string of Trojan Source", f'if x != "{first} // {second} ":')


def _unbalanced() -> Iterator[Case]:
    for opener in EMBEDDINGS + ISOLATES:
        closer, other = (PDF, PDI) if opener in EMBEDDINGS else (PDI, PDF)
        for word in ("word", HEBREW, "123"):
            for text, why in (
                (f"{opener}{word}", "opened and not closed"),
                (f"{word}{closer}", "closed and not opened"),
                (f"{opener}{word}{other}", "closed with the other kind"),
                (f"{opener}{word}{closer}{closer}", "closed twice"),
                (f"{opener}{word}\n{word}{closer}", "open across the end of a paragraph"),
                (f"{opener}{closer}{word}", "opened around nothing"),
                (f"{opener}{word}{closer}", "balanced"),
            ):
                plain = "".join(char for char in text if char not in (opener, closer, other))
                yield Case(text, f"{label(opener)} {why}", plain)


def _nested() -> Iterator[Case]:
    for opener in EMBEDDINGS + ISOLATES:
        closer = PDF if opener in EMBEDDINGS else PDI
        for depth in (2, 3, 61, 62, 63, DEEPEST - 1, DEEPEST, DEEPEST + 1, 2 * DEEPEST):
            why = f"{depth} times {label(opener)} nested"
            yield Case(f"{opener * depth}a{closer * depth}", why, "a")
            yield Case(f"{opener * depth}a", f"{why} and not closed", "a")
    mixed = (RLE + LRI) * DEEPEST
    yield Case(
        f"{mixed}a{(PDI + PDF) * DEEPEST}", "alternating embeddings and isolates, nested", "a"
    )


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Random texts of both directions with bidirectional controls."""
    controls = [chr(code_point) for code_point in members(r"\p{Bidi_Control}")]
    return mixture((RLO, PDF, RLI, PDI, *controls), ("a", " ", "1", *MIXED), most=6)
