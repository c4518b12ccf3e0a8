"""The template changes what the model has read already, when the conversation goes on.

Why it matters: a server keeps what it has computed for the beginning of a prompt. Where the next
prompt does not begin with the last one, that is lost. In training by reinforcement, the model is
trained on a history that it never saw.

Oracle: invariant of the template: the rendering of the first messages is the beginning of the
rendering of the whole conversation.

How it works: each shape is rendered message by message. Where a rendering is not the beginning of
the next one, the cause is what the rest shows: a text that is dropped, such as reasoning of an
earlier turn, or of the same turn behind a call, one that moves, or words of the template that
change. Several of these may explain one place, such as words that go with reasoning and also go
without it: the check reports the fewest causes that explain all places. Then the prompt for the
next message (``add_generation_prompt``) is compared with the rendering that has that message, also
next to a system message or tools, behind a result, and behind many messages. Without
``add_generation_prompt``, nothing of that prompt may stand behind the last answer.

Verdicts: *risk*; also if that prompt adds nothing behind a user or the result of a tool, and a
message of the assistant begins with words of the template, or if the prompt is written without
being asked for. *Bug* if it is written only then, or if it is what messages of a user begin with.
*Risk* if it names another role than answers do, has words with which no answer begins, stands
behind words that vanish once an answer follows, ends with the word that ends answers, has white
space that no answer has there, or opens thoughts where ``enable_thinking`` is off. Some vendors
document what is rewritten, such as reasoning that is dropped once the user speaks again: then it
costs the cache of those turns. *By design*: only the end of the last turn differs, or a message of
the history does not begin with the prompt for it, or begins with white space that the prompt lacks.

Example::

    TOK507 risk  rewritten: reasoning is dropped

What to do: keep what was sent, or use the training template of the model for training.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tokharness.conversations.answer_prompts import of_prompts
from tokharness.conversations.chat import PROMPT, Conversation, Problem, asked
from tokharness.conversations.excerpts import common, excerpt
from tokharness.conversations.shapes import MARKS, fields_of
from tokharness.conversations.turns import WORD
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tokharness.conversations.chat import Chat
    from tokharness.conversations.shapes import Field

CODE = "TOK507"
NAME = "history-rewritten"


THOUGHT, IN_TAGS = "reasoning", "reasoning in tags"

EARLIER, SAME = "earlier turns", "the same turn"

BEGINNING = "the words of the template before the first text change"
"""A cause that words before the text of any role may have."""

LAST_TURN = "the last turn ends otherwise once another message follows"

ALIKE = 16
"""Characters that are the same where two texts go on alike, or all that is left."""


@dataclass(frozen=True, slots=True)
class Rewriting:
    """What is rewritten: the two texts, and the characters that both begin with.

    ``whats`` has what explains it, in words: the first says it best. ``details`` is a sentence that
    says more, or "". ``words`` are those in brackets that the earlier text has in the place.
    """

    whats: tuple[str, ...]
    verdict: Verdict
    earlier: str
    later: str
    kept: int
    details: str = ""
    words: frozenset[str] = frozenset()


def not_applicable(chat: Chat) -> str:
    """Return why the check has nothing to see, or ""."""
    return "the text varies by itself, which TOK502 reports" if chat.varies else ""


def examine(chat: Chat) -> Iterator[Problem]:
    """Yield a problem for each cause of rewritten history, with the shapes that it explains."""
    rows: list[tuple[str, Conversation, Rewriting]] = []
    chat.fetch(
        asked(one.first(number), prompt=True)
        for _, one, texts in chat.snapshots
        for number in texts
        if _is_answered(one, number)
    )
    for shape, one, texts in chat.snapshots:
        pairs = [
            (second, rewriting(chat, one, first, second))
            for first, second in pairwise(texts)
            if not texts[second].startswith(texts[first])
        ]
        pairs += [(number + 1, prompt_rewriting(chat, one, number)) for number in texts]
        rows += [(shape.name, one.first(size), found) for size, found in pairs if found is not None]
    prompts = list(of_prompts(chat))
    explained_by_prompts = {_prompt_of(chat, one) for one in prompts}
    rows = [row for row in rows if row[2].whats[0] not in explained_by_prompts]
    rows = _with_words_of_thoughts(rows)
    yield from prompts
    for what in _fewest([found.whats for _, _, found in rows]):
        explained = [row for row in rows if what in row[2].whats]
        rows = [row for row in rows if what not in row[2].whats]
        shapes = tuple(dict.fromkeys(name for name, _, _ in explained))
        shown = [(one, row) for _, one, row in explained if what in _own(row)]
        yield from (_problem(chat, shapes, one, row, what) for one, row in shown)


def _with_words_of_thoughts(
    rows: Sequence[tuple[str, Conversation, Rewriting]],
) -> list[tuple[str, Conversation, Rewriting]]:
    """Return rewritings, which are explained by dropped reasoning if it takes the same words along.

    A template that drops ``<think>`` with the reasoning of earlier turns also drops it where there
    is no reasoning. A template that drops reasoning of the same turn also drops earlier reasoning.
    """
    firsts = {found.whats[0] for _, _, found in rows}
    thought = SAME_THOUGHT if SAME_THOUGHT in firsts else EARLIER_THOUGHT
    words = frozenset(
        word for _, _, found in rows if found.whats[0] in THOUGHTS for word in found.words
    )
    explained = (EARLIER_THOUGHT, _dropped(IN_TAGS))
    return [
        (name, one, replace(found, whats=(*found.whats, thought)))
        if thought not in found.whats
        and (
            found.whats[0] in explained
            or (_words_of("assistant") in found.whats and found.words and found.words <= words)
        )
        else (name, one, found)
        for name, one, found in rows
    ]


def _fewest(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Yield the fewest causes that explain all rows: first a cause that alone explains a row."""
    rest = list(rows)
    while rest:
        alone = [row[0] for row in rest if len(row) == 1]
        names = alone or [name for row in rest for name in row]
        counts = Counter(name for row in rest for name in row)
        chosen = max(dict.fromkeys(names), key=counts.__getitem__)
        yield chosen
        rest = [row for row in rest if chosen not in row]


