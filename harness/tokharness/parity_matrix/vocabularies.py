"""The tables of tokens of all forms, compared before any text is tried."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Literal, NamedTuple

from tokharness.diagnosis.ids.byte_changes import ALPHABET
from tokharness.diagnosis.token_content.texts import plain_texts
from tokharness.engine.vocabulary_differences import BYTE_TOKEN, differences
from tokharness.model import Verdict
from tokharness.parity_matrix.model import SPECIAL, TOKEN_BYTES, Cause, Cell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from tokharness.engine.vocabulary_differences import Difference
    from tokharness.model import TokenRow
    from tokharness.parity_matrix.model import State
    from tokharness.parity_matrix.opened import Opened

STAGE, OF_ADDED = "vocabulary", "added tokens"
OTHER_SHARE = 0.5
"""Least share of the smaller vocabulary's tokens that two forms of one tokenizer have in common."""

SHIFTED_SHARE = 0.9
"""Least share of moved tokens with one distance, so that the ids are shifted."""

MAX_EXAMPLES = 5

PADDING = "padding"
"""Name of the fact that one side fills its table up with tokens such as ``[PAD1502]``, as
conversions to GGUF do: the number is the id, and no text becomes the token."""


@dataclass
class Vocabularies:
    """What the tables show: the causes, the cells, and the forms with a wholly other vocabulary.

    ``apart`` has the number of the cause by the places of two forms, if their vocabularies are
    others: their ids have nothing to do with each other, so no text is explained. ``only`` has, by
    the number of a cause, the ids whose token only one side has: the reference, and the target.
    """

    causes: list[Cause] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    apart: dict[tuple[int, int], int] = field(default_factory=dict)
    only: dict[int, tuple[frozenset[int], frozenset[int]]] = field(default_factory=dict)

    def of_pair(self, pair: tuple[int, int]) -> list[int]:
        """Return the numbers of the causes that set the tables of two forms apart."""
        cells = (cell for cell in self.cells if (cell.first, cell.second) == pair)
        return [number for cell in cells for number in cell.causes]


def compare_vocabularies(forms: Sequence[Opened], reason: Callable[[Opened], str]) -> Vocabularies:
    """Compare the tables of all pairs; equal tables are compared once."""
    found = Vocabularies()
    tables = _with_bytes(forms)
    classes = _classes(tables)
    known: dict[tuple[int, int], dict[str, list[int]]] = {}
    for first in range(len(forms)):
        for second in range(first + 1, len(forms)):
            one, other = forms[first], forms[second]
            if one.tokens_alone or other.tokens_alone:
                continue  # their tables are compared
            if not one.rows or not other.rows:
                why = reason(one if not one.rows else other)
                found.cells += [
                    Cell(first, second, TOKEN_BYTES, "not comparable", reason=why),
                    Cell(first, second, SPECIAL, "not comparable", reason=why),
                ]
                continue
            key = _ordered(classes, forms, classes[first], classes[second])
            if key not in known:
                known[key] = _compare((forms, tables), classes, key, found)
            causes = known[key]
            size = max(len(one.rows), len(other.rows))
            for aspect in (TOKEN_BYTES, SPECIAL):
                numbers = tuple(causes.get(aspect, ()))
                count = sum(found.causes[number].count for number in numbers)
                state: State = "differs" if numbers else "same"
                found.cells.append(Cell(first, second, aspect, state, numbers, count, size))
            if "apart" in causes:
                found.apart[first, second] = causes["apart"][0]
    return found


def _ordered(
    classes: Sequence[int], forms: Sequence[Opened], one: int, other: int
) -> tuple[int, int]:
    """Return two classes, first the class with references of ours, or with more forms."""

    def key(first: int) -> tuple[int, int, int]:
        members = [form for form, of in zip(forms, classes, strict=True) if of == first]
        return -sum(form.reference == form.spec for form in members), -len(members), first

    return (one, other) if key(one) <= key(other) else (other, one)


