"""A turn begins before the last one is closed, or one is closed that is not open.

Why it matters: a model reads two fused turns as one. A user message that follows a tool result may
then be part of the result, and the model answers neither. Plain chat looks fine, so that the fault
is taken for a weak model.

Oracle: invariant of the template: each opener of a turn is followed by its closer.

How it works: the openers and closers are found from the template: of its words in brackets, those
that alternate in all renderings of plain messages, with every message between them; if none do, in
those behind a system message, as the first message may be at fault. Another word may end a turn
too, if in every rendering nothing but an opener follows it. Then the turns of all shapes are
followed, without and with the prompt for an answer. In a template without such pairs, one word may
end all plain messages of a role, as ``</s>`` does after ``[INST] ... [/INST] ...``, and the same
text may stand before all of a user: then each message of all shapes has to have it, once. Before a
user and before an assistant, who speak in turns, the words must not be the same. Where the template
writes a pair of tags, such as ``<tool_call>`` and ``</tool_call>``, each tag behind the first text
of a user, and the tag before the definitions of tools, needs its counterpart. The turn of a result
must not begin as the turn of an assistant, nor the turn of a system message as the turn of a user,
and the last answer has to end as earlier answers do, or they as the last one if nothing ends them,
or answers as system messages. Something has to stand between the name of a role and a text, and
between a text and the words that follow, and other words before reasoning than before an answer, or
behind it. A template without such words is reported as a skip.

Verdicts: *bug* for a conversation that the OpenAI schema permits, else *risk*. *Risk* if no
rendering closes the first turn of a system or of tools, as some formats have it by design, or if
the turns of a user are closed, and the turns of an assistant never are; for a message that calls
tools and does not end as plain messages do, as some formats end it with the result; and for a tag
without its counterpart, a result, a system message or reasoning that begins as another role does, a
last answer that does not end, and a text right next to words of the template.

Example: no ``<turn|>`` after a tool result::

    TOK503 bug  a turn begins before the last one is closed: "<|turn>"

What to do: close the turn of a tool call where the next message is not of the assistant.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from tokharness.conversations.chat import Conversation, Problem, asked
from tokharness.conversations.excerpts import excerpt
from tokharness.conversations.role_words import (
    begun_as_others,
    mistaken,
    role_words,
    unmarked,
)
from tokharness.conversations.shapes import MARKS, Marks, fields_of
from tokharness.conversations.tags import pairs_of, unpaired
from tokharness.conversations.turns import (
    LAST_ANSWER,
    LAST_ONE,
    WORD,
    never_closed,
    turns_of,
    unended,
)
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness.conversations.chat import Chat
    from tokharness.conversations.role_words import RoleWords
    from tokharness.conversations.shapes import Shape
    from tokharness.conversations.turns import Turns

CODE = "TOK503"
NAME = "turn-not-closed"

FIRST = "the first turn, of a system or of tools, is never closed"


def not_applicable(chat: Chat) -> str:
    """Return why the check has nothing to see, or ""."""
    turns = turns_of(chat)
    if turns is None and never_closed(chat) is None and not role_words(chat) and not pairs_of(chat):
        return "no word of the template begins or ends the messages of a role"
    return ""


def examine(chat: Chat) -> Iterator[Problem]:
    """Yield a problem for each shape whose turns do not balance."""
    yield from _of_another_role(chat)
    yield from _of_tags(chat)
    yield from _of_answers(chat)
    yield from _of_borders(chat)
    yield from _of_reasoning(chat)
    turns = turns_of(chat)
    if turns is None:
        yield from _of_role(chat)
        yield from _of_words(chat)
        return
    rows = [_first_is_closed(turns, text, _head(one, text)) for _, one, text in chat.standard]
    find = partial(_fault, chat, turns, False in rows and True not in rows)
    prompted = [asked(one, prompt=True) for _, one, _ in chat.rendered_shapes]
    chat.fetch(prompted)
    for (shape, plain, _), prompt in zip(chat.rendered_shapes, prompted, strict=True):
        one = plain if find(plain) else prompt
        if (fault := find(one)) is None:
            continue
        what, _ = fault
        ends = turns.closers | turns.ends
        is_bug = shape.is_permitted and what != FIRST
        message = f"{what}: turns begin with {_words(turns.openers)}, and end with {_words(ends)}"
        verdict = Verdict.BUG if is_bug else Verdict.RISK
        cause = Cause(what, (("with", _words(turns.openers)),), verdict, message)
        shows, again = partial(_shows, find, what), partial(_evidence, chat, turns, find)
        yield Problem(cause, one, again(one), (shape.name,), shows, again)


def _of_another_role(chat: Chat) -> Iterator[Problem]:
    """Yield a problem if messages of a user and of an assistant begin with the same words."""
    if (found := mistaken(chat)) is not None:
        role, words, one = found
        other = "user" if role == "assistant" else "assistant"
        message = (
            f"messages of the {role} and messages of the {other} begin alike, with {words!r}: a "
            "model cannot know who speaks"
        )
        cause = Cause("another role", (("of", role),), Verdict.BUG, message)
        yield Problem(cause, one)

    turns = turns_of(chat)
    if turns is None:
        return
    for role, other, words, one in begun_as_others(chat, turns):
        message = (
            f"the turn of a message of the role {role} begins with {words!r}, as turns of "
            f"the {other} do"
        )
        yield Problem(Cause("another role", (("of", role),), Verdict.RISK, message), one)


def _of_answers(chat: Chat) -> Iterator[Problem]:
    """Yield a problem if the last answer, or each answer, lacks the word that ends the others."""
    if (found := unended(chat)) is not None:
        word, which, others = found
        verb = "does" if which == LAST_ANSWER else "do"
        does = "does" if others == LAST_ONE else "do"
        message = f"{which} {verb} not end with {word}, as {others} {does}"
        cause = Cause("never closed", (("what", which),), Verdict.RISK, message)
        messages = [{"role": "user", "content": "text1"}, {"role": "assistant", "content": "text2"}]
        if others == LAST_ONE:
            messages.append({"role": "user", "content": "text3"})
        yield Problem(cause, Conversation(tuple(messages), chat.needed))


def _of_borders(chat: Chat) -> Iterator[Problem]:
    """Yield a problem if nothing stands between a name of the template and what somebody says."""
    m = Marks()
    one = Conversation((m.user(), m.assistant(), m.user()), chat.needed)
    text = chat.text(one) or ""
    for message in one.messages[:2]:
        role, mark = message["role"], str(message["content"])
        found = re.search(rf"(\w+){mark}", text)
        if found is not None and not MARKS.search(found[1]):  # no name, but another text
            words = f"{found[1]!r}, with nothing between them"
            said = f"a text of the {role} stands right behind {words}, so that both are one word"
            yield Problem(Cause("no border", (("of", role),), Verdict.RISK, said), one)
        found = re.search(rf"{mark}((?:[#*]+ ?)?\w+)", text)
        if found is not None and not MARKS.search(text, found.start(1), found.end()):
            said = (
                f"a text of the {role} stands right before {found[1]!r}, with nothing between them"
            )
            parameters = (("of", f"{role}, and what follows"),)
            yield Problem(Cause("no border", parameters, Verdict.RISK, said), one)


def _of_reasoning(chat: Chat) -> Iterator[Problem]:
    """Yield a problem if reasoning begins as an answer does, and no other words end it."""
    m = Marks()
    asked_, said = m.user(), m.assistant()
    thought = {**said, "reasoning_content": m.new("rsn")}
    one = Conversation((asked_, thought), chat.needed)
    plain, whole = (chat.text(each) or "" for each in (replace(one, messages=(asked_, said)), one))
    found = [text.partition(str(asked_["content"]))[2] for text in (plain, whole)]
    begins, answer = found[0].partition(str(said["content"]))[0], found[1].partition(m.last)
    between = answer[2].partition(str(said["content"]))
    others = {*re.findall(r"\w+", between[0])} - {*re.findall(r"\w+", begins)}
    if not begins or answer[0] != begins or not between[1] or others:
        return
    message = f"reasoning begins with {begins!r}, as an answer does, and nothing sets them apart"
    yield Problem(Cause("another role", (("of", "reasoning"),), Verdict.RISK, message), one)


def _of_tags(chat: Chat) -> Iterator[Problem]:
    """Yield a problem for each tag that a message, or the definitions of tools, lack."""
    turns = turns_of(chat)
    ignored = frozenset() if turns is None else turns.openers | turns.closers
    chat.fetch(asked(one, prompt=True) for _, one, _ in chat.rendered_shapes)
    for shape, one, _ in chat.rendered_shapes:
        for found in unpaired(chat, one, ignored):
            text = chat.text(one) or ""
            message = f"the tag {found.word} {found.what}, where the template writes pairs of tags"
            cause = Cause(f"a tag {found.what}", (("tag", found.name),), Verdict.RISK, message)
            shows = partial(_shows_tag, chat, ignored, cause.parameters)
            evidence = {"at": excerpt(text, found.place)}
            yield Problem(cause, one, evidence, (shape.name,), shows)


def _shows_tag(
    chat: Chat, ignored: frozenset[str], parameters: tuple[tuple[str, str], ...], one: Conversation
) -> bool:
    return any((("tag", row.name),) == parameters for row in unpaired(chat, one, ignored))


def _of_role(chat: Chat) -> Iterator[Problem]:
    """Yield a problem if turns of a user are closed, and turns of an assistant never are."""
    if (found := never_closed(chat)) is not None:
        opener, closer = found
        message = (
            f"no turn of the assistant is closed: all turns begin with {opener}, and the turns "
            f"of the user end with {closer}"
        )
        cause = Cause("never closed", (("role", "assistant"),), Verdict.RISK, message)
        messages = [{"role": "user", "content": "text1"}, {"role": "assistant", "content": "text2"}]
        messages.append({"role": "user", "content": "text3"})
        yield Problem(cause, Conversation(tuple(messages), chat.needed))


def _of_words(chat: Chat) -> Iterator[Problem]:
    """Yield a problem for each shape in which a message lacks the words of its role."""
    words = role_words(chat)
    for shape, one, _ in chat.rendered_shapes:
        if (cause := _cause_of_words(chat, words, shape, one)) is not None:
            shows = partial(_shows_cause, chat, words, shape, cause)
            yield Problem(cause, one, {}, (shape.name,), shows)


def _cause_of_words(chat: Chat, words: RoleWords, shape: Shape, one: Conversation) -> Cause | None:
    text = chat.text(one)
    found = None if text is None else unmarked(words, one, text)
    if found is None:
        return None
    message = one.messages[found.field.path[0]]
    calls = " that calls tools" if message.get("tool_calls") else ""
    what = f"a message of the role {message['role']}{calls} {found.what}"
    verb = "begins" if found.what == "does not begin" else "ends"
    said = f"{what}: in plain conversations each {verb} with {found.word!r} once"
    is_bug = shape.is_permitted and not calls
    parameters = (("what", what),)
    return Cause("words of the role", parameters, Verdict.BUG if is_bug else Verdict.RISK, said)


def _shows_cause(
    chat: Chat, words: RoleWords, shape: Shape, cause: Cause, one: Conversation
) -> bool:
    return _cause_of_words(chat, words, shape, one) == cause


def _fault(
    chat: Chat, turns: Turns, is_first_open: bool, one: Conversation
) -> tuple[str, int] | None:
    """Return what is wrong with the turns of a conversation, and where; None if they balance."""
    text = chat.text(one)
    fault = None if text is None else turns.fault(text)
    if text is None or fault is None or not is_first_open or fault[1] > _head(one, text):
        return fault
    return FIRST, fault[1]


def _head(one: Conversation, text: str) -> int:
    """Return where the first message of neither a system nor tools stands; 0 if it has no text."""
    roles = (message.get("role") for message in one.messages)
    others = (number for number, role in enumerate(roles) if role not in ("system", "developer"))
    first = next(others, None)
    if first is None:
        return len(text)
    places = [text.find(f.mark) for f in fields_of(one.messages, {}) if f.path[0] == first]
    return max(min(places, default=0), 0)


def _first_is_closed(turns: Turns, text: str, head: int) -> bool | None:
    """Return whether a turn before the head is closed; None if there is none."""
    found = [word for word in WORD.finditer(text, 0, head) if word.group() in turns.openers]
    if len(found) < 2:
        return None
    return not turns.closers.isdisjoint(WORD.findall(text, found[0].end(), found[1].start()))


def _shows(
    find: Callable[[Conversation], tuple[str, int] | None], what: str, one: Conversation
) -> bool:
    fault = find(one)
    return fault is not None and fault[0] == what


def _evidence(
    chat: Chat,
    turns: Turns,
    find: Callable[[Conversation], tuple[str, int] | None],
    one: Conversation,
) -> dict[str, Any]:
    ends = turns.closers | turns.ends
    place = (find(one) or ("", 0))[1]
    at = excerpt(chat.text(one) or "", place)
    return {"at": at, "begins": _words(turns.openers), "ends": _words(ends)}


def _words(words: frozenset[str]) -> str:
    return " or ".join(sorted(words))