def _own(found: Rewriting) -> tuple[str, ...]:
    """Return what a rewriting itself shows: not what it only shares words with."""
    return tuple(w for w in found.whats if w == found.whats[0] or w not in THOUGHTS)


def _problem(
    chat: Chat, shapes: tuple[str, ...], one: Conversation, found: Rewriting, what: str
) -> Problem:
    message = found.details or what
    verdict = Verdict.FACT if what == LAST_TURN else found.verdict
    cause = Cause("rewritten", (("what", what),), verdict, message)
    shows, again = _shows(chat, message), _again(chat, message)
    return Problem(cause, one, _evidence(found), shapes, shows, again)


def _evidence(found: Rewriting) -> dict[str, Any]:
    return {
        "given": excerpt(found.later, found.kept),
        "expected": excerpt(found.earlier, found.kept),
        "characters before": len(found.earlier),
        "characters kept": found.kept,
    }


def _all_rewritings(chat: Chat, one: Conversation) -> Iterator[Rewriting]:
    """Yield what the last message of a conversation rewrites."""
    size = len(one.messages)
    if size < 2:
        return
    for found in (rewriting(chat, one, size - 1, size), prompt_rewriting(chat, one, size - 1)):
        if found is not None:
            yield found


def _shows(chat: Chat, message: str) -> Callable[[Conversation], bool]:
    return lambda one: any(_says(found, message) for found in _all_rewritings(chat, one))


def _says(found: Rewriting, message: str) -> bool:
    return message == found.details or message in found.whats


def _again(chat: Chat, message: str) -> Callable[[Conversation], dict[str, Any]]:
    def evidence(one: Conversation) -> dict[str, Any]:
        rows = (row for row in _all_rewritings(chat, one) if _says(row, message))
        found = next(rows, None)
        return {} if found is None else _evidence(found)

    return evidence


