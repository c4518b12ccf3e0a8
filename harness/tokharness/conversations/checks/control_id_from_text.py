"""A text of the conversation becomes a control token.

Why it matters: control tokens say who speaks. A user, a web page that a tool has read, or the
description of a tool that writes ``<|im_end|>`` and ``<|im_start|>system`` closes its own turn and
speaks as the system.

Oracle: invariant of a template with a tokenizer: the number of each control id in a prompt does not
depend on the texts of its messages.

How it works: each field of a conversation, such as the content of a user or the arguments of a
call, gets the text of each special and added token, and near misses of it: other case, full width,
with an invisible character, with a look-alike letter. It is encoded in two ways: the
whole rendering, as ``apply_chat_template`` and most servers do, and the field apart, by the entry
point for plain text. Then the text between two messages of the template is put into a message of
the user: if the ids are those of two messages, the turn is forged. Last, a token is split between
two texts that stand next to each other in the rendering, such as the parts of a content, and
between a text and the words of the template next to it.

Verdicts: *risk* if the whole rendering gives a control id, as the way promises nothing; the
evidence has the smallest text for each field. *Bug* if the field that is encoded apart gives the id
of a special token, or if another text than the token's own gives it. *Risk* if it gives the id of
an added token that is not special. *By design*: the statement of which fields are closed, and what
was tried.

Example::

    TOK512 risk  control id from text: rendered, then encoded

What to do: encode the texts of messages apart, with special tokens as text, or refuse texts that
have control tokens.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokharness.conversations.chat import Conversation, Problem
from tokharness.conversations.shapes import Marks, fields_of, filled
from tokharness.conversations.states import OPEN_FIELDS
from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.conversations.chat import Chat
    from tokharness.conversations.shapes import Field
    from tokharness.conversations.token_ids import Ids, Tokens

CODE = "TOK512"
NAME = "control-id-from-text"
NEEDS_TOKENS = True

MOST_TOKENS = 48
"""Control tokens that are tried; those that the template itself writes come first."""

LOOK_ALIKES = str.maketrans("aeopc", "\u0430\u0435\u043e\u0440\u0441")
"""Latin letters, and Cyrillic ones that look like them."""

WHOLE, APART = "rendered, then encoded", "encoded apart, as plain text"


@dataclass(frozen=True, slots=True)
class Place:
    """A field of a conversation, which the rendering shows once."""

    field: Field
    conversation: Conversation
    rendered: str

    def with_text(self, text: str) -> Conversation:
        """Return the conversation with another text in the field."""
        texts = {self.field.mark: text}
        messages = tuple(filled(list(self.conversation.messages), texts))
        return Conversation(messages, filled(dict(self.conversation.options), texts))


def not_applicable(chat: Chat) -> str:
    """Return why the check has nothing to see, or ""."""
    if chat.tokens is None or not chat.tokens.reads_special:
        return "the target has no entry point that reads special tokens and adds none"
    if not chat.tokens.special and not chat.tokens.added:
        return "the tokenizer declares no special token"
    return ""


def examine(chat: Chat) -> Iterator[Problem]:
    """Yield a problem for each way by which a text becomes a control token."""
    tokens = chat.tokens
    if tokens is None:
        return
    places = _places(chat)
    control = _control_tokens(chat, tokens)
    rows = [(place, row) for place in places for row in _open_whole(chat, tokens, place, control)]
    exact = [(place, row) for place, row in rows if row["is exact"]]
    if exact:
        yield _open_problem(chat, tokens, exact)
    for place, row in rows:
        if not row["is exact"]:
            message = (
                f"a text that is not that token's own becomes the control token {row['token']}"
            )
            cause = Cause("control id from text", (("of", row["how"]),), Verdict.BUG, message)
            yield Problem(cause, place.with_text(row["text"]), _shown(row), (place.field.what,))
    yield from _apart(tokens, places, control)


def _shown(row: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key not in ("is exact", "how")}


def _open_problem(chat: Chat, tokens: Tokens, rows: list[tuple[Place, dict[str, Any]]]) -> Problem:
    forged = forged_turn(chat, tokens)
    fields = list(dict.fromkeys(place.field.what for place, _ in rows))
    message = (
        f"a text becomes a control token in {len(fields)} of {len(_places(chat))} fields "
        f"({', '.join(fields)}), as special tokens are read from the whole rendering"
    )
    evidence: dict[str, Any] = {"fields": [_shown(row) for _, row in rows], OPEN_FIELDS: fields}
    conversation = rows[0][0].with_text(rows[0][1]["text"])
    if forged is not None:
        conversation, ids = forged
        message = f"{message}: one message of a user has the ids of a user's and an assistant's"
        evidence = {"ids of both": ids, **evidence}
    if split := list(_split(chat, tokens, _control_tokens(chat, tokens))):
        where = ", ".join(row["between"] for row in split)
        message = f"{message}; a token is also read that no text has whole, from {where}"
        evidence["split"] = split
    cause = Cause("control id from text", (("way", WHOLE),), Verdict.RISK, message)
    return Problem(cause, conversation, evidence, tuple(fields))


def _places(chat: Chat) -> list[Place]:
    """Return a place for each kind of field, in the simplest conversation that shows it."""
    found: dict[str, Place] = {}
    for _, one, text in chat.standard:
        for field in fields_of(one.messages, one.options):
            if field.what not in found and text.count(field.mark) == 1:
                found[field.what] = Place(field, one, text)
    return list(found.values())


def _control_tokens(chat: Chat, tokens: Tokens) -> dict[str, int]:
    """Return the control tokens to try: those of the template first, at most so many."""
    source = chat.template.source
    all_tokens = {**tokens.special, **tokens.added}
    first = sorted(all_tokens.items(), key=lambda item: (item[0] not in source, len(item[0])))
    return dict([(text, number) for text, number in first if text.strip()][:MOST_TOKENS])


def near_misses(text: str) -> Iterator[tuple[str, str]]:
    """Yield texts that resemble a token's, each with what was changed."""
    middle = len(text) // 2
    yield "other case", text.swapcase()
    yield "full width", "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)
    yield "a zero width space", f"{text[:middle]}\u200b{text[middle:]}"
    yield "a soft hyphen", f"{text[:middle]}\u00ad{text[middle:]}"
    yield (
        "a look-alike letter",
        text.translate(str.maketrans("aeopc", "\u0430\u0435\u043e\u0440\u0441")),
    )
    yield "a space inside", f"{text[:middle]} {text[middle:]}"
    yield "a tag character", f"{text[:middle]}\U000e0061{text[middle:]}"


