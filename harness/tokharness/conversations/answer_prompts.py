"""The prompt for an answer: whether it is there, is asked for, and fits the answers."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tokharness.conversations.chat import PROMPT, Conversation, Problem, asked
from tokharness.conversations.excerpts import common
from tokharness.conversations.role_words import mistaken, role_words
from tokharness.conversations.shapes import Marks, fields_of
from tokharness.conversations.tags import THOUGHTS, tags_of
from tokharness.conversations.turns import MARK, WORD
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.conversations.chat import Chat

UNITS = re.compile(rf"{WORD.pattern}|\w+")
"""Where the words of a prompt may begin."""

ANSWER = "qz999astxk"
"""The mark of an answer behind any conversation."""

MOST_ROUNDS = 8
"""Rounds of a conversation with many messages."""

ROLE_BEGINS = re.compile(rf"\s*({WORD.pattern})\w*")
"""A single word, and perhaps the first letters of a role.

Behind more, such as ``<|start|>assistant<|channel|>``, the role is named, and thoughts may begin.
"""


def of_prompts(chat: Chat) -> Iterator[Problem]:
    """Yield a problem for each fault of the prompt for an answer."""
    unasked = _unasked(chat)
    yield from _prompt_missing(chat, unasked)
    yield from _prompt_ended(chat)
    if unasked is not None:
        yield _prompt_unasked(chat, unasked)
    of_user = list(_prompt_of_user(chat))
    yield from of_user or _prompt_apart(chat)
    yield from _prompt_of_thoughts(chat)


def _prompt_missing(chat: Chat, unasked: Unasked | None) -> Iterator[Problem]:
    """Yield a problem if the prompt adds nothing, and an answer begins with words in brackets.

    It adds nothing, too, where the prompt stands without being asked for, which is another fault.
    """
    m = Marks()
    after_user = Conversation((m.user(), m.assistant()), chat.needed)
    is_there = unasked is not None and (chat.text(after_user.first(1)) or "").rstrip().endswith(
        unasked.words
    )
    if is_there:
        return
    if words := _unprompted(chat, after_user, m.last):
        shown = Conversation(({"role": "user", "content": "text1"},), chat.needed)
        yield _no_prompt(chat, "", words, shown)
        return
    after_result = _with_result(chat)
    with_tools = replace(after_user, options=after_result.options)
    rows = (
        ("where tools are sent", with_tools),
        ("behind the result of a tool", after_result),
        *_longer(chat, after_result),
    )
    lasts = [one.first(len(one.messages) - 1) for _, one in rows]
    chat.fetch(asked(one, prompt=ask) for one in lasts for ask in (False, True))
    for where, one in rows:
        if words := _unprompted(chat, one, str(one.messages[-1]["content"])):
            yield _no_prompt(chat, where, words, one.first(len(one.messages) - 1))
            return


def _longer(chat: Chat, after_result: Conversation) -> Iterator[tuple[str, Conversation]]:
    """Yield further conversations behind which a prompt may be missing, and what each has."""
    m = Marks()
    said = (m.system(), m.user(), m.assistant())
    yield "next to a system message", Conversation(said, chat.needed)
    m = Marks()
    rounds = [message for _ in range(MOST_ROUNDS) for message in (m.user(), m.assistant())]
    yield "behind an earlier answer", Conversation(tuple(rounds[:4]), chat.needed)
    yield "behind many messages", Conversation(tuple(rounds), chat.needed)
    again = ({"role": "user", "content": m.new("usr")}, m.assistant())
    behind = replace(after_result, messages=(*after_result.messages, *again))
    yield "behind a user who speaks after the result of a tool", behind
    called = replace(behind, messages=(*behind.messages[:3], *again))
    yield "behind a user who speaks right after the result of a tool", called


def _with_result(chat: Chat) -> Conversation:
    """Return a conversation with an answer behind the result of a tool."""
    m = Marks()
    tools = {} if chat.gets_no_tools else {"tools": [m.tool()]}
    messages = (m.user(), m.calls(m.call()), m.result(), m.assistant())
    return Conversation(messages, {**chat.needed, **tools})


def _unprompted(chat: Chat, one: Conversation, mark: str) -> str:
    """Return the words before the last message, if the prompt for it adds nothing; "" otherwise."""
    last = one.first(len(one.messages) - 1)
    before, prompt = (chat.text(last, prompt=ask) for ask in (False, True))
    later = chat.text(one)
    if before is None or before != prompt or later is None or not later.startswith(before):
        return ""
    words = later[len(before) : max(later.find(mark), 0)].strip()
    return words if WORD.search(words) else ""


def _no_prompt(chat: Chat, where: str, words: str, one: Conversation) -> Problem:
    message = (
        f"add_generation_prompt adds nothing{where and f' {where}'}, and an answer begins with "
        f"{words!r}, which the model has to write itself"
    )
    parameters = (("where", where),) if where else ()
    cause = Cause("no prompt for an answer", parameters, Verdict.RISK, message)
    last = one.messages[-1].get("role")

    def shows(smaller: Conversation) -> bool:
        options = {key: value for key, value in smaller.options.items() if key != PROMPT}
        answer = {"role": "assistant", "content": ANSWER}
        whole = Conversation((*smaller.messages, answer), options)
        is_asked = PROMPT in smaller.options and smaller.messages[-1].get("role") == last
        return is_asked and bool(_unprompted(chat, whole, ANSWER))

    return Problem(cause, asked(one, prompt=True), smaller=shows)


def _prompt_ended(chat: Chat) -> Iterator[Problem]:
    """Yield a problem if the prompt for an answer ends with the word that ends answers.

    What stands before an answer in the history counts, too, if it has another word.
    """
    m = Marks()
    one = Conversation((m.user(), m.assistant()), chat.needed)
    before, prompt = (chat.text(one.first(1), prompt=ask) or "" for ask in (False, True))
    said, answered = (str(message["content"]) for message in one.messages)
    words = [len(WORD.findall(text.rpartition(said)[2])) for text in (before, prompt)]
    between, _, behind = (chat.text(one) or "").rpartition(said)[2].partition(answered)
    ends = WORD.findall(behind)
    if not ends:
        return
    if words[0] < words[1] and prompt.rstrip().endswith(ends[-1]):
        end = ends[-1]
    elif len(set(WORD.findall(between))) > 1 and between.rstrip().endswith(ends[0]):
        end = ends[0]
    else:
        return
    message = f"the prompt for an answer ends with {end}, as answers do"
    cause = Cause("prompt for an answer", (("where", "that is ended"),), Verdict.RISK, message)
    shown = Conversation(({"role": "user", "content": "text1"},), chat.needed)
    yield Problem(cause, asked(shown, prompt=True))


@dataclass(frozen=True, slots=True)
class Unasked:
    """The words of a prompt that is written without being asked for, and whether only then."""

    words: str
    is_inverted: bool


def _unasked(chat: Chat) -> Unasked | None:
    """Return the prompt for an answer that stands behind an answer without being asked for.

    It is the end of the text that also stands between a user and an answer, and not between an
    answer and a user.
    """
    m = Marks()
    one = Conversation((m.user(), m.assistant(), m.user()), chat.needed)
    first, answer, last = (str(message["content"]) for message in one.messages)
    whole = chat.text(one) or ""
    texts = [chat.text(one.first(2), prompt=ask) or "" for ask in (False, True)]
    if last not in whole or any(text.count(answer) != 1 or first not in text for text in texts):
        return None
    plain, asked_for = (text.partition(answer)[2] for text in texts)
    before = texts[0].partition(first)[2].partition(answer)[0]
    after = whole.partition(answer)[2].partition(last)[0]
    ends = (plain[found.start() :].strip() for found in UNITS.finditer(plain))
    words = next((end for end in ends if end in before), "")
    if WORD.sub("", before.rpartition(words)[2] if words else "").strip():
        return None
    if not words or words in after:
        return None
    return Unasked(words, is_inverted=words not in asked_for)


def _prompt_unasked(chat: Chat, found: Unasked) -> Problem:
    message = (
        f"the prompt for an answer, {found.words!r}, stands behind an answer without being asked "
        "for"
    )
    message += ", and does not where add_generation_prompt asks for it" * found.is_inverted
    verdict = Verdict.BUG if found.is_inverted else Verdict.RISK
    where = f"{'only' if found.is_inverted else 'also'} where it is not asked for"
    cause = Cause("prompt for an answer", (("where", where),), verdict, message)
    messages = ({"role": "user", "content": "text1"}, {"role": "assistant", "content": "text2"})
    return Problem(cause, Conversation(messages, chat.needed))


def _prompt_of_user(chat: Chat) -> Iterator[Problem]:
    """Yield a problem if the prompt for an answer is what stands before each message of a user."""
    m = Marks()
    one = Conversation((m.user(), m.assistant()), chat.needed)
    begin, first, answer = role_words(chat).begin, *fields_of(one.messages, {})
    texts = [chat.text(one.first(1), prompt=ask) or "" for ask in (False, True)]
    plain, asked_for = (text.rpartition(first.mark)[2] for text in texts)
    before = (chat.text(one) or "").partition(first.mark)[2].partition(answer.mark)[0]
    if begin and begin in asked_for and begin not in plain + before:
        message = f"the prompt for an answer has {begin!r}, with which messages of a user begin"
        cause = Cause("prompt for an answer", (("where", "of a user"),), Verdict.BUG, message)
        shown = ({"role": "user", "content": "text1"},)
        yield Problem(cause, asked(Conversation(shown, chat.needed), prompt=True))


def _prompt_apart(chat: Chat) -> Iterator[Problem]:
    """Yield a problem if the prompt names another role than answers, or lacks their white space."""
    m = Marks()
    one = Conversation((m.user(), m.assistant(), m.user()), chat.needed)
    mark = str(one.messages[1]["content"])
    before, prompt = (chat.text(one.first(1), prompt=ask) or "" for ask in (False, True))
    later = chat.text(one) or ""
    if mark not in later:
        return
    yield from _prompt_with_more(chat, one.first(1), later[: later.index(mark)], prompt)
    if not later.startswith(before) or not prompt.startswith(before):
        return
    asked_for, begins = prompt[len(before) :], later[len(before) : later.index(mark)]
    if not asked_for.strip():
        return
    shown = Conversation(({"role": "user", "content": "text1"},), chat.needed)
    if mistaken(chat) is not None:
        return  # answers begin as messages of a user do, which TOK503 reports
    if _names_another_role(before, asked_for, begins):
        yield _other_role("of another role", asked_for, begins, shown)
    else:
        yield from _of_another_role_behind_result(chat)
    last = chat.text(one.first(2)) or ""
    for answer in (begins, last[len(before) : max(last.find(mark), 0)]):
        if _differ_in_white_space(asked_for, answer):
            message = (
                f"the prompt for an answer is {asked_for!r}, and answers begin with {answer!r}"
            )
            parameters = (("where", "with other white space"),)
            cause = Cause("prompt for an answer", parameters, Verdict.RISK, message)
            yield Problem(cause, asked(shown, prompt=True))
            break
    rest = begins.removeprefix(asked_for)
    if begins.startswith(asked_for) and rest and not rest.strip():
        message = f"answers begin with {rest!r} behind the prompt for an answer, {asked_for!r}"
        what = "white space" if rest.strip("\n") else "a line feed"
        parameters = (("where", f"without {what}"),)
        cause = Cause("prompt for an answer", parameters, Verdict.FACT, message)
        yield Problem(cause, asked(shown, prompt=True))


def _names_another_role(user: str, prompt: str, begins: str) -> bool:
    """Whether a prompt has another name than an answer behind a word that a user's turn has."""
    same = common(prompt, begins)
    names = [re.match(r"\w+", text[same:]) for text in (prompt, begins)]
    opener = ROLE_BEGINS.fullmatch(prompt[:same])
    return all(names) and opener is not None and opener[1] in user


