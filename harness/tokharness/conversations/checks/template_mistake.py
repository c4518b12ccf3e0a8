"""A marker, a name or an assignment of the template does something else than it says.

Why it matters: Jinja has no error for any of these. ``<|im_end>`` is ten characters where the model
knows ``<|im_end|>`` as one token, a variable that is misspelt is an empty text, and a ``set``
in a loop is gone where the loop ends.

Oracle: static: the syntax tree of the template, the tokens of the tokenizer, and the names that
loaders define.

How it works: the texts that the template may write are searched for words in brackets that are no
token, and differ from one in a character, in case, in width or in a space; a word between bars is
reported if other such words are tokens. Without a tokenizer words are compared with usual tokens,
and with words that the template writes more often. Names that the template reads and never sets are
compared with the variables that loaders pass. An assignment in a loop is lost if the name is read
behind it, or has a value from before the loop and is read in the next round, or if a namespace has
the name, and only that one is read. ``strip`` with a word removes any of its characters, so that
``hint`` is lost to ``lstrip('<think>')``. Texts that look like tags of Jinja, or name one of its
variables, are written as they are. With a tokenizer, each token that the template writes is looked
for in the ids: it may be read as letters, be behind the ids to which the tokenizer cuts a prompt,
take the white space next to it, or get a space behind it.

Verdicts: *risk*.

Example: ``{{ message.content + '<|im_end>' }}``::

    TOK509 risk  near a token: <|im_end> for <|im_end|>

What to do: write the token or the name as it is known, ``namespace`` for a value that a loop sets,
and ``removeprefix`` for ``lstrip``.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import regex

from tokharness.conversations.chat import Problem
from tokharness.conversations.templates import TOKENS
from tokharness.conversations.token_words import misread
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from typing import Any

    from tokharness.conversations.chat import Chat

CODE = "TOK509"
NAME = "template-mistake"

VARIABLES = (
    *("messages", "tools", "documents", "add_generation_prompt", "continue_final_message"),
    *("enable_thinking", "builtin_tools", "custom_tools", "date_string", *TOKENS),
)
"""Long names of variables that loaders pass."""

USUAL = (
    *("<|im_start|>", "<|im_end|>", "<|endoftext|>", "<|begin_of_text|>", "<|end_of_text|>"),
    *("<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>", "<|eom_id|>", "<|python_tag|>"),
    *("<start_of_turn>", "<end_of_turn>", "<|start_of_role|>", "<|end_of_role|>"),
    *("<|START_OF_TURN_TOKEN|>", "<|END_OF_TURN_TOKEN|>", "<|USER_TOKEN|>", "<|CHATBOT_TOKEN|>"),
    *("<\uff5cbegin\u2581of\u2581sentence\uff5c>", "<\uff5cend\u2581of\u2581sentence\uff5c>"),
)
"""Special tokens of many models."""

BARS = "|\uff5c"
CANDIDATE = regex.compile(
    rf"<[{BARS}][^<>\n{BARS}]{{1,48}}[{BARS}]>|<[/{BARS}]?[^\s<>\[\]()\"'=]{{2,48}}>?"
    rf"|\[/?[A-Za-z_]{{2,48}}\]|(?<![<\w{BARS}])[{BARS}]?[\w\u2581]{{2,48}}[{BARS}]>"
)
"""A word in brackets; one bracket may be missing."""

BETWEEN_BARS = regex.compile(rf"<([{BARS}])[\w\u2581]+\1>")
"""A word that looks as only a token does."""

ALIKE = str.maketrans({"\uff5c": "|", "\u2581": "_", "-": "_", " ": "_"})
"""Characters that are taken for others."""

SHORTEST, SHORTEST_OF_OWN = 7, 8
"""Characters of a token that may be misspelt, and of a misspelt word of the template."""

SHORTEST_NAME = 5
"""Characters of the shortest name that may be a misspelt variable."""

LETTERS = 2
"""Letters in what a method strips that make it a word."""

SYNTAX = regex.compile(
    r"\{\{-?\s*[A-Za-z_][\w.]*(?:\s*\|\s*\w+)?\s*-?\}\}"
    r"|\{%-?\s*(?:if|for|set|else|elif|macro|generation|end\w+)\b[^{}]*%\}"
    r"|\b(?:bos_token|eos_token|add_generation_prompt)\b"
)
"""A tag of Jinja, or a variable of loaders."""


def examine(chat: Chat) -> Iterator[Problem]:
    """Yield a problem for each mistake that the syntax tree of the template shows."""
    if facts := chat.facts:
        yield from _markers(chat, facts)
        yield from _names(facts)
        yield from _others(facts)
    yield from misread(chat)


def _problem(kind: str, which: str, message: str, line: int) -> Problem:
    cause = Cause(kind, (("which", which),), Verdict.RISK, message)
    return Problem(cause, None, {"line of the template": line})


def _markers(chat: Chat, facts: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield a problem for each word in brackets that is nearly a token."""
    rows = [(one, line) for text, line in facts["texts"] for one in CANDIDATE.findall(text)]
    lines = dict(reversed(rows))
    counts = Counter(word for word, _ in rows)
    tokens = chat.tokens
    special = frozenset(tokens.special) if tokens else frozenset(USUAL)
    known = special | frozenset(tokens.added if tokens else ()) | frozenset(USUAL)
    has_token = any(BETWEEN_BARS.fullmatch(word) and word in special for word in lines)
    for word, line in lines.items():
        if word in known:
            continue
        token = next((one for one in sorted(special) if is_near(word, one)), "")
        said = f"which is no token, while {token} is one"
        if not token and len(word) >= SHORTEST_OF_OWN:
            others = (one for one in lines if counts[one] > counts[word] and _is_whole(one))
            token = next((one for one in others if is_near(word, one, is_strict=True)), "")
            said = f"where it writes {token} elsewhere"
        if token and (_is_whole(word) or _is_written(chat, word, token)):
            message = f"the template writes {word} in line {line}, {said}"
            yield _problem("near a token", f"{word} for {token}", message, line)
        elif tokens and not token and has_token and BETWEEN_BARS.fullmatch(word):
            message = f"the template writes {word} in line {line}, which is no token, as others are"
            yield _problem("no token", word, message, line)


