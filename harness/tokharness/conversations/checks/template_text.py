"""The template itself has hidden text, instructions, or stands in two places that differ.

Why it matters: a template is a program that adds words to every prompt. An invisible character in
it reaches each user of the model, and no reviewer sees it. Where a folder has two templates, a
loader takes one and a person reads the other.

Oracle: static: the text of the template, and of the files next to it.

How it works: the check looks in the template for characters that do not show: controls,
bidirectional controls, tags, variation selectors and others that are ignored by default, but not in
an emoji or between letters of a script that joins them, and for attributes such as ``__class__``,
whether or not they are reached. It compares the template that ``transformers`` takes with each
other one of the same name. A conversation of one message shows which sentences the template writes
that no message asked for, such as a system prompt of its own, which of them stand next to a system
message, too, and which it writes with each variable that it reads and no loader need pass. A
template that is none of the published ones in a list is compared with the nearest one of them,
statement by statement: the list has digests of statements, so that lines, comments and the way in
which a template is written make no difference. From three quarters of common statements on, the
check says which template it is, and in which lines it differs.

Verdicts: *risk*. *By design*: a byte order mark at the beginning, sentences of the template and
of variables, and a changed copy of a published template.

Example::

    TOK508 risk  hidden characters: U+200B

What to do: write such a character as an escape, and delete the template that is not used.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import regex

from tokharness.conversations.chat import Conversation, Problem, asked
from tokharness.conversations.excerpts import differing
from tokharness.conversations.known_templates import Statement, nearest, places
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.conversations.chat import Chat

CODE = "TOK508"
NAME = "template-text"

HIDDEN = regex.compile(
    r"(?<![\p{Extended_Pictographic}\d#*])\ufe0f"
    r"|(?<![\p{Extended_Pictographic}\ufe0f]|[[\p{L}\p{M}]--[\p{Latin}\p{Greek}\p{Cyrillic}\p{Han}]])"
    r"[\u200c\u200d]"
    r"|[[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\t\n\r\ufe0f\u200c\u200d]]",
    regex.V1,
)
"""Characters that do not show, but for what writes an emoji, or joins letters of a script."""

ATTRIBUTES = regex.compile(r"(?:\.\s*|\[\s*['\"]|\battr\(\s*['\"])(__[a-z]+__)")
"""Attributes of Python's objects: a real template has none."""


WORD = r"(?<![\p{L}\p{M}])\p{L}[\p{L}\p{M}'\u2019-]*+"
SENTENCE = regex.compile(rf"{WORD}(?:[ ,;:]++{WORD}){{2,}}[^\n<>\[\]{{}}|]*")
"""Words in a row: three or more are an instruction rather than the name of a role."""

MOST_PLACES = 12
"""Places of a changed copy in the evidence."""

MOST_VARIABLES = 12
"""Variables that are tried."""

MOST_SENTENCES, MOST_SHOWN = 5, 80
"""Sentences of a template in the evidence, and characters of each."""


def examine(chat: Chat) -> Iterator[Problem]:
    """Yield a problem for the hidden characters, and for each other template of the name."""
    source = chat.template.source
    hidden = [
        (found.start(), found.group())
        for found in HIDDEN.finditer(source)
        if found.start() or found.group() != "\ufeff"
    ]
    if hidden:
        names = ", ".join(dict.fromkeys(f"U+{ord(one):04X}" for _, one in hidden))
        line = source.count("\n", 0, hidden[0][0]) + 1
        message = f"the template has {len(hidden)} hidden characters, the first in line {line}"
        cause = Cause("hidden characters", (("which", names),), Verdict.RISK, message)
        yield Problem(cause, None, {"line of the template": line, "characters": names})
    if found := ATTRIBUTES.search(source):
        line = source.count("\n", 0, found.start()) + 1
        name = found.group(1)
        message = (
            f"the template reaches for {name} in line {line}, which leads from a text to the "
            "interpreter where a renderer has no sandbox"
        )
        cause = Cause("attribute of Python", (("which", name),), Verdict.RISK, message)
        yield Problem(cause, None, {"line of the template": line})
    yield from _instructions(chat)
    yield from _changed_copy(chat)
    for other in chat.template.shadowed:
        message = (
            f"{other.place} has another template of this name, which transformers does not take: "
            f"it takes that of {chat.template.place}"
        )
        cause = Cause("another template", (("name", other.name),), Verdict.RISK, message)
        yield Problem(cause, None, differing(other.source, source))


