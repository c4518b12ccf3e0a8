"""The tag ``generation`` marks other text than what the assistant writes.

Why it matters: training learns from the tokens that the tag marks. If they have a text of the user,
the model learns to speak for users; if they lack the end of the turn, it never learns to stop.

Oracle: invariant of the template: the tag has every text of the assistant and what ends its turn,
and no text of anybody else.

How it works: in each shape, the check looks where the texts of the messages stand, inside or
outside of the spans that the tag marks, and whether the word that closes the turn follows in the
span. With a tokenizer, the borders of the spans have to be borders of tokens.

Verdicts: *bug* for a text that is on the wrong side, in messages that the OpenAI schema permits.
*Risk* if the end of the turn is outside, a token spans a border, or only the answer that ends a
conversation is in a span. *By design*: a span that has the words with which the prompt for an
answer ends. A template without the tag is a skip.

Example::

    TOK515 bug  inside: user content

What to do: put the content of the assistant and the end of its turn between ``{% generation %}``
and ``{% endgeneration %}``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tokharness.conversations.chat import Conversation, Problem
from tokharness.conversations.excerpts import excerpt
from tokharness.conversations.role_words import role_words
from tokharness.conversations.shapes import Marks, fields_of
from tokharness.conversations.turns import WORD, turns_of
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness.conversations.chat import Chat

CODE = "TOK515"
NAME = "assistant-mask"

TAG = re.compile(r"\{%-?\s*generation\s*-?%\}")
ANSWER = "assistant content"
OF_ASSISTANT = (ANSWER, "reasoning", "arguments of a call", "reasoning in tags")


def not_applicable(chat: Chat) -> str:
    """Return why the check has nothing to see, or ""."""
    return "" if TAG.search(chat.template.source) else "the template has no tag generation"


def examine(chat: Chat) -> Iterator[Problem]:
    """Yield a problem for each text on the wrong side, and for each turn without its end."""
    turns = turns_of(chat)
    closers = (
        frozenset(role_words(chat).ends["assistant"])
        if turns is None
        else turns.closers | turns.ends
    )
    yield from _of_prompt(chat)
    is_last = _learns_the_last(chat)
    for shape, one, _ in chat.rendered_shapes:
        for kind, what in _faults(chat, one, closers):
            said = "earlier" if kind == "outside" and is_last else kind
            is_text = said in ("inside", "outside")
            verdict = Verdict.BUG if is_text and shape.is_permitted else Verdict.RISK
            cause = Cause(said, (("of", what),), verdict, _MESSAGES[said].format(what))
            shows = _shows(chat, closers, (kind, what))
            yield Problem(cause, one, {}, (shape.name,), shows, _evidence_of(chat))


def _of_prompt(chat: Chat) -> Iterator[Problem]:
    """Yield a problem if a span has the words with which a server begins an answer."""
    m = Marks()
    one = Conversation((m.user(), m.assistant()), chat.needed)
    before, prompt = (chat.text(one.first(1), prompt=ask) or "" for ask in (False, True))
    rendered = chat.rendered(one)
    words = prompt[len(before) :]
    spans = [(rendered.text or "")[start:end] for start, end in rendered.spans]
    if (
        words.strip()
        and prompt.startswith(before)
        and any(span.startswith(words) for span in spans)
    ):
        message = f"the span that is learned from has {words!r}, with which the prompt ends"
        cause = Cause("inside", (("of", "the prompt for an answer"),), Verdict.FACT, message)
        yield Problem(cause, one, _evidence_of(chat)(one))


_MESSAGES = {
    "inside": "the span that is learned from has the {}",
    "outside": "the span that is learned from does not have the {}",
    "earlier": "only the last answer is learned from, and no span has the {} of an earlier one",
    "end": "the span that is learned from ends before {}, so that no end is learned",
    "border": "a token spans the {} of the span that is learned from",
}


def _faults(chat: Chat, one: Conversation, closers: frozenset[str]) -> list[tuple[str, str]]:
    rendered = chat.rendered(one)
    text, spans = rendered.text, rendered.spans
    if text is None:
        return []
    found: list[tuple[str, str]] = []
    for field in fields_of(one.messages, {}):
        place = text.find(field.mark)
        if place < 0 or text.count(field.mark) > 1:
            continue
        is_inside = any(start <= place < end for start, end in spans)
        is_own = field.what in OF_ASSISTANT
        if field.what in (ANSWER, "reasoning", "arguments of a call") and not is_inside:
            found.append(("outside", field.what))
        elif is_inside and not is_own and field.what.endswith(("content", "result")):
            found.append(("inside", field.what))
    for start, end in spans:
        following = WORD.match(text[end:].lstrip())
        if following and following.group() in closers:
            place = text.index(following.group(), end)
            inside = WORD.findall(text[start:end])
            is_learned = any(first <= place < last for first, last in spans)
            if not is_learned and (not inside or inside[-1] not in closers):
                found.append(("end", following.group()))
    found += [("border", side) for side in _borders(chat, text, spans)]
    return list(dict.fromkeys(found))


def _learns_the_last(chat: Chat) -> bool:
    """Whether spans have the answer that ends a conversation, and no other, as may be meant."""
    is_seen = False
    for _, one, text in chat.rendered_shapes:
        spans = chat.rendered(one).spans
        answers = [each.mark for each in fields_of(one.messages, {}) if each.what == ANSWER]
        places = [text.find(mark) for mark in answers if text.count(mark) == 1]
        learned = [any(start <= at < end for start, end in spans) for at in places]
        ends = bool(answers) and answers[-1] in str(one.messages[-1].get("content"))
        if any(learned[:-1]) or (ends and not all(learned[-1:])):
            return False
        is_seen = is_seen or (ends and len(learned) > 1)
    return is_seen


def _borders(chat: Chat, text: str, spans: tuple[tuple[int, int], ...]) -> Iterator[str]:
    """Yield the borders of spans that are not borders of tokens."""
    tokens = chat.tokens
    if tokens is None or not tokens.reads_special:
        return
    whole = tokens.read(text)
    for start, end in spans:
        for side, place in (("beginning", start), ("end", end)):
            before, after = tokens.read_all([text[:place], text[place:]])
            if whole is None or before is None or after is None:
                continue
            if (before + after)[: len(whole)] != whole:  # ids that are cut say nothing
                yield side


def _shows(
    chat: Chat, closers: frozenset[str], fault: tuple[str, str]
) -> Callable[[Conversation], bool]:
    return lambda one: fault in _faults(chat, one, closers)


def _evidence_of(chat: Chat) -> Callable[[Conversation], dict[str, Any]]:
    def evidence(one: Conversation) -> dict[str, Any]:
        rendered = chat.rendered(one)
        text = rendered.text or ""
        return {
            "spans": [text[start:end] for start, end in rendered.spans],
            "rendered": excerpt(text, 0) if not rendered.spans else text,
        }

    return evidence
