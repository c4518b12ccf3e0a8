"""The marks of turns, found from the template itself.

A template says where a turn begins and ends, in words of its own, such as ``<|im_start|>`` and
``<|im_end|>``. They are words in brackets that alternate in every rendering of plain messages: an
opener, a message, a closer. The opener is the same for all turns, or each role has its own. In a
template whose turns have only one word, such as ``<|User|>``, nothing alternates.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise, product
from typing import TYPE_CHECKING

from tokharness.conversations.chat import Conversation
from tokharness.conversations.shapes import Marks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.conversations.chat import Chat

WORD = re.compile(
    r"</?[^<>\s]{1,48}(?: [\w-]+=\"[^\"<>\n]{0,48}\")*>|\[/?[A-Z_ ]{1,32}\]"
    r"|\[\|[^\[\]|\s]{1,48}\|\]"
    r"|<\uff5c[^<>\uff5c]{1,48}\uff5c>|[\[\]](?:~[a-z!]{1,8}|[a-z!]{1,8}~)[\[\]]"
)
"""A word of a template in brackets."""

MARK = re.compile(r"qz\d{3}[a-z]{3}xk")
WORD_OR_MARK = re.compile(f"{WORD.pattern}|{MARK.pattern}")

SAID = re.compile(r"qz\d{3}(?:usr|ast|res)xk")
WORD_OR_SAID = re.compile(f"{WORD.pattern}|{SAID.pattern}")
"""A word, or the mark of a text of a user, an assistant or a tool."""

LONGEST = 3
"""Most messages of the plain conversations that the pairs are learned from."""


@dataclass(frozen=True, slots=True)
class Turns:
    """The words that open and that close a turn, and others with which turns end.

    ``is_strict`` says whether every turn begins with an opener, so that a closer without an opener
    is a fault too.
    """

    openers: frozenset[str]
    closers: frozenset[str]
    ends: frozenset[str]
    is_strict: bool

    def fault(self, text: str) -> tuple[str, int] | None:
        """Return what is wrong with the turns of a text, and where; None if they balance."""
        last: re.Match[str] | None = None
        is_open = False
        for word in WORD_OR_SAID.finditer(text):
            if SAID.fullmatch(word.group()):
                if not is_open and self.is_strict:
                    return "a text stands outside of all turns", word.start()
                continue
            if word.group() in self.openers:
                if is_open and not self._ends(last, word, text):
                    return "a turn begins before the last one is closed", word.start()
                is_open = True
            elif word.group() in self.closers:
                if not is_open and self.is_strict:
                    return "a turn is closed that is not open", word.start()
                is_open = False
            last = word
        return None

    def _ends(self, last: re.Match[str] | None, word: re.Match[str], text: str) -> bool:
        """Whether the word before an opener is another one with which turns end."""
        if last is None or last.group() not in self.ends:
            return False
        return not text[last.end() : word.start()].strip()


@lru_cache(maxsize=1)
def turns_of(chat: Chat) -> Turns | None:
    """Return the words of turns of a template; None if it has none that alternate."""
    if (turns := _turns_in(chat, list(plain_texts(chat)))) is not None:
        return turns
    turns = _turns_in(chat, _texts_with_system(chat))
    return None if turns is None else replace(turns, is_strict=False)  # for one fault one finding


def _texts_with_system(chat: Chat) -> list[str]:
    """Return renderings behind a system message, where a fault of the first message is not."""
    m = Marks()
    said = (m.user(), m.assistant(), m.user(), m.assistant())
    rows = [Conversation((m.system(), *said[:size]), chat.needed) for size in range(1, 5)]
    return [text for text in chat.texts(rows) if text is not None]


def _turns_in(chat: Chat, texts: Sequence[str]) -> Turns | None:
    """Return the words of turns that alternate in some renderings."""
    begins, after = _around_marks(texts)
    words = dict.fromkeys(word for text in texts for word in WORD.findall(text))
    alone = [frozenset({word}) for word in words]
    openings = [*alone, begins | _of_other_roles(chat, begins)]
    pairs = [(one, after - one) for one in openings]
    marked = [(text, len(MARK.findall(text))) for text in texts]
    each = [one for one in alone if all(text.count(min(one)) >= n for text, n in marked)]
    pairs += [(one, other) for one in each for other in each if one != other]
    pairs = [(openers, closers) for openers, closers in pairs if openers and closers]
    pairs.sort(key=lambda pair: chat.begin in pair[0] | pair[1])  # which is rarely a word of turns
    for is_cut, (openers, closers) in product((False, True), pairs):
        known = [_without_closed(openers, closers, text) for text in texts] if is_cut else texts
        known = _without_prompts(openers, closers, known)
        if all(_alternate(openers, closers, text) for text in known):
            ends = _other_ends(chat, openers, closers)
            return Turns(openers, closers, ends, is_strict=len(openers) == 1)
    return None


def never_closed(chat: Chat) -> tuple[str, str] | None:
    """Return the last opener and the closer of a user's turn, if no turn of an assistant is closed.

    None if it is, or if the assistant's turns have openers of their own. An attribute with the name
    of the role, as in ``<turn role="user">``, makes none.
    """
    m = Marks()
    one = Conversation((m.user(), m.assistant(), m.user()), chat.needed)
    first, *between = [WORD.findall(part) for part in MARK.split(chat.text(one) or "")[:3]]
    if len(between) < 2 or not first or not all(between):
        return None
    of_assistant, opened = between
    begins = [word.replace('"assistant"', '"user"') for word in of_assistant[1:]]
    if begins == opened == first[-len(opened) :]:
        return opened[-1], of_assistant[0]
    return None


LAST_ANSWER, LAST_ONE = "the last answer", "the last one"
OF_SYSTEM = re.compile(r"[<\[]/|.*sys", re.IGNORECASE)
"""The end of a tag, or a word with the name of the role: messages of others end otherwise."""


def unended(chat: Chat) -> tuple[str, str, str] | None:
    """Return the word that answers lack, which answers, and what it ends; None if all have it.

    It is the first word between an answer and what stands before each user. Where it is the end
    token behind calls alone, or a word behind a system message alone, no answer has it.
    """
    m = Marks()
    one = Conversation((m.user(), m.assistant(), m.user()), chat.needed)
    gaps = MARK.split(chat.text(one) or "")
    last = MARK.split(chat.text(one.first(2)) or "")
    if len(gaps) != 4 or len(last) != 3:
        return None
    begins = len(os.path.commonprefix([gaps[0][::-1], gaps[2][::-1]]))  # noqa: RUF071 - of texts
    cut = len(gaps[2]) - begins
    ends = [word.group() for word in WORD.finditer(gaps[2]) if word.start() < cut]
    if ends and not WORD.search(last[2]):
        return ends[0], LAST_ANSWER, "answers before it"
    if (word := _end_of_last(chat, gaps, last[2])) and not gaps[2][:cut].strip():
        return word, "answers before the last one", LAST_ONE
    if not ends and (end := _end_of_all(chat, gaps)) and end not in last[2]:
        return end, LAST_ANSWER, "answers before it"
    options = chat.needed if chat.gets_no_tools else {**chat.needed, "tools": [m.tool()]}
    called = (m.user(), m.calls(m.call()), m.result(), m.assistant())
    parts = MARK.split(chat.text(Conversation(called, options)) or "")
    behind = parts[-3] if len(parts) > 3 else ""
    is_of_calls = bool(chat.end) and chat.end in behind and not ends
    if is_of_calls and chat.end not in gaps[2] + last[2]:
        return chat.end, "answers", "calls of tools"
    end = _end_of_system(chat, gaps[2])
    return (end, "answers", "system messages") if end and not ends and end not in last[2] else None


def _end_of_last(chat: Chat, gaps: Sequence[str], behind: str) -> str:
    """Return the word with which the last answer alone ends, if nothing ends those before it.

    It is none that stands behind a user, too, as the frame of a whole conversation does.
    """
    word, *_ = (*WORD.findall(behind), "")
    m = Marks()
    asked = chat.text(Conversation((m.user(),), chat.needed)) or ""
    known, after_user = WORD.findall(gaps[2]), WORD.findall(gaps[1])
    turns = turns_of(chat)
    is_closed = turns is not None and not turns.closers.isdisjoint(known)
    is_closed = is_closed or (len(known) > 1 and known[0] in after_user[:1])
    framed = WORD.findall(asked.rpartition(m.last)[2])
    return "" if is_closed or word in known + after_user + framed else word


def _end_of_all(chat: Chat, gaps: Sequence[str]) -> str:
    """Return the word with which turns of all roles end, also a system block that is always there.

    It stands behind a user and an answer, and not before the text of a system; "" without one.
    """
    m = Marks()
    before = MARK.split(chat.text(Conversation((m.system(), m.user()), chat.needed)) or "")
    word, *_ = (*WORD.findall(gaps[2]), "")
    shared = len(before) == 3 and word in WORD.findall(gaps[1])
    return word if shared and word not in WORD.findall(before[0]) else ""


def _end_of_system(chat: Chat, gap: str) -> str:
    """Return the word between a system message and what stands before each user; "" without one."""
    m = Marks()
    gaps = MARK.split(chat.text(Conversation((m.system(), m.user()), chat.needed)) or "")
    before = gap.lstrip()
    if len(gaps) != 3 or not before or not gaps[1].endswith(before):
        return ""
    words = WORD.findall(gaps[1].removesuffix(before))
    return words[0] if words and not OF_SYSTEM.match(words[0]) else ""


def _without_prompts(
    openers: frozenset[str], closers: frozenset[str], texts: Sequence[str]
) -> list[str]:
    """Return texts without the prompt for an answer, which some templates always write.

    It is what stands before answers, or begins so: from an opener to a message.
    """
    beginnings: set[str] = set()
    ends: list[int] = []
    for text in texts:
        start = -1
        for found in WORD_OR_MARK.finditer(text):
            if found.group() in openers | closers:
                start = found.start() if found.group() in openers else -1
            elif start >= 0 and MARK.fullmatch(found.group()):
                beginnings.add(text[start : found.start()].strip())
                start = -1
        ends.append(start)
    return [
        text[:end]
        if end >= 0 and any(one.startswith(text[end:].strip()) for one in beginnings)
        else text
        for text, end in zip(texts, ends, strict=True)
    ]


def _without_closed(openers: frozenset[str], closers: frozenset[str], text: str) -> str:
    """Return a text without the end of a turn that nothing has begun, before the first turn."""
    words = list(WORD_OR_MARK.finditer(text))
    place = next((word.start() for word in words if word.group() in openers), 0)
    before = [word.group() for word in words if word.start() < place]
    is_blank = not WORD.sub("", text[:place]).strip()
    return text[place:] if is_blank and before and before[-1] in closers else text


def _of_other_roles(chat: Chat, openers: frozenset[str]) -> frozenset[str]:
    """Return the openers of other roles, which differ in the name of the role.

    Those with a slashed twin, such as ``<|/tool|>``, are no openers of turns.
    """
    text = "".join(text for _, _, text in chat.standard)
    named = {
        word.replace(role, other)
        for word in openers
        for role in ("user", "assistant")
        if role in word
        for other in ("system", "developer", "tool", "function")
    }
    return frozenset(
        word
        for word in named
        if word in text and all(f"{word[:n]}/{word[n:]}" not in text for n in (1, 2))
    )


def plain_texts(chat: Chat) -> Iterator[str]:
    """Yield the renderings of all orders of up to three messages of users and assistants."""
    rows = []
    for size in range(1, LONGEST + 1):
        for roles in product(("user", "assistant"), repeat=size):
            if any(one == other == "assistant" for one, other in pairwise(roles)):
                continue
            m = Marks()
            messages = tuple(m.user() if role == "user" else m.assistant() for role in roles)
            rows.append(Conversation(messages, chat.needed))
    yield from (text for text in chat.texts(rows) if text is not None)


def _around_marks(texts: Sequence[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words that may begin a turn, and the words next behind a mark.

    The first word behind a mark ends its turn, and the second one begins the next turn.
    """
    begins: set[str] = set()
    after: set[str] = set()
    for text in texts:
        rows = [WORD.findall(part) for part in MARK.split(text)[1:]]
        after.update(words[0] for words in rows if words)
        begins.update(words[1] for words in rows[:-1] if len(words) > 1)
    return frozenset(begins), frozenset(after)