def rewriting(chat: Chat, one: Conversation, first: int, second: int) -> Rewriting | None:
    """Return what the messages up to ``second`` rewrite of those up to ``first``, or None."""
    earlier, later = chat.text(one.first(first)), chat.text(one.first(second))
    if earlier is None or later is None or later.startswith(earlier):
        return None
    kept = common(earlier, later)
    fields = fields_of(one.messages[:first], one.options)
    behind = [field for field in fields if _ends_behind(earlier, kept, field)]
    words = frozenset(_removed(earlier, later, kept))
    if dropped := [field for field in behind if field.mark not in later]:
        said = one.messages[:second]
        whats = tuple(dict.fromkeys(_dropped(field.what, _turn(field, said)) for field in dropped))
        return Rewriting(whats, Verdict.RISK, earlier, later, kept, words=words)
    if what := _white_space(one.messages[:first], earlier, later, kept):
        return Rewriting((what,), Verdict.RISK, earlier, later, kept)
    last = one.messages[first - 1]
    if not behind and any(f.path[0] == first - 1 and f.mark in earlier for f in fields):
        # Only words of the template behind the text of the last message.
        return Rewriting((LAST_TURN,), Verdict.FACT, earlier, later, kept)
    before_all = (BEGINNING,) if all(f.mark not in earlier[:kept] for f in fields) else ()
    if not behind:
        whats = (_words_of(str(last.get("role"))), LAST_TURN, *before_all)
        return Rewriting(whats, Verdict.RISK, earlier, later, kept, words=words)
    after = _first_after(earlier, kept, fields)
    before = _first_after(later, kept, fields_of(one.messages[:second], one.options))
    if before is None or after is None or before.what != after.what:
        what = f"other words stand before the {_what(after)} of earlier turns"
        if before is not None:
            verb = "stand" if before.what.startswith("arguments") else "stands"
            what = f"the {before.what} {verb} before the {_what(after)} of earlier turns"
        return Rewriting((what,), Verdict.RISK, earlier, later, kept)
    place = after.path[0]
    what = _words_of(one.messages[place]["role"] if isinstance(place, int) else str(place))
    is_first = _is_at_the_beginning(one, earlier, kept, fields)
    whats = (BEGINNING, what) if is_first else (what, *before_all)
    return Rewriting(whats, Verdict.RISK, earlier, later, kept, words=words)


def _white_space(messages: Sequence[Mapping[str, Any]], earlier: str, later: str, kept: int) -> str:
    """Return that white space at an end of what a message says is what two texts differ in.

    "" if it is not: the texts have to go on alike behind it, and a message has to have some there.
    """
    rest, other = earlier[kept:].lstrip(), later[kept:].lstrip()
    if not rest or not other.startswith(rest[:ALIKE]) or earlier[kept:] == rest == other:
        return ""
    before = earlier[:kept].rstrip()
    for message in messages:
        content = message.get("content")
        said = content.strip() if isinstance(content, str) else content
        if said == content or not isinstance(said, str):
            continue
        if (said and before.endswith(said)) or rest.startswith(said or rest):
            return f"white space around the {message['role']} content of earlier turns changes"
    return ""


def _what(field: Field | None) -> str:
    return "text" if field is None else field.what


def _dropped(what: str, turn: str = EARLIER) -> str:
    verb = "are" if what.startswith("arguments") else "is"
    return f"{what} of {turn} {verb} dropped"


def _turn(field: Field, messages: Sequence[Mapping[str, Any]]) -> str:
    """Return whose turn a text is of: reasoning is of the same turn until a user speaks again."""
    behind = messages[field.path[0] + 1 :] if isinstance(field.path[0], int) else ()
    is_same = field.what == THOUGHT and all(one.get("role") != "user" for one in behind)
    return SAME if is_same else EARLIER


EARLIER_THOUGHT, SAME_THOUGHT = THOUGHTS = (_dropped(THOUGHT), _dropped(THOUGHT, SAME))
"""The causes of reasoning that is dropped."""


def _words_of(role: str) -> str:
    """Return the cause for words of the template in or before the messages of a role."""
    if role in ("tools", "documents"):
        return f"the words of the template before the {role} change"
    return f"the words of the template in earlier messages of the role {role} change"