def _is_whole(word: str) -> bool:
    return word[0] in "<[" and word[-1] in ">]"


def _is_written(chat: Chat, word: str, token: str) -> bool:
    """Whether a rendering has a word that lacks a bracket, and not as a part of the token."""
    return any(word in text.replace(token, "") for _, _, text in chat.rendered_shapes)


def is_near(word: str, token: str, *, is_strict: bool = False) -> bool:
    """Whether a word may be meant for a token: other case or width, or another character.

    If strict, it is not the plural, as words of one template may be so near. A word that lacks a
    bracket may be a tag with attributes, but for those with bars.
    """
    if word == token or len(token) < SHORTEST:
        return False
    if _plain(word) == _plain(token) or (word[-2:] == "/>" and f"</{word[1:-2]}>" == token):
        return True
    if not _is_whole(word):
        lacks = token.removesuffix(word) if token.endswith(word) else token.removeprefix(word)
        return bool(set(BARS) & set(token)) and set(lacks) <= set(f"<>{BARS}")
    edit = edit_between(word, token)
    if edit is None or any(set(part) <= set("/0123456789") and part for part in edit):
        return False
    return not (is_strict and set("".join(edit)) <= {"s"})


def _plain(word: str) -> str:
    return word.translate(ALIKE).casefold().replace("|_", "|").replace("_|", "|")


def edit_between(one: str, other: str) -> tuple[str, str] | None:
    """Return the characters that differ, if a single edit makes one text of another.

    An edit adds, removes or replaces a character, or swaps two neighbours.
    """
    if abs(len(one) - len(other)) > 1:
        return None
    start = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    start = min(len(one), len(other)) if start is None else start
    size = len(one) == len(other)
    first, second = one[start:], other[start:]
    if size and first[:2] == second[:2][::-1] and first[2:] == second[2:]:
        return first[:2], second[:2]
    skip = (1, 1) if size else (1, 0) if len(one) > len(other) else (0, 1)
    if first[skip[0] :] != second[skip[1] :]:
        return None
    return first[: skip[0]], second[: skip[1]]


def _names(facts: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield a problem for each name that nothing sets, and that is nearly one, or is called."""
    for name, is_called, line in facts["reads"]:
        if name in VARIABLES:
            continue
        own = [one for one in facts["sets"] if {f"{one}s", f"{name}s"}.isdisjoint((name, one))]
        if meant := _meant(name, (*VARIABLES, *own)):
            message = (
                f"the template reads {name} in line {line}, which nothing sets: it is an empty "
                f"text; {meant} is set"
            )
            yield _problem("unknown variable", f"{name} for {meant}", message, line)
        elif is_called:
            message = f"the template calls {name} in line {line}, which no loader defines"
            yield _problem("unknown function", name, message, line)


def _meant(name: str, known: Collection[str]) -> str:
    if len(name) < SHORTEST_NAME:
        return ""
    near = (one for one in known if len(one) >= SHORTEST_NAME and edit_between(name, one))
    return next(near, "")


def _others(facts: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield a problem for each lost assignment, stripped word and tag that is a text."""
    for name, read, line, has_value in facts["lost"]:
        if name in VARIABLES and not has_value:
            continue
        value = "the value from before the loop" if has_value else "no value"
        message = (
            f"the loop sets {name} in line {line}, and line {read} reads {value}: an assignment is "
            "gone where a loop ends; a namespace keeps it"
        )
        yield _problem("lost assignment", name, message, line)
    for name, space, line in facts["replaced"]:
        message = (
            f"the loop sets {name} in line {line}, which nothing reads: {space}.{name} is read, "
            "and keeps its value"
        )
        yield _problem("lost assignment", f"{name} for {space}.{name}", message, line)
    for method, text, line in facts["strips"]:
        if len({char for char in text if char.isalpha()}) >= LETTERS:
            message = (
                f"{method}({text!r}) in line {line} strips each of these characters, in any order, "
                "and not the word"
            )
            yield _problem("strips characters", f"{method} of {text!r}", message, line)
    found = ((SYNTAX.search(text), line) for text, line in facts["texts"])
    for text, line in {one.group(): line for one, line in found if one}.items():
        message = f"the template writes {text!r} in line {line} as a text: it stands in quotes"
        yield _problem("syntax as text", text, message, line)
