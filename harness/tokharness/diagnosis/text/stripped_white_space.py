"""White space that targets strip from the ends of a text: another set in each language.

Sources: ``White_Space`` of Unicode's PropList.txt, which Rust, Go and C# strip; ``str.isspace`` of
Python; ECMA-262, section 12.2, for JavaScript; ``Character.isWhitespace`` and ``String.trim`` of
Java; ``isspace`` of C.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import regex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Change = Callable[[str], str]

# The last one is U+3000. A search of all code points would be a tenth of the start of each process.
UNICODE: Final = frozenset(regex.findall(r"\p{White_Space}", "".join(map(chr, range(0x3001)))))
SEPARATORS_OF_ASCII: Final = frozenset("\x1c\x1d\x1e\x1f")
NOT_IN_JAVA: Final = frozenset("\x85\xa0\u2007\u202f")

SETS: Final[Mapping[str, frozenset[str]]] = {
    "white space": UNICODE,
    "white space as Python has it": UNICODE | SEPARATORS_OF_ASCII,
    "white space as JavaScript has it": UNICODE - {"\x85"} | {"\ufeff"},
    "white space as Java has it": UNICODE - NOT_IN_JAVA | SEPARATORS_OF_ASCII,
    "ASCII white space": frozenset(" \t\n\x0b\x0c\r"),
    "characters up to U+0020": frozenset(map(chr, range(0x21))),
}
"""Name to characters; Unicode's set first, for targets that do not show which set they have."""


def _stripped() -> Iterator[tuple[str, Change]]:
    for name, characters in SETS.items():
        both, start, end = (
            partial(_strip, method, "".join(sorted(characters)))
            for method in (str.strip, str.lstrip, str.rstrip)
        )
        yield f"{name} stripped", both
        yield f"{name} stripped at the start", start
        yield f"{name} stripped at the end", end


def _strip(method: Callable[[str, str], str], characters: str, text: str) -> str:
    return method(text, characters)


STRIPPED: Final[Mapping[str, Change]] = dict(_stripped())
"""Name to function."""

RARELY_STRIPPED: Final = frozenset(
    name
    for name in STRIPPED
    if not name.startswith(("white space stripped", "white space as Python"))
)
"""Names of forms that explain a text by chance where no probe can show what a target strips."""

IN_SOME_SETS: Final = "\x00\x1c\x85\xa0\ufeff"
"""Characters that are in some sets and not in others."""


def _without_blank(characters: str, text: str) -> str:
    return text if text.strip(characters) else ""


BLANK: Final[Mapping[str, Change]] = {
    f"texts of nothing but {name} left out": partial(_without_blank, "".join(sorted(SETS[name])))
    for name in ("white space", "white space as Python has it")
}
"""Name to function: programs return early for a text that is empty, after ``trim`` or so."""


def leaves_out_blank(form: Change, transform: Callable[[str], str | None]) -> bool:
    """Whether a target leaves out the texts that a form leaves out, and strips no others."""
    probes = (" ", "\n\t", "\u3000", "\x1c", " a", "a\n")
    results = [(transform(probe), form(probe)) for probe in probes]
    return all(result in (None, wanted) for result, wanted in results) and results[0][0] == ""


def strips_the_same(form: Change, transform: Callable[[str], str | None]) -> bool:
    """Whether a target strips what a form strips, of the characters that are in some sets.

    A character that the target also drops inside a text does not count.
    """
    for char in IN_SOME_SETS:
        if char not in (transform(f"a{char}a") or ""):
            continue
        for probe in (f"{char}a", f"a{char}"):
            result = transform(probe)
            if result is not None and (char in result) != (char in form(probe)):
                return False
    return True
