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
from typing import TYPE_CHECKING, Any

from tokharness.checks.hidden_or_dangerous_token_text.hidden import hidden_classes
from tokharness.checks.hidden_or_dangerous_token_text.lookalikes import (
    MIXED_LOOK_ALIKES,
    TokenScripts,
    lookalike_classes,
)
from tokharness.checks.hidden_or_dangerous_token_text.near_specials import near_special_classes
from tokharness.diagnosis.token_content.classes import UNUSUAL, classes_of_content
from tokharness.diagnosis.token_content.texts import (
    JoinedTexts,
    changed_by_nfc,
    content_texts,
    skeletons,
)
from tokharness.model import Cause, Failure, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence, Sized

    from tokharness.diagnosis.token_content.classes import TokenClass
    from tokharness.targets.subject import Subject

CODE = "TOK408"
NAME = "hidden-or-dangerous-token-text"
REQUIRES = ("decode_single_token_bytes or token_text", "n_vocab")
OF_TOKENS_ALONE = True

__all__ = ["CODE", "NAME", "OF_TOKENS_ALONE", "REQUIRES", "audit"]


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