def _has(rows: Sequence[TokenRow], number: int) -> bool:
    return number < len(rows) and rows[number].kind != "hole"


def _with_bytes(forms: Sequence[Opened]) -> list[Sequence[TokenRow]]:
    """Return the tables, those without bytes with the bytes of another where these agree.

    Two forms that write one token in different ways cannot be compared without its bytes. What a
    grammar library shows are bytes inside a text, which have a table of their own.
    """
    whole = next((one.rows for one in forms if _shows_bytes(one) and not one.tokens_alone), ())
    return [
        one.rows if _shows_bytes(one) else _as_shown(_as_decoded(one, one.rows, whole), whole)
        for one in forms
    ]


def _shows_bytes(form: Opened) -> bool:
    return any(row.bytes is not None for row in form.rows)


def _classes(tables: Sequence[Sequence[TokenRow]]) -> list[int]:
    """Return, for each form, the place of the first form with an equal table."""
    first: dict[object, int] = {}
    return [
        first.setdefault(tuple((row.id, row.content, row.kind) for row in rows), place)
        for place, rows in enumerate(tables)
    ]


def _compare(
    sides: tuple[Sequence[Opened], Sequence[Sequence[TokenRow]]],
    classes: Sequence[int],
    key: tuple[int, int],
    found: Vocabularies,
) -> dict[str, list[int]]:
    """Compare two tables; add the causes, and return their numbers by the aspect."""
    if key[0] == key[1]:
        return {}
    against, own = (
        tuple(place for place, one in enumerate(classes) if one == each) for each in key
    )
    forms, tables = sides
    first = _as_decoded(forms[key[0]], tables[key[0]], tables[key[1]])
    second = _as_decoded(forms[key[1]], tables[key[1]], first)
    numbers: dict[str, list[int]] = {}
    changes = _changes(_as_shown(first, second), _as_shown(second, first))
    for one in changes:
        number = len(found.causes)
        verdict = Verdict.FACT if one.name == PADDING else Verdict.BUG
        if verdict is Verdict.BUG:
            numbers.setdefault(one.aspect, []).append(number)
        if one.name == OTHER:
            numbers["apart"] = [number]
        if one.only_first or one.only_second:
            found.only[number] = one.only_first, one.only_second
        words = one.stage, one.name, one.message
        found.causes.append(Cause(one.aspect, *words, verdict, one.tokens, own, against))
    return numbers


def is_unseen(row: TokenRow) -> bool:
    """Whether a form shows nothing of an id, as for a call that raises."""
    return row.content is None and row.kind != "hole"


def _as_decoded(
    form: Opened, rows: Sequence[TokenRow], others: Sequence[TokenRow]
) -> Sequence[TokenRow]:
    """Return the rows of a form, with the other's token where its decoded text alone fits.

    A form that shows neither the bytes nor the text of a token shows what it decodes the id to: a
    decoder may drop the space at the start, a part of a character is U+FFFD there, and nothing
    says what a special token is.
    """
    if {"decode_single_token_bytes", "token_text"} & {*form.capabilities}:
        return rows
    special = {row.id for row in others if row.kind == "special"}
    written = {row.id: row.text for row in others if row.kind == "ordinary" and row.text}
    plain = plain_texts(written)
    for number, text in written.items():
        if match := BYTE_TOKEN.fullmatch(text):
            plain[number] = bytes.fromhex(match[1]).decode("utf-8", "replace")
    return [
        others[row.id]
        if row.id in special
        or (row.id in plain and (row.text or "").lstrip(" ") == plain[row.id].lstrip(" "))
        else row
        for row in rows
    ]