def _removed(earlier: str, later: str, kept: int) -> list[str]:
    """Return the words in brackets that a text lacks where it differs, less their slashes.

    The part that it lacks ends where both go on alike; it may begin a little before the difference,
    as where ``<think></think>`` becomes ``</think>``.
    """
    following = later[kept : kept + ALIKE]
    end = earlier.find(following, kept) if len(following) == ALIKE else -1
    if end < 0:  # what is left of it is shorter
        ends = range(max(kept, len(earlier) - ALIKE + 1), len(earlier) + 1)
        end = next(one for one in ends if following.startswith(earlier[one:]))
    rows = [WORD.findall(earlier[kept:end])]
    while kept and earlier[kept - 1] == earlier[end - 1]:
        kept, end = kept - 1, end - 1
        rows.append(WORD.findall(earlier[kept:end]))
    return [word.replace("/", "") for word in max(rows, key=len)]


def _is_at_the_beginning(one: Conversation, text: str, place: int, fields: list[Field]) -> bool:
    """Whether a place of a text stands before that of the first message, which is of no answer."""
    first = [field for field in fields if field.path[0] == 0]
    is_asked = one.messages[0].get("role") != "assistant"
    return is_asked and any(_ends_behind(text, place, field) for field in first)


def _first_after(text: str, place: int, fields: list[Field]) -> Field | None:
    """Return the text that ends first after a place."""
    found = [field for field in fields if _ends_behind(text, place, field)]
    return min(found, key=lambda field: text.find(field.mark)) if found else None


def _ends_behind(text: str, place: int, field: Field) -> bool:
    """Whether a text has a field that ends behind a place, which may be inside of its mark."""
    found = text.find(field.mark)
    return found >= 0 and found + len(field.mark) > place


def _is_answered(one: Conversation, number: int) -> bool:
    """Whether an assistant's message follows so many messages, and the last of them is not its."""
    roles = [message.get("role") for message in one.messages[number - 1 : number + 1]]
    return roles[1:] == ["assistant"] != roles[:1]


def prompt_rewriting(chat: Chat, one: Conversation, number: int) -> Rewriting | None:
    """Return what of the prompt after so many messages is not in the text with the next one."""
    if not _is_answered(one, number):
        return None
    before, prompt = (chat.text(one.first(number), prompt=ask) for ask in (False, True))
    later = chat.text(one.first(number + 1))
    if before is None or prompt is None or later is None or later.startswith(prompt):
        return None
    start = _start_of_prompt(before, prompt)
    if not later.startswith(before[:start]) or any(
        _ends_behind(before, start, field) for field in fields_of(one.messages[:number], {})
    ):
        return None  # the history itself is rewritten, which the other comparison reports
    kept = common(prompt, later)
    words, same = (MARKS.sub("...", text) for text in (prompt[start:], prompt[start:kept]))
    what = _not_begun(words)
    begins = f"it begins with {same!r} of it only" if same else "it begins with other words"
    return Rewriting((what,), Verdict.FACT, prompt, later, kept, f"{what}: {begins}")


def _not_begun(prompt: str) -> str:
    return f"a message of the history does not begin with the prompt for it, {prompt!r}"


def _prompt_of(chat: Chat, found: Problem) -> str:
    """Return what the history does not begin with if a prompt has a fault; "" if it has none."""
    one = found.conversation
    if one is None or PROMPT not in one.options or found.cause.verdict == Verdict.FACT:
        return ""
    options = {key: value for key, value in one.options.items() if key != PROMPT}
    before, prompt = (chat.text(each) or "" for each in (replace(one, options=options), one))
    return _not_begun(MARKS.sub("...", prompt[_start_of_prompt(before, prompt) :]))


def _start_of_prompt(before: str, prompt: str) -> int:
    """Return where a prompt begins: some templates end a text without one otherwise."""
    start = common(before, prompt)
    return start if start == len(before) else len(prompt[:start].rstrip("<[|"))
