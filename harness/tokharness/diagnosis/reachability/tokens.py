"""The reach of all tokens: their states, the texts that may hold them, and the search for one.

The text of each ordinary token by itself is tried first.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, islice, product
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.probes.calls import decode_all, encode_all
from tokharness.diagnosis.probes.id_sequences import is_utf8, text_or_bytes
from tokharness.diagnosis.special.added import own_added_tokens
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.model import Target
    from tokharness.targets.subject import Subject

# The states of a token.

ALONE = "alone"
IN_CONTEXT = "in context"
UNREACHABLE = "unreachable"
NOT_REACHED = "not reached"


@dataclass(frozen=True, slots=True)
class Reach:
    """Which text holds a token.

    Attributes:
        state: ``alone``: the token's own text is encoded to this token alone. ``in context``:
            another text is encoded to ids with the token. ``unreachable``: it is proven that no
            text gives the token. ``not reached``: no text that was tried gives the token.
        witness: A text that the target encodes to ids with the token; "" without one.
        reason: Why it is unreachable, or how many texts were tried; "" if there is a witness.

    """

    state: str
    witness: str = ""
    reason: str = ""


# Bytes that occur in UTF-8.

LONGEST_CHARACTER = 4
"""Most bytes that a character has in UTF-8."""

ENDS = (b"", b"\x80", b"\x80\x80", b"\x80\x80\x80", b"\xa0\x80", b"\x90\x80\x80")
"""Any incomplete character is completed by one of these (Unicode Standard, table 3-7)."""


def is_in_utf8(data: bytes) -> bool:
    """Whether these bytes occur in a text; they may begin and end inside a character."""
    start = next((at for at, byte in enumerate(data) if byte & 0xC0 != 0x80), len(data))
    return start < LONGEST_CHARACTER and any(is_utf8(data[start:] + end) for end in ENDS)


# Texts that may hold a token: its own text in contexts, and completed characters.

CONTEXTS = (
    *(("x", ""), ("", "x"), (" ", ""), ("", " x"), ("\n", ""), ("", "\n"), ("1", ""), ("", "1")),
    *(("!", ""), ("", "!"), ("a", "a"), ("\u4e2d", ""), ("", "\u4e2d"), ("a ", " a"), ("", "'s")),
    *(("X", ""), ("", "A"), ("\ue000", "\ue000")),
)
"""Texts that are put before and after the text of a token."""

NEIGHBOURS = ("a", "x", " a", "1", "!", " ", "\n", "\u4e2d", "\u00e9", "\U0001f600", "\ue000")

ALIKE, MOST_TEXTS = 2, 96
"""Most similar completions of an incomplete character, and most texts tried for a token."""

COMPLETING = (
    *(range(0x80, 0xD800), range(0xE000, 0x10000), range(0x1F300, 0x1FB00)),
    *(range(0x10000, 0x10400), range(0x20000, 0x20400), (0x40000, 0x80000, 0xC0000, 0x100000)),
)
"""The code points that complete parts of characters."""


def texts_around(own: str | bytes) -> list[str]:
    """Return texts that have the text or the bytes of a token."""
    if isinstance(own, str):
        return [before + own + after for before, after in CONTEXTS]
    texts = list(islice(_completed(own), MOST_TEXTS))
    return [*texts, *(f" {text}" for text in texts), *(f"a{text}" for text in texts)]


def texts_with_neighbours(subject: Subject, numbers: Sequence[int]) -> list[list[str]]:
    """Return texts of each id between others, as the target decodes them.

    A piece of a word decodes to its own text, without marks of the format, only after another
    piece.
    """
    unknown = subject.target.unknown_id
    rows = [list(subject.encode(text) or ()) for text in NEIGHBOURS]
    neighbours = [*([ids[-1]] for ids in rows if ids and ids[-1] != unknown), []]
    sequences = [[*before, number] for number in numbers for before in neighbours]
    sequences += [
        [*before, number, *after]
        for number in numbers
        for before, after in zip(neighbours, neighbours[::-1], strict=True)
    ]
    texts = decode_all(sequences, subject)
    found: dict[int, list[str]] = {number: [] for number in numbers}
    size, many = len(neighbours), len(numbers)
    for place, text in enumerate(texts):
        if not isinstance(text, Raised):
            found[numbers[place // size % many]].append(text)
    return [found[number] for number in numbers]


def _completed(data: bytes) -> Iterator[str]:
    """Yield texts that complete the characters at the start and the end of bytes."""
    size = next((at for at, byte in enumerate(data) if byte & 0xC0 != 0x80), len(data))
    starts = _starts().get(data[:size], ()) if size else (b"",)
    whole = data[size:].decode("utf-8", "ignore").encode()
    ends = _ends().get(data[size + len(whole) :], ()) if data[size:] != whole else (b"",)
    for start, end in product(starts, ends):
        try:
            yield (start + data + end).decode()
        except UnicodeDecodeError:
            continue


@cache
def _starts() -> Mapping[bytes, list[bytes]]:
    """Return the bytes that may precede continuation bytes at the end of a character."""
    found: dict[bytes, list[bytes]] = {}
    for data in _characters():
        for size in range(1, len(data)):
            _add(found, data[-size:], data[:-size])
    return found


@cache
def _ends() -> Mapping[bytes, list[bytes]]:
    """Return the bytes that may follow the bytes at the start of a character."""
    found: dict[bytes, list[bytes]] = {}
    for data in _characters():
        for size in range(1, len(data)):
            _add(found, data[:size], data[size:])
    return found


def _characters() -> Iterator[bytes]:
    return (chr(point).encode() for point in chain.from_iterable(COMPLETING))


def _add(found: dict[bytes, list[bytes]], part: bytes, rest: bytes) -> None:
    rests = found.setdefault(part, [])
    if [one[0] for one in rests].count(rest[0]) < ALIKE:
        rests.append(rest)


# Encode texts that may hold tokens, and note the tokens that they hold.

MOST_AT_ONCE = 2000
"""Most tokens for which texts with neighbours are made at a time."""


@dataclass
class Search:
    """A search for texts that give tokens, and its results so far.

    Attributes:
        subject: Has the target that encodes the texts.
        reach: The reach of each token for which a text was found.
        tried: How many texts were tried for each token, including its own text.

    """

    subject: Subject
    reach: dict[int, Reach]
    tried: Counter[int] = field(default_factory=Counter)

    def try_texts(self, texts: Mapping[int, Sequence[str]]) -> None:
        """Encode the first text of each token, then the second text of each remaining token, ...

        The first texts give most tokens, so that few further texts are encoded.
        """
        place, left = 0, {number: row for number, row in texts.items() if row}
        while left:
            rows = encode_all([row[place] for row in left.values()], self.subject)
            for (number, row), ids in zip(left.items(), rows, strict=True):
                self.tried[number] += 1
                if not isinstance(ids, Raised) and number in ids:
                    self.reach[number] = Reach(IN_CONTEXT, row[place])
            place += 1
            left = {
                number: row
                for number, row in left.items()
                if number not in self.reach and len(row) > place
            }

    def try_neighbours(self, numbers: Sequence[int]) -> None:
        """Try texts of each token with other tokens around it, as the target decodes them."""
        for start in range(0, len(numbers), MOST_AT_ONCE):
            part = numbers[start : start + MOST_AT_ONCE]
            rows = texts_with_neighbours(self.subject, part)
            self.try_texts(dict(zip(part, rows, strict=True)))


NOT_UTF8 = "no UTF-8 text has its bytes"
TEXT_UNKNOWN = "the target does not show its bytes"
SECOND_ID = "the vocabulary has another id for its text"

FEW = 4
"""Contexts tried before the reference is asked, and for tokens that it proves unreachable."""


def reach_of_tokens(subject: Subject) -> Mapping[int, Reach]:
    """Return the reach of each token that is not special, by id.

    A text is a witness only if the target itself encodes it to ids with the token. Proofs come from
    the reference (``reach``), which reads the same vocabulary.
    """
    own = own_texts(subject)
    return subject.cache.get_or_compute("reach of tokens", lambda: reach_among(own, subject))


def reach_among(own: Mapping[int, str | bytes], subject: Subject) -> dict[int, Reach]:
    """Return the reach of these tokens, given with their own texts by id, and keep none of it."""
    search = Search(subject, _reach_by_own_text(own, subject))
    left = [number for number in own if number not in search.reach]
    search.try_texts({n: texts_around(own[n])[:FEW] for n in left if isinstance(own[n], str)})
    proofs = _ask_reference(own, search)
    proofs |= {
        number: NOT_UTF8
        for number, data in own.items()
        if number not in search.reach and isinstance(data, bytes) and not is_in_utf8(data)
    }
    left = [number for number in own if number not in search.reach]
    search.try_texts({n: texts_around(own[n]) for n in left if n not in proofs})
    # An id that also belongs to a special token is decoded as the special token.
    done = {*search.reach, *proofs, *subject.target.conflicting_tokens}
    search.try_neighbours([number for number in left if number not in done])
    for number in left:
        if number in search.reach:
            continue
        tried = f"{search.tried[number]:,} texts were tried"
        reason = proofs.get(number)
        if not reason and _is_unknown(own[number], subject):
            tried = TEXT_UNKNOWN
        search.reach[number] = Reach(UNREACHABLE if reason else NOT_REACHED, "", reason or tried)
    return dict(sorted(search.reach.items()))


def _rows_of_owner(numbers: Sequence[int], subject: Subject) -> Any:
    """Return the rows of tokens from the first implementation with ``reach``; None without one."""
    if subject.reference is not None and subject.reference.can("reach"):
        return subject.ask_reference("reach", numbers)
    owners = (subject.explainer, subject.target)
    owner = next((one for one in owners if one is not None and one.can("reach")), None)
    return None if owner is None else owner.call("reach", numbers)


def _is_pair_of_texts(row: object) -> bool:
    """Whether a row of ``reach`` has the right shape; a target may use the name differently."""
    return isinstance(row, tuple | list) and [type(part) for part in row] == [str, str]


def _is_unknown(own: str | bytes, subject: Subject) -> bool:
    """Whether the bytes of a token are unknown, since its id decodes to U+FFFD."""
    return "\ufffd" in str(own) and not subject.target.can("decode_single_token_bytes")


def _reach_by_own_text(own: Mapping[int, str | bytes], subject: Subject) -> dict[int, Reach]:
    """Encode the own text of each token."""
    texts = {number: text for number, text in own.items() if isinstance(text, str)}
    reach: dict[int, Reach] = {}
    for (number, text), ids in zip(
        texts.items(), encode_own_texts(list(texts.values()), subject), strict=True
    ):
        if ids == [number]:
            reach[number] = Reach(ALONE, text)
        elif not isinstance(ids, Raised) and number in ids:
            is_alone = without_affixes(ids, subject) == [number]
            reach[number] = Reach(ALONE if is_alone else IN_CONTEXT, text)
    return reach


def _ask_reference(own: Mapping[int, str | bytes], search: Search) -> dict[int, str]:
    """Try the texts that the reference gives for tokens; return its proofs."""
    subject = search.subject
    numbers = [number for number in own if number not in search.reach]
    rows = _rows_of_owner(numbers, subject) if numbers else None
    conflicting = subject.target.conflicting_tokens
    first = {text for number, text in own.items() if number not in conflicting}
    proofs = {n: SECOND_ID for n in numbers if n in conflicting and own[n] in first}
    if not isinstance(rows, list):
        return proofs
    pairs = zip(numbers, rows, strict=False)
    found = [(number, *row) for number, row in pairs if _is_pair_of_texts(row)]
    search.try_texts({number: [text] for number, text, _ in found if text})
    return proofs | {number: reason for number, _, reason in found if reason}


def own_texts(subject: Subject) -> Mapping[int, str | bytes]:
    """Return the text of each token that is not special, by id; bytes if they are no text.

    The text comes from the token's bytes or, if the target does not show these, from decoding its
    id. An id without bytes and without a decoded text is left out.
    """
    return subject.cache.get_or_compute("own texts", lambda: _own_texts(subject))


def _own_texts(subject: Subject) -> dict[int, str | bytes]:
    """Return the texts; added tokens have their declared text, whatever their ids decode to."""
    texts = _texts_of_ids(subject)
    declared = {n: text for text, n in own_added_tokens(subject).items() if n in texts}
    return {**texts, **declared}


def _texts_of_ids(subject: Subject) -> dict[int, str | bytes]:
    target = subject.target
    if target.can("decode_single_token_bytes"):
        vocabulary = {**subject.vocabulary(), **target.conflicting_tokens}
        return {number: text_or_bytes(data) for number, data in vocabulary.items() if data}
    special = set(target.special_tokens.values())
    numbers = [number for number in range(target.n_vocab or 0) if number not in special]
    texts = decode_all([[number] for number in numbers], subject)
    return {
        number: text or _as_written(number, target)
        for number, text in zip(numbers, texts, strict=True)
        if not isinstance(text, Raised)
    }


def _as_written(number: int, target: Target) -> str:
    """Return the text of a token as the vocabulary has it, "" if the target does not show it."""
    text = target.call("token_text", number) if target.can("token_text") else ""
    return text if isinstance(text, str) else ""


def encode_own_texts(texts: Sequence[str], subject: Subject) -> list[Any]:
    """Return the ids of the own texts of tokens, or Raised, as ``encode_all`` does.

    All callers have nearly the same texts, so each text is encoded only once. If the target is a
    process that has ended in the meantime, no call is made and no result is kept.
    """
    if subject.target.has_own_process:
        return encode_all(texts, subject)
    known: dict[str, Any] = subject.cache.get_or_compute("ids of own texts", dict)
    new = [text for text in texts if text not in known]
    known.update(zip(new, encode_all(new, subject), strict=True))
    return [known[text] for text in texts]