def _as_shown(rows: Sequence[TokenRow], others: Sequence[TokenRow]) -> list[TokenRow]:
    """Return the rows of a form, with the other's bytes where the form's text stands for them.

    Of an id that the form shows nothing of, it says nothing.
    """
    found = []
    for row, other in zip_longest(rows, others[: len(rows)]):
        data = None if other is None or row.bytes is not None else other.bytes
        text = None if data is None else data.decode("utf-8", "replace")
        if other is not None and is_unseen(row):
            found.append(replace(row, bytes=other.bytes, text=other.text, kind=other.kind))
        elif other is not None and text == BYTE_ORDER_MARK and not row.text:
            found.append(replace(row, bytes=data, kind=other.kind))
        elif data is not None and _stands_for(row.text or "", data):
            found.append(replace(row, bytes=data, text=other.text if other else None))
        else:
            found.append(row)
    return found


def _stands_for(text: str, data: bytes) -> bool:
    """Whether a form without bytes shows a token so: decoded, or as vocabularies write it.

    Decoded, part of a character is U+FFFD, and some decoders drop U+FEFF at the start.
    """
    decoded = data.decode("utf-8", "replace")
    if text in (decoded, decoded.removeprefix(BYTE_ORDER_MARK), f"<0x{data.hex().upper()}>"):
        return True
    if text.replace("\u2581", " ") == decoded:
        return True
    try:
        return text.translate(ALPHABET).encode("latin-1") == data
    except UnicodeEncodeError:
        return False


BYTE_ORDER_MARK = "\ufeff"
OTHER = "another vocabulary"
SHIFTED, MOVED = "ids are shifted", "tokens have different ids"
"""Names of the causes with which both forms cut a text into the same tokens."""


class Change(NamedTuple):
    """What has changed: a sentence, the number of tokens, and the ids that one side alone has."""

    aspect: str
    stage: str
    name: str
    message: str
    tokens: int
    only_first: frozenset[int] = frozenset()
    only_second: frozenset[int] = frozenset()


def _changes(first: Sequence[TokenRow], second: Sequence[TokenRow]) -> Iterator[Change]:
    """Yield what has changed, or only that the vocabularies are others."""
    by_change: dict[str, list[Difference]] = {}
    for one in differences(first, second, {}):
        by_change.setdefault("removed" if one.change == "split" else one.change, []).append(one)
    gone = sum(len(one.first) for one in by_change.get("removed", ()))
    new = sum(len(one.second) for one in by_change.get("added", ()))
    sizes = [sum(row.kind != "hole" for row in rows) for rows in (first, second)]
    kept, least = sizes[0] - gone, min(sizes)
    if kept < OTHER_SHARE * least:
        message = (
            f"the vocabularies are others: {kept:,} of the {least:,} tokens of the smaller one are "
            "in both"
        )
        yield Change(TOKEN_BYTES, STAGE, OTHER, message, gone + new)
        return
    yield from _changed_tokens(by_change, first, second)
    yield from _other_kinds(by_change.get("other kind", []))


def _changed_tokens(
    by_change: Mapping[str, Sequence[Difference]],
    first: Sequence[TokenRow],
    second: Sequence[TokenRow],
) -> Iterator[Change]:
    """Yield ids with other tokens, tokens that only one side has, and tokens with different ids.

    A token whose id stands for another token is not reported as one that is missing, too, unless
    that token has got the id by a shift. A token with more ids on one side stands there in the
    place of others.
    """
    all_moved = by_change.get("moved", ())
    doubled = [one for one in all_moved if len(one.first) != len(one.second)]
    only_first = _rows_of("first", (*by_change.get("removed", ()), *doubled))
    only_second = _rows_of("second", (*by_change.get("added", ()), *doubled))
    same = _rows_of("first", doubled).keys() & _rows_of("second", doubled).keys()
    shifted = [one for one in all_moved if one not in doubled]
    before, after = _rows_of("first", shifted), _rows_of("second", shifted)
    only_first |= {n: first[n] for n in only_second if _has(first, n) and n not in before}
    only_second |= {n: second[n] for n in only_first if _has(second, n) and n not in after}
    replaced = sorted((only_first.keys() & only_second.keys()) - same)
    if replaced:
        pairs = [
            f"{n:,} ({_shown(only_first[n])}, here {_shown(only_second[n])})" for n in replaced
        ]
        row = _row("ids with other tokens", ("id stands", "ids stand"), "for other tokens", pairs)
        yield row._replace(only_first=frozenset(replaced), only_second=frozenset(replaced))
    missing = [row for number, row in only_first.items() if number not in only_second]
    for row in _by_kind("tokens are missing", "missing", missing):
        yield row._replace(only_first=row.only_second, only_second=frozenset())
    further = [row for number, row in only_second.items() if number not in only_first]
    yield from _by_kind("further tokens", "only here", further)
    left = {*replaced}
    moved = [one for one in shifted if one.first[0].id not in left]
    if moved:
        yield _moved(moved)