def _other_role(where: str, prompt: str, begins: str, one: Conversation) -> Problem:
    message = f"the prompt for an answer is {prompt!r}, and answers begin with {begins!r}"
    cause = Cause("prompt for an answer", (("where", where),), Verdict.RISK, message)
    return Problem(cause, asked(one, prompt=True))


def _of_another_role_behind_result(chat: Chat) -> Iterator[Problem]:
    """Yield a problem if the prompt behind the result of a tool names another role than answers."""
    whole = _with_result(chat)
    one, mark = whole.first(3), str(whole.messages[-1]["content"])
    before, prompt = (chat.text(one, prompt=ask) or "" for ask in (False, True))
    later = chat.text(whole) or ""
    if mark not in later or not later.startswith(before) or not prompt.startswith(before):
        return
    asked_for, begins = prompt[len(before) :], later[len(before) : later.index(mark)]
    if _names_another_role(chat.text(one.first(1)) or "", asked_for, begins):
        where = "of another role, behind the result of a tool"
        yield _other_role(where, asked_for, begins, one)


def _differ_in_white_space(prompt: str, begins: str) -> bool:
    """Whether a prompt is the beginning of an answer, but for white space that no answer has.

    What follows where a prompt opens thoughts is another thing in an answer without thoughts.
    """
    prompt = prompt.rstrip() if _opens_thoughts(prompt) else prompt
    words = ["".join(text.split()) for text in (prompt, begins)]
    return words[1].startswith(words[0]) and not begins.startswith(prompt)