def _alternate(openers: frozenset[str], closers: frozenset[str], text: str) -> bool:
    """Whether openers and closers alternate, with each message between two of them."""
    is_open = False
    inside = 0
    for found in WORD_OR_MARK.finditer(text):
        word = found.group()
        if (word in openers and is_open) or (word in closers and not is_open):
            return False
        is_open = (is_open or word in openers) and word not in closers
        if MARK.fullmatch(word):
            if not is_open:
                return False
            inside += 1
    return inside > 0 and not is_open


def _other_ends(chat: Chat, openers: frozenset[str], closers: frozenset[str]) -> frozenset[str]:
    """Return the words that nothing but an opener follows, or the end, in every rendering.

    Some templates end a turn otherwise where the assistant calls a tool.
    """
    ends: set[str] = set()
    inside: set[str] = set()
    for _, _, text in chat.standard:
        is_before = True  # the first turn
        for word, following in pairwise([*WORD.finditer(text), None]):
            if word is None or word.group() in openers | closers or is_before:
                is_before = is_before and (word is None or word.group() not in openers)
                continue
            gap = text[word.end() : following.start() if following else len(text)]
            is_end = (following is None or following.group() in openers) and not gap.strip()
            (ends if is_end else inside).add(word.group())
    return frozenset(ends - inside)
