"""What a template changes of a content: white space, characters, and texts in which a word decides.

A text around a mark, a *probe*, stands in the place of the content of each role. What the rendering
has there says what was changed.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokharness.conversations.chat import Conversation, Problem, asked
from tokharness.conversations.content_words import branches, branches_of_name, forms
from tokharness.conversations.excerpts import differing
from tokharness.conversations.serve import NOT_TRIED
from tokharness.conversations.shapes import Marks, fields_of, filled
from tokharness.conversations.tags import THOUGHTS
from tokharness.conversations.turns import WORD
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from tokharness.conversations.chat import Chat
    from tokharness.conversations.content_words import Branch
    from tokharness.conversations.shapes import Field

SAID = ("user content", "tool result")
"""Texts that the model has to see, as no other message repeats them."""

SPOKEN = (*SAID, "system content", "developer content", "assistant content")
"""The contents of messages."""

CUT, WITH = "a text is cut that has", "a text with "
READ = "the syntax of Jinja is dropped"


@dataclass(frozen=True, slots=True)
class Probe:
    """A text around a mark, and what is said of it if it is not in the rendering as it is.

    ``dropped`` is said if ``sign`` is gone and nothing else stands in its place; if ``sign`` is "",
    whatever was changed.
    """

    before: str
    after: str
    subject: str
    dropped: str = "is dropped"
    sign: str = ""
    is_text: bool = True

    def of(self, mark: str) -> str:
        """Return the text around a mark."""
        return f"{self.before}{mark}{self.after}"

    def change(self, given: str, mark: str) -> str:
        """Return what became of the text around the mark."""
        wanted = self.of(mark)
        if mark not in given.lower():
            return f"{CUT} {self.subject.removeprefix(WITH)}"
        if Counter(_ESCAPE.findall(given)) - Counter(_ESCAPE.findall(wanted)):
            return f"{self.subject} is escaped"
        is_gone = self.sign not in given and (self is LONG or _is_left_of(given, wanted))
        return f"{self.subject} {self.dropped if is_gone or not self.sign else 'is changed'}"


def _is_left_of(given: str, wanted: str) -> bool:
    """Whether a text is what is left of another one if characters are deleted."""
    rest = iter(wanted)
    return all(char in rest for char in given)


_ESCAPE = re.compile(r"\\[\\\"'nrxu]|&(?:\w+|#\w+);|%[0-9A-F]{2}")

_AROUND = (
    Probe("  ", "", "white space before it", "is stripped", is_text=False),
    Probe("", "  ", "white space after it", "is stripped", is_text=False),
)
_LINES = (
    Probe("\n", "", "a line feed before it", "is stripped", is_text=False),
    Probe("", "\n", "a line feed after it", "is stripped", is_text=False),
)
"""What stands at the ends of a content; each is tried alone, as one hides the other."""

CASE = Probe("ABC\u0130", "", "the case of letters", sign="bc")
BEYOND = Probe("\u00e9\u4e2d\U0001f600", "x", "a character beyond ASCII", sign="\u4e2d")
_WITHIN = (
    Probe("x\r\n", "\ry", "a line end of Windows", sign="\r"),
    Probe("x\n\n\n   \t", "  y", "white space inside", sign="   ", is_text=False),
    CASE,
    Probe("<b>&amp;'", "'</b>", "a character of HTML", sign="b"),
    Probe('"\\"', '"\\n', "a quote or a backslash", sign='"'),
    Probe("\\", "\\n", "a backslash", sign="\\"),
    BEYOND,
    Probe("e\u0301\u212b\ufb01", "x", "a character with another normal form", sign="x"),
    Probe("x\u200b\u200d\ufeff\u00ad", "y", "an invisible character", sign="\u200b"),
    Probe("x\u202e\u2066", "\u2069\u202cy", "a bidirectional control", sign="\u202e"),
    Probe("x\U000e0041\ufe0f", "y", "a tag or a variation selector", sign="\U000e0041"),
    Probe("x\u2028\u0085\x0c", "y", "a line end of Unicode", sign="\u2028"),
    Probe("x\x00\x1b", "y", "a control character", sign="\x00"),
    Probe("x\ud800", "y", "a lone surrogate", sign="\ud800"),
    Probe("{0} {x.y}", " %s %d 5%", "a format of Python", sign="%"),
    Probe("before</think>", "", f"{WITH}</think>", "loses what is before it", "before"),
    Probe("", "<think>after", f"{WITH}<think>", "loses what is behind it", "after"),
    Probe("{{ 1 }}{% if 1 %}", "{# a #}", "the syntax of Jinja", sign="{{ 1 }}"),
)
"""What stands inside of a content, from the kinds of text that the families have."""

SHORT = Probe("", "", "a short text", "is padded with white space", is_text=False)
PADDED = f"{SHORT.subject} {SHORT.dropped}"

CONTROL = "a control word of the template"
MOST_WORDS = 4

LONG = Probe("", " word" * 800 + " end", "a text of 4,000 characters", "is cut", sign=" end")

GENERAL = {
    "a line feed before it": "white space before it",
    "a line feed after it": "white space after it",
    f"{WITH}</think>": "a character of HTML",
    f"{WITH}<think>": "a character of HTML",
    "a quote or a backslash": "a backslash",
}
"""A change that another one explains: it is of the same characters."""

_MARKS = (Probe("...(", ")!.", "punctuation around it", "is stripped"),)

GROUPS = (_AROUND, _LINES, _MARKS, _WITHIN, (LONG,))
"""The probes; the texts of a group are first tried together."""


def content_changes(chat: Chat) -> Iterator[Problem]:
    """Yield what is changed of the content of each role, in a conversation of all of them."""
    m = Marks()
    tools = {"tools": [m.tool()]}
    plain = (m.system(), m.user(), m.assistant(), m.user(), m.assistant())
    said = m.calls(m.call(), content=m.new("ast"))
    calling = (m.user(), said, m.result(), m.assistant())
    for messages, options in (
        (plain, chat.needed),
        (plain[1:], chat.needed),
        (calling, chat.needed if chat.gets_no_tools else {**chat.needed, **tools}),
    ):
        one = Conversation(messages, options)
        text = chat.text(one)
        if text is None:
            continue
        fields = _spoken(one, text)
        yield from _quoted(one, fields, text)
        yield from _changes_of(chat, one, fields, text)
        yield from _branches(chat, one, fields, text)
    for options in (chat.needed, chat.needed if chat.gets_no_tools else {**chat.needed, **tools}):
        one = asked(Conversation(plain[1:4], options), prompt=True)
        if (text := chat.text(one)) is not None:
            fields = _spoken(one, text)
            yield from _branches(chat, one, fields, text)


def _spoken(one: Conversation, text: str) -> list[Field]:
    fields = fields_of(one.messages, one.options)
    return [field for field in fields if field.what in SPOKEN and field.mark in text]


def _quoted(one: Conversation, fields: Sequence[Field], text: str) -> Iterator[Problem]:
    """Yield a problem for each content that is written as a text of JSON."""
    for field in fields:
        if f'"{field.mark}"' in text:
            cause = cause_of_change(field.what, CASE, "quotes are put around it")
            yield Problem(cause, one, {}, ("changes",))


def _branches(
    chat: Chat, one: Conversation, fields: Sequence[Field], text: str
) -> Iterator[Problem]:
    """Yield fields and names of tools in which a word changes what the template writes."""
    found: dict[str, list[Branch]] = {}
    for branch in (*branches(chat, one, fields, text), *branches_of_name(chat, one, text)):
        found.setdefault(branch.what, []).append(branch)
    for what, rows in found.items():
        words = dict.fromkeys(row.word for row in rows)
        message = f"a word of the {what} changes what the template writes, such as {rows[0].word!r}"
        cause = Cause("word of a content", (("of", what),), Verdict.RISK, message)
        evidence = {"words": list(words), **differing(rows[0].given, rows[0].wanted)}
        yield Problem(cause, rows[0].conversation, evidence, ("changes",))


_Try = tuple["Field", Probe, Conversation]


def _changes_of(
    chat: Chat, one: Conversation, fields: Sequence[Field], plain: str
) -> Iterator[Problem]:
    """Yield the changes of contents; the texts of a group are first tried together."""
    groups = (*GROUPS, _of_words(plain))
    together = _tries(one, [(field, _joined(group)) for field in fields for group in groups])
    order = [(field, group) for field in fields for group in groups]
    texts = chat.texts([conversation for _, _, conversation in together])
    apart = _tries(
        one,
        [
            (field, probe)
            for (field, group), (_, joined, _), text in zip(order, together, texts, strict=True)
            if text is None or _given(text, field.mark, plain, joined) != joined.of(field.mark)
            for probe in group
        ],
    )
    texts = chat.texts([conversation for _, _, conversation in apart])
    for (field, probe, _), text in zip(apart, texts, strict=True):
        if text is None:
            yield from _failure(chat, one, field, probe)
    for field in fields:
        if _is_padded(chat, one, field.mark, plain):
            yield Problem(cause_of_change(field.what, SHORT, PADDED), one, {}, ("changes",))
        changed = [
            (probe, conversation, given)
            for (of, probe, conversation), text in zip(apart, texts, strict=True)
            if of is field and text is not None
            if (given := _given(text, field.mark, plain, probe)) != probe.of(field.mark)
        ]
        yield from _named_changes(chat, one, field, changed)


def _of_words(plain: str) -> tuple[Probe, ...]:
    """Return the probe of words that the template itself writes; none if it has no such words."""
    words = [word for word in dict.fromkeys(WORD.findall(plain)) if not THOUGHTS.search(word)]
    before = "".join(words[:MOST_WORDS])
    return (Probe(before, "x", CONTROL, sign=words[0], is_text=False),) if words else ()


def _is_padded(chat: Chat, one: Conversation, mark: str, plain: str) -> bool:
    """Whether a short text has more white space around it than a long one."""
    long = LONG.of(mark)
    text = chat.text(_with(one, {mark: long})) or ""
    if plain.count(mark) != 1 or text.count(long) != 1:
        return False
    (before, after), (other, rest) = plain.split(mark), text.split(long)
    is_same = before.rstrip() == other.rstrip() and after.lstrip() == rest.lstrip()
    return is_same and len(before + after) > len(other + rest)


def _failure(chat: Chat, one: Conversation, field: Field, probe: Probe) -> Iterator[Problem]:
    """Yield a problem if the template fails for a content, and not for a word in its place."""
    small, mark = _around(one, field)
    if chat.text(small) is None:
        small, mark = one, field.mark
    shown = _with(small, {mark: probe.of(mark)})
    rendered = chat.rendered(shown)
    if not rendered.failure or rendered.failure == NOT_TRIED:
        return
    said = f"of the {field.what}, {probe.subject}"
    message = f"{said} makes the template fail: {rendered.message.replace(mark, '...')[:200]}"
    verdict = Verdict.BUG if field.what in SAID else Verdict.RISK
    verdict = Verdict.FACT if rendered.failure == "refusal" else verdict
    evidence = {"raised": rendered.message or rendered.failure}
    cause = Cause("fails", (("what", said),), verdict, message)
    yield Problem(cause, shown, evidence, ("changes",))


def _tries(one: Conversation, rows: Iterable[tuple[Field, Probe]]) -> list[_Try]:
    return [(field, probe, _with(one, {field.mark: probe.of(field.mark)})) for field, probe in rows]


def _named_changes(
    chat: Chat, one: Conversation, field: Field, changed: Sequence[tuple[Probe, Conversation, str]]
) -> Iterator[Problem]:
    """Yield what became of the texts of one content, less what another change explains."""
    subjects = {probe.subject for probe, _, _ in changed}
    is_ascii = any(probe is BEYOND and given == f"{field.mark}x" for probe, _, given in changed)
    folding = _folding(field.mark, changed)
    small, mark = _around(one, field)
    chat.fetch([small, *(_with(small, {mark: probe.of(mark)}) for probe, _, _ in changed)])
    plain = chat.text(small)
    for probe, conversation, text in changed:
        change = probe.change(text, field.mark)
        is_dropped = change.endswith(probe.dropped)
        if GENERAL.get(probe.subject) in subjects and (not is_dropped or not probe.sign):
            continue
        if is_ascii and probe is not BEYOND and text == _ascii(probe.of(field.mark)):
            continue
        if folding and probe is not CASE and text == folding(probe.of(field.mark)):
            continue
        shown, given, wanted = conversation, text, probe.of(field.mark)
        smaller = _with(small, {mark: probe.of(mark)})
        again = chat.text(smaller)
        if plain is not None and again is not None and mark in plain:
            part = _given(again, mark, plain, probe)
            if part != probe.of(mark) and probe.change(part, mark) == change:
                shown, given, wanted = smaller, part, probe.of(mark)
        cause = cause_of_change(field.what, probe, change)
        evidence = {"given": given[:80], "expected": wanted[:80]}
        yield Problem(cause, shown, evidence, ("changes",))


def _folding(
    mark: str, changed: Sequence[tuple[Probe, Conversation, str]]
) -> Callable[[str], str] | None:
    """Return what makes the case of letters what it became; None if nothing does.

    It changes other texts, too, such as U+212B ANGSTROM SIGN.
    """
    rows = [(given, probe.of(mark)) for probe, _, given in changed if probe is CASE]
    foldings = (str.lower, str.casefold)
    return next((one for one in foldings if any(row[0] == one(row[1]) for row in rows)), None)


def _ascii(text: str) -> str:
    return text.encode("ascii", "ignore").decode("ascii")


def _around(one: Conversation, field: Field) -> tuple[Conversation, str]:
    """Return the message of a field with what has to stand next to it, and its short mark."""
    number = field.path[0]
    message = one.messages[number]
    role = message["role"]
    users = [other for other in one.messages if other["role"] == "user"]
    messages = {"user": (message,), "system": (message, users[0]), "assistant": (users[0], message)}
    chosen = messages.get(role, one.messages[: number + 1])
    marks = dict.fromkeys(each.mark for each in fields_of(chosen, one.options))
    names = {mark: f"text{place}" for place, mark in enumerate(marks, 1)}
    options = filled(dict(one.options), names)
    return Conversation(tuple(filled(list(chosen), names)), options), names[field.mark]


def cause_of_change(what: str, probe: Probe, change: str) -> Cause:
    """Return the cause of a change of a kind of content, with its verdict."""
    is_cut = change.startswith(CUT) or (probe is LONG and change.endswith(probe.dropped))
    is_lost = is_cut or (probe.is_text and change.endswith(probe.dropped))
    verdict = Verdict.RISK if is_lost and what in SAID else Verdict.FACT
    if change == READ or (is_cut and what == "user content" and not probe.subject.startswith(WITH)):
        verdict = Verdict.BUG
    message = f"of the {what}, {change}"
    return Cause("changed", (("what", message),), verdict, message)


def _joined(probes: Sequence[Probe]) -> Probe:
    """Return one probe with the texts of all probes around the mark."""
    before = "".join(probe.before for probe in probes)
    return Probe(before, "".join(probe.after for probe in reversed(probes)), "all")


def _with(one: Conversation, texts: Mapping[str, str]) -> Conversation:
    return Conversation(tuple(filled(list(one.messages), texts)), one.options)


def _given(text: str, mark: str, plain: str, probe: Probe) -> str:
    """Return what stands in the place of a text; ``plain`` is the rendering of the mark alone."""
    wanted = probe.of(mark)
    place = plain.index(mark)
    before, after = plain[:place], plain[place + len(mark) :]
    is_same = text.startswith(before) and text.endswith(after)
    if is_same and len(text) >= len(before) + len(after):
        given = text[len(before) : len(text) - len(after)]
        return wanted if given in forms(wanted) else given
    if any(form in text for form in forms(wanted)):
        return wanted
    found = text.find(mark)
    start = max(found - len(probe.before), 0)
    return text[start : found + len(mark) + len(probe.after)] if found >= 0 else ""