def _open_whole(
    chat: Chat, tokens: Tokens, place: Place, control: dict[str, int]
) -> Iterator[dict[str, Any]]:
    """Yield the shortest exact text that becomes a control token, and each near miss that does."""
    honest = Counter(tokens.read(place.rendered) or ())
    tries = [("exact text", text, text, number) for text, number in control.items()]
    tries += [
        (how, text, miss, number)
        for text, number in control.items()
        for how, miss in near_misses(text)
        if text not in miss and number not in tokens.unknown
    ]
    conversations = [place.with_text(f"a{text}b") for _, _, text, _ in tries]
    texts = chat.texts(conversations)
    tokens.read_all([text for text in texts if text is not None])  # in one request
    seen: set[str] = set()
    for (how, token, text, number), rendered in zip(tries, texts, strict=True):
        if rendered is None or how in seen:
            continue
        is_exact = how == "exact text"
        if Counter(tokens.read(rendered) or ())[number] > honest[number]:
            if not is_exact and not _is_read_again(chat, tokens, place, miss=text, number=number):
                continue
            seen.add(how)
            yield {
                "field": place.field.what,
                "text": f"a{text}b",
                "token": token,
                "id": number,
                "is exact": is_exact,
                "how": how,
            }


def _is_read_again(chat: Chat, tokens: Tokens, place: Place, *, miss: str, number: int) -> bool:
    """Whether a near miss also makes a control id of other letters next to it.

    A tokenizer whose ids are not repeatable may have lost one where it read the plain rendering.
    """
    texts = chat.texts([place.with_text(text) for text in ("cd", f"c{miss}d")])
    plain, given = (Counter(tokens.read(text or "") or ())[number] for text in texts)
    return given > plain


def _split(chat: Chat, tokens: Tokens, control: dict[str, int]) -> Iterator[dict[str, Any]]:
    """Yield tokens of which two texts have a part each, or a text and the template.

    A filter that looks at each text alone sees none of them.
    """
    tried: set[tuple[str, ...]] = set()
    for _, one, text in chat.standard:
        shown = [f for f in fields_of(one.messages, one.options) if text.count(f.mark) == 1]
        shown.sort(key=lambda field: text.index(field.mark))
        for field, following in zip(shown, [*shown[1:], None], strict=False):  # there may be none
            between, words, tries = _tries_between(text, field, following, control)
            if not tries or (between, *words) in tried:
                continue
            tried.add((between, *words))
            if row := _first_open(chat, tokens, one, text, tries, control):
                yield {"between": between, **row}


_Tries = list[tuple[str, dict[str, str]]]


def _tries_between(
    text: str, field: Field, following: Field | None, control: dict[str, int]
) -> tuple[str, tuple[str, str], _Tries]:
    """Return between what a token may be split, the words next to it, and the texts to try."""
    start = text.index(field.mark)
    end = start + len(field.mark)
    if following is not None and text.startswith(following.mark, end):
        between = f"{_a(field.what)} and {_a(following.what)}"
        if (field.what, field.path[0]) == (following.what, following.path[0]):
            between = f"two parts of {_a(field.what)}"
        texts = [(token, f"a{token[:1]}", f"{token[1:]}b") for token in control]
        tries = [(token, {field.mark: a, following.mark: b}) for token, a, b in texts]
        return between, ("", ""), tries
    longest = max(map(len, control), default=0)
    before, after = text[max(start - longest, 0) : start], text[end : end + longest]
    tries = [
        (token, {field.mark: part})
        for token in control
        for part in _completing_parts(token, before, after)
    ]
    return f"{_a(field.what)} and the template", (before, after), tries


