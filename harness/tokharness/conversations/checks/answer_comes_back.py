"""The ids that a model has written come back as other ids in the next prompt.

Why it matters: a server sends the model's answer to the client as text, and gets it back as text.
If the ids differ, the cache of the answer is lost, and reinforcement learning trains on ids that
the model did not write.

Oracle: invariant of a template with a tokenizer: the ids of the prompt, then those of the answer,
are the beginning of the ids of the rendering with the answer.

How it works: answers of some twenty kinds, of prose, code, white space, digits and hostile text,
are encoded by themselves, as a model that is deterministic writes them, and appended to the ids of
the prompt. The result is compared with the ids of the rendering that has the answer.

Verdicts: *risk* if prose comes back as other ids. *By design*: answers that the template strips or
puts other words before, and those of white space or hostile text; the evidence has all of them.

Example::

    TOK514 fact  answer comes back otherwise: white space at its ends

What to do: keep the ids of the answer, and do not encode it again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.conversations.chat import Conversation, Problem
from tokharness.conversations.shapes import Marks
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.conversations.chat import Chat

CODE = "TOK514"
NAME = "answer-comes-back"
NEEDS_TOKENS = True

PROSE = (
    "The answer is four.",
    "Yes.",
    "Je suis d\u00e9sol\u00e9.",
    "\u4f60\u597d\uff0c\u4e16\u754c\u3002",
    "- one\n- two\n\nDone.",
    "```python\nprint(1)\n```",
    '{"zone": 1, "area": [true, null]}',
    "2026-11-28 costs 1,234.50",
    "\u0645\u0631\u062d\u0628\u0627",
    "\U0001f600 fine",
)
OTHERS = (
    " The answer",
    "The answer ",
    "\nThe answer",
    "The answer\n",
    "\n\nThe answer\n\n",
    "\u0301a",
    "\u200bThe answer",
    "e\u0301t\u00e9",
    "\u2028a",
    "<b>a</b>",
    "a</think>b",
)


def not_applicable(chat: Chat) -> str:
    """Return why the check has nothing to see, or ""."""
    if chat.tokens is None or not chat.tokens.reads_special:
        return "the target has no entry point that reads special tokens and adds none"
    m = Marks()
    one = Conversation((m.user(), m.assistant()), chat.needed)
    prompt, whole = chat.text(one.first(1), prompt=True), chat.text(one)
    if prompt is None or whole is None:
        return "a question and its answer do not render"
    if not whole.startswith(prompt):
        return "a rendered answer does not begin with the prompt for it, which TOK507 reports"
    return ""


def examine(chat: Chat) -> Iterator[Problem]:
    """Yield a problem for prose, for other answers, and for those whose text is changed."""
    changed: list[str] = []
    for texts, kind, verdict in (
        (PROSE, "prose", Verdict.RISK),
        (OTHERS, "white space or hostile text", Verdict.FACT),
    ):
        changed += [text for text in texts if not _is_kept(chat, text)]
        kept = [text for text in texts if text not in changed]
        rows = [row for text in kept if (row := _otherwise(chat, text)) is not None]
        if rows:
            message = f"{len(rows)} of {len(kept)} answers of {kind} come back as other ids"
            cause = Cause("answer comes back otherwise", (("of", kind),), verdict, message)
            first = rows[0]
            evidence = {"given": first["given"], "expected": first["expected"], "answers": rows}
            yield Problem(cause, _conversation(chat, first["text"]), evidence)
    if changed:
        number = len(PROSE) + len(OTHERS)
        message = (
            f"{len(changed)} of {number} answers come back as another text, or behind other words "
            "of the template than those that asked for them"
        )
        cause = Cause("answer comes back otherwise", (("of", "text"),), Verdict.FACT, message)
        yield Problem(cause, _conversation(chat, changed[0]), {"answers": changed})


def _is_kept(chat: Chat, answer: str) -> bool:
    """Whether a rendered answer follows the prompt for it, as it is."""
    one = _conversation(chat, answer)
    prompt, whole = chat.text(one.first(1), prompt=True), chat.text(one)
    return prompt is not None and whole is not None and whole.startswith(prompt + answer)


def _conversation(chat: Chat, answer: str) -> Conversation:
    messages = ({"role": "user", "content": "text1"}, {"role": "assistant", "content": answer})
    return Conversation(messages, chat.needed)


def _otherwise(chat: Chat, answer: str) -> dict[str, Any] | None:
    """Return the ids that come back and those that were written, or None if they are equal."""
    one = _conversation(chat, answer)
    prompt, whole = chat.text(one.first(1), prompt=True), chat.text(one)
    if prompt is None or whole is None or chat.tokens is None:
        return None
    before, written, after = (*chat.tokens.read_all([prompt, answer]), chat.tokens.read(whole))
    if before is None or written is None or after is None:
        return None
    expected = before + written
    if after[: len(expected)] == expected:
        return None
    place = next((i for i, n in enumerate(expected) if after[i : i + 1] != [n]), len(expected))
    start = max(place - 1, 0)
    return {
        "text": answer,
        "given": after[start : place + 3],
        "expected": expected[start : place + 3],
    }
