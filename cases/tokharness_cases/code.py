r"""Source code: indentation, operators, names, escapes, literals, and text hidden in them.

Vocabularies for code have tokens for runs of spaces and for operators, and split patterns have
rules for line ends. Both fail at certain lengths and mixtures: 16 spaces are one token and 17 are
two, a tab among spaces, CRLF instead of LF, trailing spaces. An escape such as ``\u0041`` is six
characters of text: a tokenizer that decodes it changes the text. Names may have any letter of
Unicode, so a name may look like another name, or NFKC may fold it to another name (Python does
this), and text in comments may reorder what a reviewer sees.

Cases: every indentation from 1 to 40, operators in context, names in every style, numbers, strings,
and snippets in twenty languages with either line end. The twin of a homoglyph name, of hidden text
and of CRLF is the plain text.

Source: UAX #31; UTS #55; CVE-2021-42574 (Trojan Source); PEP 3131; language references.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness.unicode.properties import label, runs_of_members
from tokharness_cases._disguises import MATH_STYLES, replace_one, to_fullwidth, to_mathematical
from tokharness_cases._family import (
    NO_FACTS,
    curated_cases,
    mixture,
    plural,
    range_samples,
    without_duplicates,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]


# Parts of source code: operators, escapes, numbers, kinds of white space.


def _words(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text.split()))


OPERATORS = (
    *_words(
        r"""
    + - * / % = == === != !== <> < > <= >= <=> << >> >>> <<= >>= >>>= & | ^ ~ ! && || ?? ?. ?: ? :
    :: := => -> <- |> <| -- ++ += -= *= /= //= %= &= |= ^= **= ** &&= ||= ??= . .. ... ..= ..< ; ;;
    , @ # ## #! $ ${ } {{ }} {% %} ( ) () [ ] [] {} </ /> <!-- --> <? ?> /* */ // /// //! \ \\ ` ```
    ''' ' " _ __ =~ !~ ~= >=> <*> <$> \/ /\
        """
    ),
    '"' * 3,
)
ESCAPES = _words(
    r"""
    \n \r\n \t \0 \00 \x41 \x \xe9 \101 \777 \\ \' \" \a\b\f\v \e[0m \N{BULLET} \N{} \u \u12 \u{}
    \U0010FFFF \U00110000 \ud83d\ude00 \u{1F600} %20 %00 %C3%A9 %E2%80%AE % %% %zz &lt; &amp;lt;
    &nbsp; &#0; &#x1F600; &#x110000; &notit; &lt \d+\.\d* \p{L} $1 \b \cA =C3=A9 +ADw-
    """
)
NUMBERS = (
    *_words(
        """
    0 0x1F 0XFF 0b1010 0o17 017 1_000_000 1'000'000 1,000,000 1e10 1.5E-7 1. .5 1f 1.0f 10L 0xFFul
    1u8 255u8 1n 3j 1e 0x 0x1p-3 1..2 1...2 1.2.3 v1.2.3-rc.1 127.0.0.1 ::1 12:34:56 2024-01-31
    #ff00ff $1 1/2 50% 1e400 -0 +1 --1 NaN 1px 10KiB 0b 1__0 _1 1_
        """
    ),
    *("\u0661\u0662", "1\u0662", "\uff11\uff12", "1\u00b2"),
)
HEX = ("\\u{}", "\\u{{{}}}", "\\U0000{}", "\\x{}", "\\N{{U+{}}}", "%u{}", "&#x{};", "0x{}", "U+{}")
POINTS = ("0041", "0000", "200B", "202E", "D83D", "DC00", "FEFF", "00e9", "FFFF", "003c", "0027")
WHITE = (" ", "\t", "\n", "\r\n", "\r", "\x0b", "\x0c", "\u00a0", "\u3000", "\u2028", "\x85")
LINE_ENDS = (
    *("\n", "\r\n", "\r", "\n\r", "\\\n", "\\\r\n", " \n", "\t\n", "\n\n", "\r\n\r\n"),
    *("\x85", "\u2028", "\u2029", "\x0c"),
)
NAMES = ("user", "get", "HTTP", "server", "id", "2", "x1", "URL", "to")
WORDS = ("def", "return", "class", "import", "password", "admin", "isAdmin", "eval", "None")

AROUND = (("", ""), ("a", "b"), ("a ", " b"), ("x", "1"), ("1", "1"), (")", "("), ("\n", "\n"))
QUOTED = (("", ""), ('"', '"'), ("r'", "'"), ("a", "b"), ("/", "/g"), ("\\", ""))
COUNTED = (("", ""), ("x", ""), ("x=", ";"), ("[", "]"), (" ", " "), ("-", "px"))
PREFIXES = ("r", "b", "f", "rb", "u8", "L", "R", "@", "$", "$@", "c", "s", "#", "q", "E")
STRUCK_OUT = "\u0338"
HIDDEN = "\u200b\u200d\u202e\u2066\u200e\u00ad\ufeff\u3164\u2028\U000e0041\u0000\u000c"
PLACES = ("# {}", "// {}\n", "/* {} */", '"{}"', "x{} = 1", "a{}b()", "<!-- {} -->", "if x{}:")


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """Snippets, then parts of code, in a fixed order."""
    return without_duplicates(_all())


def _all() -> Iterator[Case]:
    for case in curated_cases("code"):
        yield case
        if "\n" in case.text and "\r" not in case.text:
            yield Case(case.text.replace("\n", "\r\n"), f"{case.why}, with CRLF", case.text)
            yield Case(case.text.replace("\n", "\n    "), f"{case.why}, indented", case.text)
    yield from _white()
    yield from _operators()
    yield from _names()
    yield from _literals()
    yield from _hidden()


def _white() -> Iterator[Case]:
    """Runs of white space at the start and end of lines."""
    for number, unit in product(range(1, 41), (" ", "\t")):
        run = unit * number
        why = plural(number, "space" if unit == " " else "tab")
        yield Case(run, why)
        for before, after in (("", "x"), ("if x:\n", "y"), ("if x:\r\n", "y"), ("\n\n", "}")):
            yield Case(f"{before}{run}{after}", f"{why} of indentation")
        yield Case(f"x{run}\n", f"{why} at the end of a line", "x\n")
        yield Case(f"x{run}= 1", f"{why} between words", "x = 1")
        yield Case(f"\n{run}\n", f"{why} on a line", "\n\n")
    for tabs, spaces in product(range(1, 7), repeat=2):
        for run in ("\t" * tabs + " " * spaces, " " * spaces + "\t" * tabs):
            yield Case(f"\n{run}x", f"indentation of mixed tabs ({tabs}) and spaces ({spaces})")
    for first, second, third in product(WHITE, repeat=3):
        yield Case(f"x{first}{second}{third}y", "three kinds of white space")
    for end, before, after in product(LINE_ENDS, ("x", "x;", "", "//"), ("y", " y", "\ty", "")):
        yield Case(f"{before}{end}{after}", "a line end", f"{before}\n{after}")


def _operators() -> Iterator[Case]:
    for operator, (before, after) in product(OPERATORS, AROUND):
        yield Case(f"{before}{operator}{after}", "an operator")
    for operator in OPERATORS:
        yield Case(to_fullwidth(operator), "an operator in fullwidth forms", operator)
        struck = "".join(char + STRUCK_OUT for char in operator)
        yield Case(f"a{struck}b", "an operator struck out", f"a{operator}b")
    for length in (2, 3):
        for chars in product("=!<>-:" if length == 3 else "=!<>-+*/&|:.?@#%^~", repeat=length):
            yield Case(f"a{''.join(chars)}b", "a short operator, real or not")


def _names() -> Iterator[Case]:
    for words in product(NAMES, NAMES[::2], (*NAMES[::2], "")):
        parts = tuple(filter(None, words))
        lower = [part.lower() for part in parts]
        yield Case(lower[0] + "".join(map(str.title, lower[1:])), "a name in camel case")
        yield Case("".join(parts), "a name in mixed case")
        yield Case("_".join(lower), "a name in snake case")
        yield Case("_".join(lower).upper(), "a name in capitals")
        yield Case("-".join(lower), "a name in kebab case")
        yield Case("__" + "_".join(lower) + "__", "a name with double low lines")
        yield Case(".".join(parts) + "()", "a name with full stops")
    for word in WORDS:
        for text in replace_one(word, 3):
            yield Case(f"{text} = 1", "a name that looks like another", f"{word} = 1")
        yield Case(to_fullwidth(word), "a name in fullwidth forms", word)
        for style in MATH_STYLES:
            yield Case(to_mathematical(word, style), f"a name in mathematical {style}", word)
    for class_, plain in ((r"\p{XIDS}", "{}x = 1"), (r"(?!\p{XIDS})\p{XIDC}", "x{} = 1")):
        # Every sixth of the ends and middles of ranges: some characters of most scripts.
        for char in list(map(chr, range_samples(runs_of_members(class_))))[::6]:
            yield Case(plain.format(char), f"a name with {label(char)}")


def _literals() -> Iterator[Case]:
    escapes = [form.format(point) for form, point in product(HEX, POINTS)]
    for escape in (*ESCAPES, *escapes):
        for before, after in QUOTED:
            yield Case(f"{before}{escape}{after}", "an escape, which is plain text")
    for number in NUMBERS:
        for before, after in COUNTED:
            yield Case(f"{before}{number}{after}", "a number in code")
    for opening in PREFIXES:
        for quote in ('"', "'", '"""', "'''", "`", '#"', '"('):
            close = quote[::-1].replace("(", ")")
            yield Case(f"{opening}{quote}a\\n{{x}}{close}", "a string literal with a prefix")
            yield Case(f"{opening}{quote}{close}", "an empty string literal with a prefix")
            yield Case(f"{opening}{quote}it's", "a string literal without its end")


def _hidden() -> Iterator[Case]:
    """Invisible and reordered text in comments, strings and names."""
    for char, place in product(HIDDEN, PLACES):
        for word in ("", "a", "return", "1"):
            text = place.format(f"{word}{char}{word}")
            yield Case(text, f"{label(char)} in code", place.format(word * 2))
    for open_, close in (("\u202e", "\u202c"), ("\u2067", "\u2069"), ("\u202d\u2066", "\u2069")):
        for place, word in product(PLACES, WORDS):
            text = place.format(f"{open_}{word}{close}")
            yield Case(text, "reordered text in code", place.format(word))
            yield Case(place.format(open_ + word), "reordered text, unclosed", place.format(word))


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Lines of operators, names, numbers, escapes and white space."""
    runs = tuple(unit * number for unit in (" ", "\t") for number in (1, 2, 4, 8, 16, 17))
    hostile = (*runs, "\r\n", *OPERATORS, *ESCAPES, *NUMBERS, *HIDDEN, "p\u0430ss")
    return mixture(hostile, ("x", "\n", " ", "getId", "my_name", "'s", "1"), most=8)
