"""The texts on which chunkers are tried, each with limits and overlaps.

They are samples of all case families, alone and joined into documents that need many cuts, and a
few that chunkers are known to fail on.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.model import TargetFacts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FEW = 8
"""Texts of a family that are tried alone; as many documents are joined from others."""

LONGEST, SHORTEST = 160, 60
"""Characters of a text at most, and of a document at least."""

LIMITS = (1, 2, 3, 4, 5, 7, 8, 10, 13, 16, 21, 32)
SEPARATORS = (" ", "", "\n\n", ". ", "\t", "\r\n")

OWN = (
    "",
    " ",
    "\n\n",
    "a",
    "One sentence. Another one! A third? And the end.",
    "First paragraph.\n\nSecond paragraph,\nwith two lines.\n\n\nThe last one.\n",
    "  leading and trailing white space \t\n ",
    "many   spaces    and\ttabs\t\tin\u00a0a\u2003row",
    "supercalifragilisticexpialidocious" * 2,
    "no_spaces_but_underscores_and-hyphens/and/slashes" * 2,
    "a" * 100,
    "ab" * 40,
    "\u4eca\u65e5\u306f\u3044\u3044\u5929\u6c17\u3067\u3059\u306d\u3002\u660e\u65e5\u3082\u3067\u3059\u3002"
    * 4,
    "\u0e01\u0e32\u0e23\u0e15\u0e31\u0e14\u0e04\u0e33\u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22"
    * 4,
    "\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466 family " * 4,
    "\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7\U0001f1ef\U0001f1f5" * 5,
    "\U0001f600\U0001f680\U0001d54f\U00020000\U0001f984" * 6,
    "e\u0301a\u0308o\u0302n\u0303" * 10,
    "cafe\u0301 re\u0301sume\u0301 nai\u0308ve " * 4,
    "\u1112\u1161\u11ab\u1100\u1173\u11af " * 6,
    "\u0928\u092e\u0938\u094d\u0924\u0947 \u0915\u094d\u0937\u0924\u094d\u0930\u093f\u092f " * 4,
    "before <|endoftext|> after <|endoftext|> the end",
    "<s>[INST] a user </s> writes [/INST] this <|im_end|>",
    "\u05e9\u05dc\u05d5\u05dd \u202eabc\u202c \u0645\u0631\u062d\u0628\u0627 " * 3,
    "x\u200by\u200cz\u2060w\ufeffv " * 6,
    "nul\0 and \x1b[31m controls \x7f\x85 here \x1c\x1d\x1e\x1f " * 2,
    "a replacement character \ufffd of the text itself \ufffd\ufffd",
    "a lone surrogate \ud800 in a text",
    "\ud83d at its start, and at its end \udc00",
    "line one\rline two\r\nline three\x0bfour\x0cfive\u2028six\u2029seven",
    "1234567890" * 6,
    "def f(x):\n    return x + 1\n\n\nclass A:\n\tpass\n# the end",
    "# Title\n\nSome *text* with `code`.\n\n- one\n- two\n\n> quote\n\n| a | b |\n|---|---|\n",
    "See https://a.example/?b=1 &amp; a@b.example -- a hyphen-\nated word.\n```py\nx = 1\n```\nend",
    "\uff21\uff42\uff23\uff11\uff0c \u0661\u0662\u0663 \u0967\u0968 \u201cquotes\u201d \ufb01",
    "the same words the same words the same words the same words",
    "The end is a word without a point and it must be there: END",
)


@dataclass(frozen=True, slots=True)
class Trial:
    """A text to split with a limit and an overlap, in the unit of the chunker."""

    text: str
    limit: int
    overlap: int = 0

    @property
    def item(self) -> tuple[str, int, int]:
        """What ``split`` takes."""
        return self.text, self.limit, self.overlap


def trials(*, overlaps: bool, texts: Sequence[str] | None = None) -> list[Trial]:
    """Return the trials of all texts, or of these; the same ones in each run."""
    found: dict[Trial, None] = {}
    limits = itertools.cycle(LIMITS)
    for text in _texts() if texts is None else texts:
        of_text = LIMITS if texts is not None or text in OWN else [next(limits), next(limits)]
        for limit in of_text:
            found[Trial(text, limit)] = None
            if overlaps and limit > 1:
                found[Trial(text, limit, max(limit // 4, 1))] = None
                if limit % 2 == 0:
                    found[Trial(text, limit, limit // 2)] = None
    return list(found)


def _texts() -> list[str]:
    return list(dict.fromkeys([*OWN, *_of_families()]))


def _of_families() -> Iterator[str]:
    """Yield short texts of each family, and documents that are joined from others."""
    facts = TargetFacts(profile="quick")
    for family in plugins.families().values():
        if family.exhaustive or family.replayed:
            continue
        texts = family.texts(facts)
        step = max(len(texts) // (FEW * 24), 1)
        some = (texts[at] for at in range(0, len(texts), step))
        fitting = [text for text in some if len(text) <= LONGEST and not _is_pair(text)]
        yield from fitting[:: max(len(fitting) // FEW, 1)][:FEW]
        yield from itertools.islice(_documents(fitting), FEW)


def _documents(texts: Sequence[str]) -> Iterator[str]:
    document = ""
    separators = itertools.cycle(SEPARATORS)
    separator = next(separators)
    for text in texts:
        longer = f"{document}{separator}{text}" if document else text
        if len(longer) > LONGEST or _is_pair(longer):
            continue
        document = longer
        if len(document) >= SHORTEST:
            yield document
            document, separator = "", next(separators)


def _is_pair(text: str) -> bool:
    """Whether a text has a high surrogate before a low one, which JSON joins."""
    return any("\ud800" <= a < "\udc00" <= b < "\ue000" for a, b in itertools.pairwise(text))