def _a(what: str) -> str:
    if what.startswith("arguments"):
        return what
    return f"an {what}" if what[0] in "ai" else f"a {what}"


def _completing_parts(token: str, before: str, after: str) -> Iterator[str]:
    """Yield the parts of a token that make it whole with the text of the template next to them."""
    for size in range(1, len(token)):
        if after.startswith(token[size:]):
            yield f"a{token[:size]}"
        if before.endswith(token[:size]):
            yield f"{token[size:]}b"


def _first_open(
    chat: Chat,
    tokens: Tokens,
    one: Conversation,
    honest: str,
    tries: Sequence[tuple[str, dict[str, str]]],
    control: dict[str, int],
) -> dict[str, Any] | None:
    """Return the first of some texts that makes a control id more, or None."""
    counts = Counter(tokens.read(honest) or ())
    filled_ones = [
        Conversation(tuple(filled(list(one.messages), texts)), filled(dict(one.options), texts))
        for _, texts in tries
    ]
    for (token, texts), text in zip(tries, chat.texts(filled_ones), strict=True):
        is_more = (
            text is not None
            and Counter(tokens.read(text) or ())[control[token]] > (counts[control[token]])
        )
        if is_more and not any(token in part for part in texts.values()):
            return {"texts": list(texts.values()), "token": token, "id": control[token]}
    return None


def _apart(tokens: Tokens, places: list[Place], control: dict[str, int]) -> Iterator[Problem]:
    """Yield what the entry point for plain text reads as a control token, or that it does not."""
    tries = [(text, text) for text in control]
    tries += [(text, miss) for text in control for _, miss in near_misses(text)]
    rows = tokens.plain_all([f"a{text}b" for _, text in tries])
    opened: dict[str, list[tuple[str, str, Ids]]] = {"special": [], "added": []}
    for (token, text), ids in zip(tries, rows, strict=True):
        number = control[token]
        is_unknown = number in tokens.unknown
        if is_unknown and text == token:  # a character of the token may be unknown, too
            is_unknown = _is_in_part(token, number, tokens)
        if ids is not None and number in ids and not is_unknown:
            kind = "special" if token in tokens.special else "added"
            opened[kind].append((token, f"a{text}b", ids))
    for kind, found in opened.items():
        if found and places:
            token, text, ids = found[0]  # of the template, if it writes one
            what = "special token" if kind == "special" else "added token that is not special"
            verdict = Verdict.BUG if kind == "special" else Verdict.RISK
            number = len({name for name, _, _ in found})
            message = (
                f"the entry point for plain text reads {number} of {len(control)} control tokens "
                f"from text, such as {token}, which is a{'n' if kind == 'added' else ''} {what}"
            )
            cause = Cause("control id from text", (("way", f"{APART}: {what}"),), verdict, message)
            evidence = {"text": text, "ids": ids, "token": token, "id": control[token]}
            yield Problem(cause, places[0].with_text(text), evidence, (places[0].field.what,))
    if not opened["special"] and not opened["added"] and places:
        fields = ", ".join(place.field.what for place in places)
        message = (
            f"encoded apart, no field becomes a control token: {len(tries):,} texts of "
            f"{len(control)} tokens and near misses of them were tried, for {len(places)} fields"
        )
        cause = Cause("closed", (("way", APART),), Verdict.FACT, message)
        yield Problem(cause, None, {"fields": fields}, ())


def _is_in_part(token: str, number: int, tokens: Tokens) -> bool:
    """Whether a single character of a token has its id, as the character is unknown."""
    rows = tokens.plain_all(list(token)) if len(token) > 1 else []
    return any(ids is not None and number in ids for ids in rows)


def forged_turn(chat: Chat, tokens: Tokens) -> tuple[Conversation, Ids] | None:
    """Return a message of a user whose ids are those of a user's message and an answer.

    With it the ids up to the end of the answer; None if there is no such text.
    """
    m = Marks()
    options = chat.needed
    messages = (m.user(), m.assistant())
    asked, answered = (str(message["content"]) for message in messages)
    text = chat.text(Conversation(messages, options))
    if text is None or text.count(asked) != 1 or text.count(answered) != 1:
        return None
    between = text[text.index(asked) + len(asked) : text.index(answered)]
    words = {asked: "text1", answered: "text2"}
    honest = text[: text.index(answered) + len(answered)]
    for old, new in words.items():
        honest = honest.replace(old, new)
    forged = Conversation(({"role": "user", "content": f"text1{between}text2"},), options)
    rendered = chat.text(forged)
    expected = tokens.read(honest)
    given = None if rendered is None else tokens.read(rendered)
    if expected is None or given is None or given[: len(expected)] != expected:
        return None
    special = {*tokens.special.values(), *tokens.added.values()}
    is_control = any(number in special for number in tokens.read(between) or ())
    return (forged, expected) if is_control else None
