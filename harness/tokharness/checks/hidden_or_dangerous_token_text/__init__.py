r"""Tokens hold text that looks like other text, or that acts on a display.

Why it matters: a model may emit any token. A bidirectional control reorders the text that a reader
sees, ESC starts a terminal command, and text with invisible characters passes a review because it
looks like other text. A token that looks like a special token confuses filters and people. A token
is learned only from frequent text, so such tokens also show what the corpus holds.

Oracle: static, over the text of each token. Marks of the format, such as U+2581, ``##`` and
``</w>``, are left out; a part of a character does not hide the rest. Declared tokens, special or
added, have classes of their own, even for one character. Look-alikes and scripts are defined by UTS
#39.

How it works: the risk counts tokens of two or more characters, not counting the space before a
word, since every vocabulary has tokens of single characters. It leaves out invisible characters
that have a function where they are: U+200C and U+200D between letters that join, U+200D and
variation selectors in emoji, U+200B in scripts without spaces, soft hyphens in words, and marks of
direction, except between two letters of scripts such as Latin. The text around a token is not
known, so a joiner at its end counts as needed, and so does U+200B between its end and punctuation.
A token is near a special token if it looks like it, is equal except for case, or differs by one
character. Cyrillic words such as "\u0441\u043e" look like ASCII words and are ordinary, so only
look-alikes that mix scripts are a risk.

Verdicts: *risk*, once, with the classes that a reviewer acts on: bidirectional controls (embedding,
override and isolate), tag characters, terminal escapes, invisible letters (U+3164), hidden
characters, near-special tokens, tokens with a special token's exact text, and look-alikes of words
in mixed scripts. *Fact*, once, with a table of all classes: also control and invisible characters
of any use, private use, noncharacters, text that is not in NFC, several scripts, words of another
script that look like ASCII words, URLs, HTML, mojibake, and long runs of one character; and a table
of the tokens of each script, with the longest token. U+FFFD, white space, parts of characters and
duplicates are counted by other checks.

Example: a token of ESC and "[", which start the sequences that color the output of programs::

    TOK408 risk  hidden or dangerous token text: terminal escapes   1 of 100,256 tokens, id 60,211

What to do: mask these ids when sampling, escape output before it reaches a terminal, an editor or a
review, and remove this text from the corpus before the next vocabulary is trained. Declare a
near-special token as special if it is meant to be one.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import regex

from tokharness.checks.hidden_or_dangerous_token_text.lookalikes import (
    MIXED_LOOK_ALIKES,
    TokenScripts,
    lookalike_classes,
)
from tokharness.checks.hidden_or_dangerous_token_text.near_specials import near_special_classes
from tokharness.diagnosis.token_content.classes import UNUSUAL, TokenClass, classes_of_content
from tokharness.diagnosis.token_content.texts import (
    JoinedTexts,
    changed_by_nfc,
    content_texts,
    skeletons,
)
from tokharness.model import Cause, Failure, Verdict
from tokharness.unicode.sequences import flag_sequences

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence, Sized

    from tokharness.targets.subject import Subject


__all__ = ["CODE", "NAME", "OF_TOKENS_ALONE", "REQUIRES", "audit"]


CODE = "TOK408"
NAME = "hidden-or-dangerous-token-text"
REQUIRES = ("decode_single_token_bytes or token_text", "n_vocab")
OF_TOKENS_ALONE = True


def audit(subject: Subject) -> Iterator[Failure]:
    """Report all classes of content as a fact, and classes that a reviewer acts on as a risk."""
    texts = content_texts(subject)
    joined = JoinedTexts(texts)
    unusual = JoinedTexts(joined.matching(UNUSUAL))
    scripts = TokenScripts(texts)
    alike = list(lookalike_classes(texts, skeletons(subject), scripts))
    near = list(near_special_classes(texts, joined, subject.special_tokens))
    not_nfc = changed_by_nfc(subject)
    declared = _declared_tokens(subject)
    joined_declared = JoinedTexts(declared)
    facts = [
        *classes_of_content(texts, joined, unusual, not_nfc),
        *alike,
        *near,
        *map(_of_declared, classes_of_content(declared, joined_declared, joined_declared, ())),
    ]
    risks = [
        *hidden_classes(texts, unusual),
        *map(_of_declared, hidden_classes(declared, joined_declared, least=1)),
        *near,
        *(row for row in alike if row.name == MIXED_LOOK_ALIKES),
    ]
    texts = {**declared, **texts}
    if facts:
        message = f"contents of {len(texts):,} tokens: {_counts(facts)}"
        cause = Cause("content of tokens", (), Verdict.FACT, message)
        yield _failure(cause, facts, texts, scripts=scripts.longest())
    if risks:
        names = ", ".join(row.name for row in risks)
        message = (
            "tokens are shown as something else or act on a display; "
            f"of {len(texts):,} tokens: {_counts(risks, examples=True)}"
        )
        cause = Cause(
            "hidden or dangerous token text", (("classes", names),), Verdict.RISK, message
        )
        yield _failure(cause, risks, texts)


def _declared_tokens(subject: Subject) -> dict[int, str]:
    target = subject.target
    named = {**target.added_tokens, **target.special_tokens}
    return {number: text for text, number in named.items()}


def _of_declared(row: TokenClass) -> TokenClass:
    return replace(row, name=f"{row.name} in declared tokens")


def _counts(rows: Sequence[TokenClass], *, examples: bool = False) -> str:
    """Return the number of tokens of each class, with an id."""
    return ", ".join(
        f"{row.name} {len(row.tokens):,}" + (f" (id {row.example:,})" if examples else "")
        for row in rows
    )


def _failure(cause: Cause, rows: Sequence[TokenClass], texts: Sized, **tables: Any) -> Failure:
    return Failure(
        cause,
        count=len({number for row in rows for number in row.tokens}),
        text=rows[0].tokens[rows[0].example],
        evidence={"tokens": len(texts), "classes": [row.record() for row in rows], **tables},
        tokens={row.name: row.tokens.keys() for row in rows},
    )


# Where invisible characters have a function, as far as the text of a token shows it.
#
# What stands before and after a token is not known, nor what a part of a character belongs to.

DI = r"\p{Default_Ignorable_Code_Point}"

PLAIN = (
    r"[\p{Latin}\p{Greek}\p{Cyrillic}\p{Armenian}\p{Georgian}\p{Han}\p{Hiragana}\p{Katakana}"
    r"\p{Hangul}\p{Bopomofo}&&\p{L}]"
)
"""Letters of scripts in which nothing joins and words have no marks of direction."""

JOINING = rf"[[\p{{L}}\p{{M}}]--{PLAIN}--[\p{{Hebrew}}\p{{Common}}\p{{Inherited}}]]"
"""Letters and marks of scripts in which letters join or have forms."""

UNSPACED = (
    r"[\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{scx=Java}\p{scx=Bali}"
    r"\p{scx=Lana}\p{scx=Talu}\p{scx=Tale}\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}]"
)
"""Characters of scripts that are written without spaces between words."""

VARYING = rf"[[^\s\p{{L}}]--{DI}||[\p{{L}}--{PLAIN}]||\p{{Han}}]"
"""Characters that may have variants: all except white space and letters without variants."""

WORD = rf"[\s\p{{Nd}}{DI}{PLAIN}]"
"""Characters next to which U+200B has no function: white space, and letters of spaced words."""

JAMO = r"[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]"

EMOJI = r"[\p{Extended_Pictographic}\p{Emoji_Modifier}]"
START, END = r"(?:\A|(?<=\ufffd))", r"(?=\ufffd|\Z)"
"""The start and the end of the known part of a text."""

NEEDED = (
    # U+200C and U+200D between letters that join, and U+200D between emoji
    rf"(?<={JOINING})[\u200c\u200d](?!{DI})|(?<!{DI})[\u200c\u200d](?={JOINING})",
    rf"{START}[\u200c\u200d](?!{DI}|{PLAIN})|(?<!{DI}|{PLAIN})[\u200c\u200d]{END}",
    rf"(?:(?<={EMOJI}\ufe0f)|(?<={EMOJI}))\u200d(?!{DI})|(?<!{DI})\u200d(?={EMOJI})",
    # variation selectors after an emoji, or after another character that may have variants
    rf"(?:{START}|(?<=\p{{Emoji}}))[\ufe0e\ufe0f]",
    rf"(?:{START}|(?<={VARYING}))[\ufe00-\ufe0d\U000E0100-\U000E01EF]",
    # U+200B between words that have no space, or next to punctuation; a soft hyphen inside a word
    rf"(?<=[\ufffd{UNSPACED}])\u200b(?!{DI})|(?<!{DI})\u200b(?=[\ufffd{UNSPACED}])",
    rf"{START}\u200b(?!{WORD})|(?<!{WORD})\u200b{END}",
    rf"(?<!\s|{DI})\xad(?!\s|{DI})",
    # marks of direction, and U+2060, but not between two plain letters
    rf"(?<!{PLAIN}|{DI})[\u200e\u200f\u061c\u2060](?!{DI})",
    rf"(?<!{DI})[\u200e\u200f\u061c\u2060](?!{PLAIN}|{DI})",
    # characters of mathematics, marks, Mongolian, Khmer, jamo, shorthand and music
    r"[\u2061-\u2064]|(?<=\p{M}|\A)\u034f|\u034f(?=\p{M}|\Z)",
    r"(?<=\p{Mongolian}|\A)[\u180b-\u180f]|(?<=\p{Khmer})[\u17b4\u17b5]",
    rf"(?<={JAMO})[\u115f\u1160]|[\u115f\u1160](?={JAMO})",
    r"[\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A]",
)
"""Where invisible characters have a function, as far as the token shows it."""


def unneeded_characters(text: str) -> str:
    """Return a text without the invisible characters that it needs."""
    return str(_needed().sub("", text))


@cache
def _needed() -> regex.Pattern[str]:
    """Return the pattern of characters that are needed; tags are needed in flags."""
    flags = {text[1:] for text in flag_sequences() if len(text) > 2}
    parts = {
        tags[a:b] for tags in flags for a in range(len(tags)) for b in range(a + 1, len(tags) + 1)
    }
    tags = "|".join(sorted(parts, key=lambda part: (-len(part), part)))
    known = rf"(?:\U0001F3F4|{START})(?:{tags})(?![\U000E0020-\U000E007F])" if parts else r"(?!)"
    return regex.compile("|".join((known, *NEEDED)), regex.V1)


TERMINAL_ESCAPE = r"\x1b|(?<![\x80-\xff\ufffd])[\x90\x9b\x9d](?=[0-9;?])"
"""ESC, or a C1 control with a parameter; after Latin-1, it is a byte of a misread character."""

CLASSES = {
    "bidirectional controls": r"[\u202a-\u202e\u2066-\u2069]",
    "tag characters": r"[\U000E0001\U000E0020-\U000E007F]",
    "terminal escapes": TERMINAL_ESCAPE,
    "invisible letters": r"[\u115f\u1160\u3164\uffa0]",
    "hidden characters": (
        rf"[{DI}--[\u202a-\u202e\u2066-\u2069\U000E0001\U000E0020-\U000E007F"
        r"\u115f\u1160\u3164\uffa0]]"
    ),
}
"""Classes that a reviewer acts on, each with the pattern of its characters that nothing needs."""


def hidden_classes(
    texts: Mapping[int, str], unusual: JoinedTexts, least: int = 2
) -> Iterator[TokenClass]:
    """Yield each class that has tokens, with its tokens, among tokens with unusual characters.

    Tokens with fewer than ``least`` characters besides the space at the start are left out.
    """
    unneeded = JoinedTexts(
        {
            number: unneeded_characters(text)
            for number, text in unusual.matching(rf"{DI}|{TERMINAL_ESCAPE}").items()
            if len(text.removeprefix(" ")) >= least
        }
    )
    for name, pattern in CLASSES.items():
        if found := unneeded.matching(pattern):
            yield TokenClass(name, {number: texts[number] for number in found})
