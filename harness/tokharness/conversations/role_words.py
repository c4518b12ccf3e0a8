"""The words with which all messages of a role begin or end, in a template without pairs of words.

A template whose turns no pair of words opens and closes may still end the messages of a role with
one word, and begin those of the user with another one: ``[INST] ... [/INST] ... </s>``, or
``<|User|> ... <|Assistant|> ... </s>``, or ``USER: ... ASSISTANT: ...``.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from tokharness.conversations.chat import Conversation
from tokharness.conversations.shapes import Marks, fields_of
from tokharness.conversations.turns import WORD, plain_texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokharness.conversations.chat import Chat
    from tokharness.conversations.shapes import Field
    from tokharness.conversations.turns import Turns

SPOKEN = re.compile(r"qz\d{3}(usr|ast)xk")
"""A mark of a user's or an assistant's content."""

NAMED = re.compile(r"[<>\[\]\n]")
"""What ends the name of a role behind an opener."""

BEFORE_USERS = ("system", "developer", "user")
"""Roles whose texts a template may put into the turn of the user that follows."""


@dataclass(frozen=True, slots=True)
class RoleWords:
    """The words behind every plain message, by role, and the text before each user's.

    ``of_sides`` are words that stand between a user and an assistant, and between two users not:
    they end what a side says, which may be several messages.
    """

    ends: Mapping[str, tuple[str, ...]]
    begin: str
    of_sides: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        """Whether there is anything to look for."""
        return any(self.ends.values()) or bool(self.begin)


@dataclass(frozen=True, slots=True)
class Unmarked:
    """A message that lacks a word of its role: what it does, a text of it, and the word."""

    what: str
    field: Field
    word: str


def role_words(chat: Chat) -> RoleWords:
    """Return the words of roles, from the plain conversations of users and assistants."""
    behind: dict[str, list[list[str]]] = {"usr": [], "ast": []}
    before: dict[str, list[str]] = {"usr": [], "ast": []}
    same, apart = set[str](), set[str]()
    for text in plain_texts(chat):
        gaps = SPOKEN.split(text)  # text, role, text, role, ..., text
        for role, gap, following in zip(gaps[1::2], gaps[2::2], gaps[3::2], strict=False):
            if role == "usr":
                (same if role == following else apart).update(WORD.findall(gap))
        for gap, role, following in zip(gaps[::2], gaps[1::2], gaps[2::2], strict=False):
            behind[role].append(WORD.findall(following))
            before[role].append(gap[::-1])
    known = {"user": behind["usr"], "assistant": behind["ast"]}
    ends = {role: _common(rows) for role, rows in known.items()}
    begin = _beginning(*(_common_end(before[role]) for role in ("usr", "ast")))
    return RoleWords(ends, begin, frozenset(apart - same))


def _common(rows: list[list[str]]) -> tuple[str, ...]:
    """Return the words that all rows have, in the order of the first row."""
    first, *rest = rows or [[]]
    return tuple(word for word in dict.fromkeys(first) if all(word in row for row in rest))


def _common_end(texts: list[str]) -> str:
    """Return the end that reversed texts share, without white space around it."""
    return os.path.commonprefix(texts)[::-1].strip()  # noqa: RUF071 - of texts, not of paths


def _beginning(whole: str, other: str) -> str:
    """Return the last word or line of what stands before users, if not also before assistants."""
    words = list(WORD.finditer(whole))
    last = whole[words[-1].start() :] if words else whole.rpartition("\n")[2]
    return next((one for one in (last, whole) if not other.endswith(one)), "")


def mistaken(chat: Chat) -> tuple[str, str, Conversation] | None:
    """Return a role whose messages begin like the other role's, and the words; None if apart.

    Users and assistants speak in turns, and the same text stands before both. It has to be more
    than the tokens with which any text begins or ends.
    """
    m = Marks()
    one = Conversation((m.user(), m.assistant(), m.user()), chat.needed)
    gaps = SPOKEN.split(chat.text(one) or "")[::2]
    if len(gaps) != 4:
        return None
    words, others = (
        gap.replace(chat.begin or "\n", "").replace(chat.end or "\n", "").strip()
        for gap in gaps[1:3]
    )
    if words != others or not any(map(str.isalnum, words)):
        return None
    first = gaps[0].strip().rpartition("\n")[2].removeprefix(chat.begin)
    role = "assistant" if first and gaps[1].strip().endswith(first) else "user"
    return role, words, one


def begun_as_others(chat: Chat, turns: Turns) -> Iterator[tuple[str, str, str, Conversation]]:
    """Yield roles whose turn begins as one of another role, with that role and its words.

    A result may begin as the assistant's turn, and a system's as that of a user: each in a turn of
    its own, while those of users and of assistants begin otherwise.
    """
    m = Marks()
    plain = Conversation((m.user(), m.assistant(), m.user()), chat.needed)
    known = _beginnings(chat, turns, plain)
    if len(known) != 3 or not all(known) or known[0] != known[2] or known[0] == known[1]:
        return
    options = chat.needed if chat.gets_no_tools else {**chat.needed, "tools": [m.tool()]}
    called = Conversation((m.user(), m.calls(m.call()), m.result(), m.assistant()), options)
    for role, other, place, one in (
        ("tool", "assistant", 1, called),
        ("system", "user", 0, Conversation((m.system(), m.user()), chat.needed)),
    ):
        found = _beginnings(chat, turns, one)
        number = next(n for n, row in enumerate(one.messages) if row["role"] == role)
        behind = found[number + 1] if len(found) > number + 1 else ""
        if behind and found[number] == known[place]:
            yield role, other, found[number], one


def _beginnings(chat: Chat, turns: Turns, one: Conversation) -> list[str]:
    """Return the words with which the turn of each message begins; "" if it begins no turn.

    They are an opener and the name of a role behind it.
    """
    text, begin, rows = chat.text(one) or "", 0, []
    for number in range(len(one.messages)):
        fields = [each for each in fields_of(one.messages, {}) if each.path[0] == number]
        places = [text.find(each.mark, begin) for each in fields]
        places = [place for place in places if place >= 0]
        if not places:
            return []
        words = list(WORD.finditer(text, begin, min(places)))
        last = next((word for word in reversed(words) if word.group() in turns.openers), None)
        rows.append(
            "" if last is None else _opening(text[last.start() : min(places)], last.group())
        )
        begin = max(places)
    return rows


def _opening(text: str, word: str) -> str:
    """Return an opener and the name of a role behind it, of a text that begins with the opener."""
    return word + NAMED.split(text[len(word) :], maxsplit=1)[0]


def unmarked(words: RoleWords, one: Conversation, text: str) -> Unmarked | None:
    """Return the first message of a rendering that lacks a word of its role; None if none does."""
    rows = [(text.find(each.mark), each) for each in fields_of(one.messages, {})]
    shown = sorted((row for row in rows if row[0] >= 0), key=lambda row: row[0])
    roles = [str(message.get("role")) for message in one.messages]
    for before, after in pairwise([None, *shown, None]):
        start = 0 if before is None else before[0] + len(before[1].mark)
        gap = text[start : len(text) if after is None else after[0]]
        first, second = (None if row is None else row[1] for row in (before, after))
        if first is not None and second is not None and first.path[0] == second.path[0]:
            continue
        if (found := _of_end(words, roles, first, second, gap)) is not None:
            return found
        role = "" if second is None else roles[second.path[0]]
        is_joined = first is not None and roles[first.path[0]] in BEFORE_USERS
        if second is not None and role == "user" and not is_joined and words.begin not in gap:
            return Unmarked("does not begin", second, words.begin)
    return None


def _of_end(
    words: RoleWords, roles: list[str], first: Field | None, second: Field | None, gap: str
) -> Unmarked | None:
    """Return whether a message does not end as those of its role do, before the next text."""
    known = () if first is None else words.ends.get(roles[first.path[0]], ())
    if first is None or not known:
        return None
    if words.begin in known and words.begin not in gap and WORD.search(gap):
        return None  # a message ends with the word of the role that follows, which is another one
    if second is not None and roles[first.path[0]] == roles[second.path[0]]:
        known = tuple(word for word in known if word not in words.of_sides)
    last = len(roles) if second is None else second.path[0]
    # A message between them may have no text, and one that was sent before may be moved behind.
    most = last - first.path[0] if last > first.path[0] else len(roles)
    if known and all(word not in gap for word in known):
        return Unmarked("does not end", first, known[0])
    if known and all(gap.count(word) > most for word in known):
        return Unmarked("ends more than once", first, known[0])
    return None
