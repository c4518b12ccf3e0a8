"""Pairs of tags in which a template writes a call, a result, thoughts or the definitions of tools.

``<tool_call>`` ends with ``</tool_call>``, ``[TOOL_RESULTS]`` with ``[/TOOL_RESULTS]``,
``<|tool_call_begin|>`` with ``<|tool_call_end|>``, and ``<|channel>`` with ``<channel|>``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from tokharness.conversations.shapes import MARKS, fields_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.conversations.chat import Chat, Conversation

TAG = re.compile(
    r"<\|?(?P<slash>/?)\|?(?P<name>[A-Za-z_][\w:.\u2581-]*)(?:[=\s][^<>\n|]*)?\|?>"
    r"|<\uff5c(?P<wide>[^<>\uff5c\s]{1,48})\uff5c>"
    r"|\[(?P<end>/?)(?P<upper>[A-Z][A-Z_]{2,32})\]"
)
"""A tag; one with attributes, such as ``<function=look_up>``, has the name before them."""

WORDS = "words"
"""The kind of pairs whose names say in a word which tag opens."""

SIDES = {"begin": 1, "start": 1, "end": -1}
"""Words in the name of a tag that say whether it opens (1) or closes (-1)."""

USUAL = re.compile(
    r"[<|\uff5c] \w+ (?:think(?:ing)?|thoughts?|reasoning|tools?|available_tools|function|parameter"
    r"|arg_key|arg_value|outputs?|results?|arguments?"
    r"|(?:tool|function)s?_(?:calls?|responses?|results?|outputs?|list)(?:_section)?)"
    r"|\[ slash (?:think|inst|available_tools|tool_results|system_prompt)"
)
"""Names of tags that have an end in all formats that pair tags."""

ASKING = ("user", "tool")
"""Roles whose messages an answer follows."""

OF_ROLES = ("tool", "function")
"""Names that are also those of a role, as in ``<|tool|>``."""

OF_TURNS = re.compile(
    "|s|im|.*(?:turn|role|header|user|assistant|system|developer|sentence|text|media|vision).*"
)
"""Names of pairs that stand around a whole turn or an image, or that no turn has to close."""

OF_SPEAKERS = re.compile("user|human|assistant|question|answer")
"""Names of tags of XML with which turns begin."""

PROSE = re.compile(r"(?<=[a-z,] )<\|?/?[\w:.-]+\|?>(?= [a-z]|[.,;:](?:\s|<|$))")
"""A tag in a sentence."""

THOUGHTS = re.compile("think|reason|thought")
"""In the name of a tag whose beginning may stand in a prompt, and not in the history."""


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag of a text: its pair, whether it opens (1) or closes it (-1), its word, and its place.

    ``name`` is that of the pair, with the style of its brackets.
    """

    name: tuple[str, str]
    side: int
    word: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Unpaired:
    """A tag without its counterpart: what the tag lacks, its word, and its place.

    ``name`` is the word without attributes, which are those of one call.
    """

    what: str
    word: str
    place: int

    @property
    def name(self) -> str:
        """The word without attributes."""
        return re.sub(r"[=\s][^<>]*(?=>)", "", self.word)


def tags_of(text: str) -> list[Tag]:
    """Return the tags of a text, those of no pair among them."""
    rows = ((found, _named(found.group())) for found in TAG.finditer(text))
    return [Tag(*named, *found.span()) for found, named in rows if named is not None]


@lru_cache(1 << 12)
def _named(word: str) -> tuple[tuple[str, str], int, str] | None:
    """Return the pair of a tag, whether it opens or closes it, and its word; None if it has none.

    A template has few tags, and writes each of them often.
    """
    found = TAG.fullmatch(word)
    if found is None or word.endswith("/>"):
        return None
    upper, wide = found["upper"], found["wide"]
    style = "[" if upper else "\uff5c" if wide else "|" if "|" in word else "<"
    style = "<|" if word.count("|") == 1 else style
    name = (upper or wide or found["name"]).replace("\u2581", "_").casefold()
    words = name.split("_")
    sides = [SIDES[one] for one in words if one in SIDES]
    if found["slash"] or found["end"] or (word[1] != "|" and word[-2:] == "|>" and not wide):
        side = -1
    elif (word[:2] == "<|" and word[-2:] != "|>") or not sides:
        side = 1
    else:
        side = sides[0]
    stem = "_".join(one for one in words if one not in (*SIDES, "of"))
    kind = WORDS if sides else "slash"
    return (f"{style} {kind}", stem), side, word


