r"""Noncharacters, private use, unassigned code points, control codes, BOM and a real U+FFFD.

None of these is text a person wrote, all are valid in UTF-8, and a lossless tokenizer owes every
one of them back. What goes wrong: a C string that ends at U+0000, a table indexed past its end
by the last code points of a plane, a decoder that takes U+FFFE for a byte-order mark, a U+FEFF
dropped from the start of a text, a U+FFFD of the text itself taken for an error, an ESC sequence
that reaches the terminal of whoever reads the report.

Source: the Unicode Standard, chapters 3 and 23; ECMA-48.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness.unicode.properties import label, members
from tokharness_cases._contexts import ALL, BASIC, SENTINELS, in_contexts
from tokharness_cases._family import NO_FACTS, distinct, mixture, spread

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]

KINDS = (
    ("a noncharacter", r"\p{Noncharacter_Code_Point}"),
    ("a private-use code point", r"\p{Co}"),
    ("an unassigned code point", r"(?!\p{Noncharacter_Code_Point})\p{Cn}"),
)
FEW = (BASIC[3], SENTINELS[0])
"""Contexts for the hundreds of samples: between letters, before 's."""
ESCAPE_SEQUENCES = (
    *("\x1b[31mred\x1b[0m", "\x1b[2J", "\x1b]0;title\x07", "\x1b]8;;x://y\x1b\\z\x1b]8;;\x1b\\"),
    *("\x9b31m", "\x9d0;title\x9c", "\x90q\x9c", "\x1b[6n", "\x1bc", "a\x08b", "abc\rxyz", "\x1b"),
    *("\x1b[200~pasted\x1b[201~", "\x0e\x0f", "\x1bP$qm\x1b\\", "over\x08\x08\x08\x08strike"),
)
BOM = "\ufeff"
BOM_TEXTS = (
    *(BOM, BOM * 2, BOM + "text", "text" + BOM, "te" + BOM + "xt", BOM + " text", BOM + "\n"),
    *("a\n" + BOM + "b", " " + BOM, BOM + "{}", BOM + "'s", BOM * 2 + "'s", "a" + BOM + "'s"),
    *("\ufffe", "\ufffetext", BOM + "\ufffe", "\u00ef\u00bb\u00bf", "\u00ef\u00bb\u00bftext"),
)
REPLACEMENT_TEXTS = (
    *("\ufffd", "\ufffd\ufffd", "a\ufffd", "\ufffda", "a\ufffdb", "\ufffd" * 8, " \ufffd"),
    *("\u00e9\ufffd", "\U0001f600\ufffd", "\ufffd\U0001f600", "\ufffd\u0301", "\u00ef\u00bf\u00bd"),
)
NUL_TEXTS = ("\x00", "\x00a", "a\x00", "a\x00b", "\x00\x00", "a\x00\x00b", "\x00'", "\\0", "\u2400")


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Every case of a code point without a letter, in a fixed order."""
    return distinct(_all())


def _all() -> Iterator[Case]:
    for text in NUL_TEXTS:
        yield Case(text, "U+0000 NULL, where a C string ends")
    for text in BOM_TEXTS:
        yield Case(text, "a byte-order mark, or what looks like one", text.replace(BOM, ""))
    for text in REPLACEMENT_TEXTS:
        yield Case(text, "U+FFFD that really is in the text")
    for text in ESCAPE_SEQUENCES:
        yield Case(text, "an escape sequence of a terminal")
    for code_point in members(r"\p{Cc}"):
        char = chr(code_point)
        yield from in_contexts(char, label(char), removable=True)
    for why, expression in KINDS:
        yield from _sample(why, members(expression))


def _sample(why: str, code_points: tuple[int, ...]) -> Iterator[Case]:
    """First, middle and last of each run, the first few in all contexts, the rest in few."""
    # A short list, such as the 66 noncharacters, is taken whole.
    chosen = code_points if len(code_points) < 100 else tuple(spread(code_points))
    for number, code_point in enumerate(chosen):
        contexts = ALL if number < 70 else FEW
        yield from in_contexts(chr(code_point), f"U+{code_point:04X}, {why}", contexts)


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Random texts with control codes, noncharacters, private-use and unassigned code points."""
    sampled = [
        chr(code_point)
        for expression in (r"\p{Cc}", *(expression for _, expression in KINDS))
        for code_point in spread(members(expression))
    ]
    return mixture(("\x00", "\ufffd", BOM, "\x1b[", *sampled))