def _rows_of(side: Literal["first", "second"], found: Iterable[Difference]) -> dict[int, TokenRow]:
    rows = (row for one in found for row in (one.first if side == "first" else one.second))
    return {row.id: row for row in rows}


TOKENS_ARE = ("token is", "tokens are")


def _by_kind(name: str, what: str, rows: Sequence[TokenRow]) -> Iterator[Change]:
    """Yield the tokens of the model, and the added ones, that only one side has."""
    padding = [row for row in rows if row.content == f"[PAD{row.id}]"]
    if padding:
        yield _row(
            PADDING, ("id is", "ids are"), f"padding, and {what}", list(map(_named, padding))
        )
    left = [row for row in rows if row not in padding]
    for stage in (STAGE, OF_ADDED):
        some = [row for row in left if (row.kind in ("special", "added")) == (stage == OF_ADDED)]
        if some:
            change = _row(name, TOKENS_ARE, what, list(map(_named, some)))
            yield change._replace(stage=stage, only_second=frozenset(row.id for row in some))


def _row(name: str, noun: tuple[str, str], what: str, examples: Sequence[str]) -> Change:
    shown = ", ".join(examples[:MAX_EXAMPLES])
    count = f"{len(examples):,} {noun[len(examples) != 1]}"
    return Change(TOKEN_BYTES, STAGE, name, f"{count} {what}: {shown}", len(examples))


def _moved(moved: Sequence[Difference]) -> Change:
    pairs = [(one.first[0], one.second[0]) for one in moved]
    distances = Counter(after.id - before.id for before, after in pairs)
    distance, number = distances.most_common(1)[0]
    if number >= SHIFTED_SHARE * len(pairs) and number > 1:
        start = min(before.id for before, after in pairs if after.id - before.id == distance)
        message = f"the ids of {number:,} tokens are shifted by {distance:+,}, from id {start:,} on"
        return Change(TOKEN_BYTES, STAGE, SHIFTED, message, len(pairs))
    examples = [f"{_shown(one)} ({one.id:,}, here {other.id:,})" for one, other in pairs]
    return _row(MOVED, ("token has", "tokens have"), "different ids", examples)


def _other_kinds(found: Sequence[Difference]) -> Iterator[Change]:
    """Yield the tokens that are special on one side only."""
    for name, what, side in (
        ("special tokens are not special", "special here no more", "first"),
        ("further special tokens", "special only here", "second"),
    ):
        other = "second" if side == "first" else "first"
        rows = [
            getattr(one, side)[0]
            for one in found
            if "special" in {row.kind for row in getattr(one, side)}
            and "special" not in {row.kind for row in getattr(one, other)}
        ]
        if rows:
            row = _row(name, TOKENS_ARE, what, list(map(_named, rows)))
            # Plain text has the id where the token is not special.
            ids = frozenset(one.id for one in rows), frozenset[int]()
            first, second = ids if side == "second" else ids[::-1]
            yield row._replace(aspect=SPECIAL, stage=OF_ADDED, only_first=first, only_second=second)


def _named(row: TokenRow) -> str:
    return f"{_shown(row)} ({row.id:,})"


def _shown(row: TokenRow) -> str:
    content = row.content
    return f"<{content.hex(' ')}>" if isinstance(content, bytes) else repr(content or "")
