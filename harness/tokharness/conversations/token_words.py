"""Control tokens in the words of a template that the tokenizer reads otherwise.

A token may be read as its letters, or take the white space next to it, and a tokenizer may put a
space before the text behind it. The words are then not what the model reads.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import regex

from tokharness.conversations.chat import Conversation, Problem
from tokharness.conversations.shapes import Marks
from tokharness.conversations.turns import MARK
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.conversations.chat import Chat
    from tokharness.conversations.token_ids import Tokens

BEHIND, BEFORE = regex.compile(r"\s+"), regex.compile(r"\s+$")
SIZE = 10
"""Characters of a mark."""

LETTERS = regex.compile(r"[A-Za-z]+")


def misread(chat: Chat) -> Iterator[Problem]:
    """Yield a problem for each control token of the template, and for what is next to it."""
    tokens = chat.tokens
    if tokens is None or not tokens.reads_special or not (tokens.special or tokens.added):
        return
    m = Marks()
    plain = Conversation((m.user(), m.assistant(), m.user()), chat.needed)
    options = chat.needed if chat.gets_no_tools else {**chat.needed, "tools": [m.tool()]}
    called = Conversation((m.user(), m.calls(m.call()), m.result(), m.assistant()), options)
    found: dict[tuple[str, str], Problem] = {}
    for one in (plain, called):
        for kind, token, message in _of_text(tokens, chat.text(one) or ""):
            cause = Cause(kind, (("token", token),), Verdict.RISK, message)
            found.setdefault((kind, token), Problem(cause, one))
    yield from found.values()


def _of_text(tokens: Tokens, text: str) -> Iterator[tuple[str, str, str]]:
    """Yield what is misread in a rendering: the kind, the token, and a sentence."""
    known = {**tokens.added, **tokens.special}
    words = sorted(known, key=len, reverse=True)
    places = [*regex.finditer(r"\L<words>", text, words=words)]
    ids = tokens.read(text) or []
    if len(ids) > 1 and ids == tokens.read(text + "a") == tokens.read(text + text):
        message = f"the tokenizer reads the first {len(ids):,} ids of a prompt, and drops the rest"
        yield "ids are cut", f"after {len(ids):,}", message
        return
    read = Counter(ids)
    written = Counter(known[place.group()] for place in places)
    for word in dict.fromkeys(place.group() for place in places):
        if read[known[word]] < written[known[word]] and tokens.read(word) == [known[word]]:
            message = f"the tokenizer reads {word} as letters where the template writes it"
            yield "token as letters", word, message
    keeps_spaces = tokens.read("x  y") != tokens.read("x y")
    for place in places if keeps_spaces else ():
        yield from _next_to(tokens, text, place)


def _next_to(tokens: Tokens, text: str, place: regex.Match[str]) -> Iterator[tuple[str, str, str]]:
    """Yield what the tokenizer makes of the white space on both sides of a token."""
    word = place.group()
    behind, before = BEHIND.match(text, place.end()), BEFORE.search(text, 0, place.start())
    for where, space, said in (
        ("behind", behind and behind.group(), MARK.match(text, place.end())),
        (
            "before",
            before and before.group(),
            MARK.search(text, max(place.start() - SIZE, 0), place.start()),
        ),
    ):
        shown = space or (" " if said else "")
        pair = [word, word + shown if where == "behind" else shown + word]
        if shown and tokens.read(pair[0]) == tokens.read(pair[1]):
            whose = "the template writes" if space else "a text of a message may have"
            message = f"{word} takes the white space {where} it, which {whose}"
            yield f"white space {where} a token", word, message
    letters = LETTERS.match(text, place.end())
    if letters and tokens.read(f"{word} ") != tokens.read(word):
        joined = [tokens.read(f"{word}{space}{letters.group()}") for space in ("", " ")]
        if joined[0] == joined[1] is not None:
            message = f"the tokenizer puts a space behind {word}, where the template writes none"
            yield "a space behind a token", word, message