def _prompt_with_more(chat: Chat, one: Conversation, begins: str, prompt: str) -> Iterator[Problem]:
    """Yield a problem if a prompt is the beginning of an answer, with other words in it."""
    asked_for, begun = (MARK.split(text)[-1] for text in (prompt, begins))
    same, size = common(asked_for, begun), len(asked_for) - len(begun)
    more, rest = asked_for[same : same + max(size, 0)], begun[same:]
    while same and more and not WORD.match(more) and begun[same - 1] == more[-1]:
        same, more = same - 1, more[-1] + more[:-1]  # both begin with the bracket of a word
    if rest.strip() and more.strip() and asked_for == begun[:same] + more + begun[same:]:
        where, message = (
            "with other words",
            f"the prompt for an answer has {more!r}, with which no answer begins",
        )
        if more in MARK.split(chat.text(one) or "")[-1]:  # also where no prompt is asked for
            where = "behind other words"
            message = f"{more!r} stands behind the last message, and not once an answer follows"
        cause = Cause("prompt for an answer", (("where", where),), Verdict.RISK, message)
        shown = Conversation(({"role": "user", "content": "text1"},), chat.needed)
        yield Problem(cause, asked(shown, prompt=True))


def _prompt_of_thoughts(chat: Chat) -> Iterator[Problem]:
    """Yield a problem if the prompt opens thoughts where they are off, or ends them where on."""
    m = Marks()
    one = Conversation((m.user(),), chat.needed)
    plain = [
        replace(one, options={**one.options, "enable_thinking": is_on}) for is_on in (False, True)
    ]
    rows = [asked(each, prompt=True) for each in plain]
    off, on = (chat.text(row) or "" for row in rows)
    if off == on or not off or not on:
        return
    before = [chat.text(each) or "" for each in plain]  # it may have sentences about thoughts
    is_open = [
        _opens_thoughts(text[common(text, unasked) :].rpartition(m.last)[2])
        for text, unasked in zip((off, on), before, strict=True)
    ]
    if is_open[0] is True or (is_open[1] is False and is_open[0] is None):
        what, row = ("opens", rows[0]) if is_open[0] else ("ends", rows[1])
        state = "off" if is_open[0] else "on"
        message = f"the prompt for an answer {what} thoughts where enable_thinking is {state}"
        parameters = (("where", f"{what} thoughts that are {state}"),)
        yield Problem(Cause("prompt for an answer", parameters, Verdict.RISK, message), row)


def _opens_thoughts(prompt: str) -> bool | None:
    """Return whether a prompt opens thoughts and does not end them; None without their tags."""
    sides = [tag.side for tag in tags_of(prompt) if THOUGHTS.search(tag.name[1])]
    return sides[-1] > 0 if sides else None