def _changed_copy(chat: Chat) -> Iterator[Problem]:
    """Yield a problem if the template is a published one that somebody has changed."""
    own = [Statement(*row) for row in chat.facts.get("statements", ())]
    found = nearest(own)
    rows = places(own, found[0]) if found else []
    if not found or not rows:
        return
    known, share = found
    where = "place" if len(rows) == 1 else f"{len(rows)} places"
    message = (
        f"the template shares {int(100 * share)}% of its statements with the published one of "
        f"{known.name}, and differs in {where}: in line {rows[0].line}, {rows[0].words}"
    )
    evidence: dict[str, Any] = {
        "published template": f"{known.name} ({known.source})",
        "places": [f"line {line}: {words}" for line, words in rows[:MOST_PLACES]],
    }
    if len(rows) > MOST_PLACES:
        evidence["further places"] = len(rows) - MOST_PLACES
    cause = Cause("changed copy", (("of", known.name),), Verdict.FACT, message)
    yield Problem(cause, None, evidence)


def _with_variables(chat: Chat, one: Conversation, usual: Sequence[str]) -> Iterator[Problem]:
    """Yield a problem if a variable that nothing sets lets the template write other sentences."""
    names = [name for name, is_called, _ in chat.facts.get("reads", ()) if not is_called]
    known = {*chat.renderer.variables, *one.options, "messages", "tools", "documents"}
    names = [name for name in names if name not in known][:MOST_VARIABLES]
    tries = [replace(one, options={**one.options, name: True}) for name in names]
    for name, given, text in zip(names, tries, chat.texts(tries), strict=True):
        if found := [row for row in _sentences(text or "") if row not in usual]:
            message = (
                f"with the variable {name} the template writes sentences that no message asked "
                f"for, the first is {found[0][:MOST_SHOWN]!r}"
            )
            cause = Cause("instructions of a variable", (("name", name),), Verdict.FACT, message)
            shown = [row[:MOST_SHOWN] for row in found[:MOST_SENTENCES]]
            yield Problem(cause, given, {"sentences": shown})


def _sentences(text: str) -> list[str]:
    return [each.strip() for each in SENTENCE.findall(text.replace("text1", "|"))]


def _instructions(chat: Chat) -> Iterator[Problem]:
    """Yield a problem if the prompt of one message has sentences of the template."""
    one = asked(Conversation(({"role": "user", "content": "text1"},), chat.needed), prompt=True)
    text = chat.text(one) or ""
    found = _sentences(text)
    yield from _with_variables(chat, one, found)
    if found:
        words = found[0][:MOST_SHOWN]
        message = f"the template writes sentences that no message asked for, the first is {words!r}"
        cause = Cause("instructions of the template", (), Verdict.FACT, message)
        yield Problem(
            cause, one, {"sentences": [row[:MOST_SHOWN] for row in found[:MOST_SENTENCES]]}
        )
    system = {"role": "system", "content": "text1"}
    both = replace(one, messages=(system, *one.messages))
    if kept := [row for row in _sentences(chat.text(both) or "") if row in found]:
        message = (
            "the template writes sentences that no message asked for where there is a system "
            f"message, too, the first is {kept[0][:MOST_SHOWN]!r}"
        )
        cause = Cause("instructions next to a system message", (), Verdict.FACT, message)
        shown = [row[:MOST_SHOWN] for row in kept[:MOST_SENTENCES]]
        yield Problem(cause, both, {"sentences": shown})
