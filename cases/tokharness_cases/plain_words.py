"""The control group: English, code, and names of days, months and languages in 60 locales.

Nothing here is hostile. A target that fails on these texts fails on everything, and its failures on
hostile text should be compared with its failures here. The family also has words that mean
something to a language (``constructor``, ``__proto__``), which break a table keyed by words;
indentation and operators, which show how code is split; and the same forty words in sixty
languages, which show what each language costs in tokens. Names with format controls, or with white
space other than a space, are left out.

Source: CLDR; programming languages' own keywords and operators.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise, product
from typing import TYPE_CHECKING

from tokharness.model import Case, TargetFacts
from tokharness.unicode.languages import names_in
from tokharness.unicode.properties import category
from tokharness_cases._family import NO_FACTS, without_duplicates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

__all__ = ["cases", "strategy"]

SENTENCES = (
    "The quick brown fox jumps over the lazy dog.",
    "It is a truth universally acknowledged, that a single man must be in want of a wife.",
    "Hello, world! How are you today?",
    "I don't think they've seen what we're doing; she'll tell us when it's done.",
    "Please send the report to alice@example.com by 5 p.m. on Friday, 3 March 2023.",
    "See https://example.org/a/b?c=d&e=f#g for details (or ask).",
    'He said: "No way," and left...',
    "# Heading\n\n- one\n- two\n\n1. three\n\n```\ncode\n```\n",
    '{"name": "value", "list": [1, 2.5, null, true], "nested": {"key": ""}}',
    "<html><body><p class='x'>text &amp; more</p></body></html>",
    "SELECT name, COUNT(*) FROM users WHERE id >= 10 GROUP BY name;",
    "E = mc^2; 2 + 2 = 4; 100% of $5.00 is #1 & *that* is ~fine~.",
)
CODE = (
    "def f(x: int) -> str:\n    return str(x)\n",
    "for (int i = 0; i < n; ++i) {\n\ttotal += a[i];\n}\n",
    "const f = async (x) => { await g(x ?? y?.z); };",
    "if (a !== b && c === d || !e) { return `${a}`; }",
    "std::vector<std::pair<int, char*>> v{{1, nullptr}};",
    "fn main() -> Result<(), Box<dyn Error>> { let x = &mut y?; }",
    "#include <stdio.h>\r\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\r\n",
    'print("tab\\t newline\\n quote\\" unicode\\u00e9 hex\\x41 nul\\0")',
    "x = r'\\d+\\.\\w*' if y else b'\\xff'",
    "git commit -m 'fix' && cd ../.. || rm -f *.o 2>/dev/null",
    '    @property\n    def name(self):\n        """Doc."""\n        return self._name\n',
    "lambda *args, **kwargs: [i for i in args if i % 2 == 0]",
    "///////////////\n// comment\n/* block\n * comment\n */\n",
)
OPERATORS = (
    *("=", "==", "===", "!=", "!==", "<=", ">=", "<=>", "->", "=>", "::", ":=", "++", "--", "+="),
    *("-=", "*=", "/=", "**", "//", "<<", ">>", ">>>", "&&", "||", "??", "?.", "...", "..", "..="),
    *("()", "[]", "{}", "();", "});", "</", "/>", "<!--", "-->", "/*", "*/", "#!", "\\\\", "%s"),
    *("${", "@", "|>", ";;", "!"),
)
IDENTIFIERS = (
    *("hasOwnProperty", "constructor", "__proto__", "toString", "valueOf", "prototype", "length"),
    *("isPrototypeOf", "__defineGetter__", "undefined", "null", "None", "NaN", "true", "this"),
    *("getUserById", "XMLHttpRequest", "parseHTMLString", "iPhone", "eBay", "snake_case_name"),
    *("SCREAMING_SNAKE_CASE", "_private", "__dunder__", "trailing_", "kebab-case-name", "a1b2c3"),
    *("HTTPServer2", "utf8", "i18n", "x86_64", "camelCaseWithALotOfWordsInIt", "std::string"),
)
LOCALES = (
    *("en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "nb", "fi", "is", "pl", "cs", "sk"),
    *("sl", "hr", "sr", "hu", "ro", "bg", "ru", "uk", "el", "tr", "az", "kk", "uz", "mn", "hy"),
    *("ka", "he", "ar", "fa", "ur", "ps", "hi", "mr", "bn", "ta", "te", "kn", "ml", "gu", "pa"),
    *("or", "si", "ne", "th", "lo", "my", "km", "vi", "id", "ms", "fil", "sw", "am", "ti"),
    *("zu", "yo", "ha", "ja", "ko", "zh", "zh_Hant", "yue", "bo", "dz", "et", "lv", "lt", "eu"),
    *("ca", "ga", "cy", "mt", "sq", "mk", "be"),
)


def cases(facts: TargetFacts = NO_FACTS) -> Iterator[Case]:
    """English, code, identifiers, then every locale, in a fixed order."""
    return without_duplicates(_all())


def _all() -> Iterator[Case]:
    for sentence in SENTENCES:
        yield Case(sentence, "a healthy sentence")
        for word in sentence.split():
            yield Case(word, "a word of a sentence")
            yield Case(f" {word}", "a word after a space")
    yield from _code()
    for locale in LOCALES:
        names = _names(locale)
        for name in names:
            yield Case(name, f"a name in the locale {locale}")
        for first, second in pairwise(names):
            yield Case(f"{first} {second}", f"two names in the locale {locale}")


def _code() -> Iterator[Case]:
    for line in CODE:
        yield Case(line, "a line of code")
    for operator in OPERATORS:
        for text in (operator, f" {operator}", f"a {operator} b", f"a{operator}b", f"{operator}\n"):
            yield Case(text, "an operator")
    for name in IDENTIFIERS:
        for text in (name, f" {name}", name.upper(), name.lower(), f"{name}()", f"x.{name} = 1;"):
            yield Case(text, "an identifier")
    for width, char, code in product(range(1, 41), " \t", ("x = 1", "}")):
        yield Case(f"{{\n{char * width}{code}\n", "an indented line")


@cache
def _names(locale: str) -> tuple[str, ...]:
    """Return months, days and languages of a locale, without names that are not plain text."""
    found = names_in(locale)
    names = (*found.months, *found.days, *found.languages.values())
    return tuple(dict.fromkeys(name for name in names if _is_plain(name)))


def _is_plain(text: str) -> bool:
    return all(char == " " or category(char)[0] in "LMNPS" for char in text)


def strategy(facts: TargetFacts = NO_FACTS) -> SearchStrategy[str]:
    """Random sequences of words, names, operators and white space."""
    from hypothesis import strategies as st

    words = [word for sentence in SENTENCES for word in sentence.split()]
    names = [name for locale in LOCALES for name in _names(locale)]
    piece = st.sampled_from(["a", "the", "1", *words, *IDENTIFIERS, *OPERATORS, *names])
    between = st.sampled_from([" ", "", "\n", ". ", ", ", "\n    ", "\t"])
    return st.lists(st.tuples(piece, between).map("".join), min_size=1, max_size=8).map("".join)