@lru_cache(maxsize=1)
def pairs_of(chat: Chat) -> frozenset[tuple[str, str]]:
    """Return the names of pairs whose both tags the template writes, or whose name is usual.

    A usual name counts if there is another pair in its style, or if it is a tag of XML that is no
    role's; none does where turns begin with tags of XML that nothing closes, as in a format in
    which no tag is closed.
    """
    rows = [one for text, _ in (chat.facts or {}).get("texts", ()) for one in tags_of(text)]
    rows += [tag for _, one, text in chat.standard if not _has_tags(one) for tag in tags_of(text)]
    opened = {one.name for one in rows if one.side > 0}
    closed = {one.name for one in rows if one.side < 0}
    found = {
        (style, name)
        for style, name in opened & closed
        if not OF_TURNS.fullmatch(name) and not (style == "| slash" and name in OF_ROLES)
    }
    paired = {style for style, _ in found}
    if any(style == "< slash" and OF_SPEAKERS.fullmatch(name) for style, name in opened - closed):
        return frozenset(found)
    found |= {
        (style, name)
        for style, name in opened | closed
        if USUAL.fullmatch(f"{style} {name}")
        and style not in ("| slash", "<| slash")
        and (style in paired or (style == "< slash" and name not in OF_ROLES))
    }
    return frozenset(found)


def _has_tags(one: Conversation) -> bool:
    """Whether a message of a conversation has tags of its own."""
    return any("<think>" in str(message.get("content")) for message in one.messages)


def unpaired(chat: Chat, one: Conversation, ignored: frozenset[str]) -> Iterator[Unpaired]:
    """Yield tags without counterpart that a template writes behind the first user's text.

    What stands before it may have sentences about tags; a tag there counts if it stands right
    before the definitions of tools. A conversation ends with an answer, or with a user or a
    result and the prompt for an answer.
    """
    ends = one.messages[-1]
    text = chat.text(one, prompt=ends.get("role") in ASKING)
    if text is None or ends.get("role") not in (*ASKING, "assistant") or ends.get("tool_calls"):
        return
    if _has_tags(one):
        return
    pairs = pairs_of(chat)
    found = tags_of(text)
    pairs -= {tag.name for tag in found if tag.word in ignored}
    prose = {
        tag.start()
        for tag in PROSE.finditer(text)
        if not MARKS.match(text, tag.end() + 1) and text[tag.start() - 3 : tag.start() - 1] != "xk"
    }
    tags = [tag for tag in found if tag.name in pairs and tag.start not in prose]
    marks = [(found.start(), found.group()[5:8] or "rsn") for found in MARKS.finditer(text)]
    start = _end_of_first_user(one, text)
    yield from _unpaired(tags, marks, (start, len(text)))
    definitions = [text.find(f.mark) for f in fields_of([], one.options)]
    yield from _of_definitions(text, tags, [place for place in definitions if place >= 0])


def _end_of_first_user(one: Conversation, text: str) -> int:
    """Return where the first text of a user ends, and what a system or tools say before it."""
    number = next((n for n, row in enumerate(one.messages) if row.get("role") == "user"), None)
    if number is None:
        return len(text)
    ends = [
        text.find(each.mark) + len(each.mark)
        for each in fields_of(one.messages, one.options)
        if each.mark in text and (not isinstance(each.path[0], int) or each.path[0] <= number)
    ]
    return max(ends, default=len(text))


def _unpaired(
    tags: list[Tag], marks: list[tuple[int, str]], span: tuple[int, int]
) -> Iterator[Unpaired]:
    """Yield tags without counterpart behind a place, if a text stands behind them.

    Behind a tag of thoughts it has to be a thought, as a template may leave them to the model, or
    an answer and what a user says then, which all are thoughts without the end of the tag.
    """
    opened: dict[tuple[str, str], list[Tag]] = {}
    places: dict[tuple[str, str], int] = {}  # ends of the last tags, as tags may be nested
    start, whole = span

    def has_text(tag: Tag, end: int) -> bool:
        kinds = [kind for place, kind in marks if places[tag.name] <= place < end]
        if not THOUGHTS.search(tag.name[1]):
            return bool(kinds)
        return "rsn" in kinds or ("ast" in kinds and "usr" in kinds[kinds.index("ast") :])

    for tag in (one for one in tags if one.start >= start):
        is_known = tag.name in opened
        before = opened.setdefault(tag.name, [])
        if tag.side > 0:
            if before and has_text(before[-1], tag.start):
                left = before.pop()
                yield Unpaired("is not closed", left.word, left.start)
            before.append(tag)
        elif before:
            before.pop()
        elif is_known and not THOUGHTS.search(tag.name[1]):
            yield Unpaired("is closed, and was not opened", tag.word, tag.start)
        places[tag.name] = tag.end
    for rows in opened.values():
        if rows and has_text(rows[-1], whole):
            yield Unpaired("is not closed", rows[-1].word, rows[-1].start)


def _of_definitions(text: str, tags: list[Tag], definitions: list[int]) -> Iterator[Unpaired]:
    """Yield the tag right before the definitions of tools that is not closed behind them."""
    if not definitions:
        return
    first, last = min(definitions), max(definitions)
    for number, tag in enumerate(tags):
        between = text[tag.end : first]
        is_before = tag.side > 0 and tag.end <= first and between.lstrip()[:1] in ("{", "[")
        if not is_before or any(one.end <= first for one in tags[number + 1 :]):
            continue
        following = next((one for one in tags if one.start > last and one.name == tag.name), None)
        if following is None or following.side > 0:
            yield Unpaired("is not closed", tag.word, tag.start)
