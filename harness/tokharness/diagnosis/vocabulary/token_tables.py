"""What a library takes each id for, compared with what the file says, id by id.

A library that constrains what a model writes needs the bytes of each token, and derives them from
the file by rules of its own. A table has the bytes of the tokens that stand for text, and the ids
of special tokens, which stand for none; an id that is in neither is never part of a text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from tokharness.diagnosis.ids.byte_changes import byte_changes
from tokharness.diagnosis.vocabulary.byte_table import byte_table
from tokharness.model import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tokharness.model import TokenRow
    from tokharness.targets.subject import Subject

Aspect: TypeAlias = Literal["token bytes", "special tokens"]

MOST_SHOWN = 5
NEVER = frozenset(b"\xc0\xc1\xf5\xf6\xf7\xf8\xf9\xfa\xfb\xfc\xfd\xfe\xff")
"""Bytes that no UTF-8 text has."""

OTHER_SHARE = 0.5
"""Share of equal tokens, of the smaller table, below which the vocabularies are others."""

OTHER = "another vocabulary"
END = b"</w>"
"""The end of a word, as some vocabularies write it."""


@dataclass(frozen=True, slots=True)
class Table:
    """Tokens by their ids.

    Attributes:
        tokens: The bytes of each token that stands for text.
        special: The ids of special tokens.
        added: The ids of added tokens that are not special.

    """

    tokens: Mapping[int, bytes]
    special: frozenset[int]
    added: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class TableDifference:
    """Ids that two tables take for different things in one way, with a sentence."""

    aspect: Aspect
    name: str
    message: str
    verdict: Verdict
    ids: tuple[int, ...]


def table_of(subject: Subject) -> Table:
    """Return the table of a target; added tokens stand for their declared text."""
    target = subject.target
    added = {number: text.encode() for text, number in target.added_tokens.items()}
    special = frozenset(target.special_tokens.values())
    tokens = {**byte_table(subject), **added}
    return Table(_without(tokens, special), special, frozenset(added) - special)


def table_of_rows(rows: Sequence[TokenRow]) -> Table:
    """Return the table of the rows of a target; empty if they show no bytes."""
    special = frozenset(row.id for row in rows if row.kind == "special")
    added = {row.id: row.text.encode() for row in rows if row.kind == "added" and row.text}
    tokens = {row.id: row.bytes for row in rows if row.bytes is not None}
    shown = {**tokens, **added} if tokens else {}
    return Table(_without(shown, special), special, frozenset(added))


def _without(tokens: Mapping[int, bytes], special: frozenset[int]) -> dict[int, bytes]:
    return {number: data for number, data in tokens.items() if number not in special}


def table_differences(given: Table, expected: Table) -> list[TableDifference]:
    """Return how a table differs from the expected one, the narrowest names first."""
    groups: dict[tuple[str, Verdict, Aspect], list[int]] = {}
    for number in sorted(given.tokens.keys() | expected.tokens.keys()):
        if (found := _difference(number, given, expected)) is not None:
            groups.setdefault(found, []).append(number)
    other = sum(len(ids) for (name, _, _), ids in groups.items() if name in UNNAMED)
    least = min(len(given.tokens), len(expected.tokens))
    if other > (1 - OTHER_SHARE) * least:
        message = f"the vocabularies are others: {other:,} ids stand for other tokens"
        ids = tuple(number for ids in groups.values() for number in ids)
        return [TableDifference("token bytes", OTHER, message, Verdict.BUG, ids)]
    return [
        TableDifference(aspect, name, _sentence(name, ids, given, expected), verdict, tuple(ids))
        for (name, verdict, aspect), ids in groups.items()
    ]


def _difference(number: int, given: Table, expected: Table) -> tuple[str, Verdict, Aspect] | None:
    """Return what an id shows, how severe that is, and the aspect; None if the tables agree."""
    own, wanted = given.tokens.get(number), expected.tokens.get(number)
    if own == wanted:
        return None
    if own is not None and wanted is not None:
        return _change(wanted, own), Verdict.BUG, "token bytes"
    if number in expected.special:
        return "special tokens stand for text", Verdict.BUG, "special tokens"
    if wanted is None:
        return "further tokens", Verdict.BUG, "token bytes"
    if not NEVER.isdisjoint(wanted):
        return "bytes that no text has are left out", Verdict.FACT, "token bytes"
    if number in expected.added:
        return "added tokens stand for no text", Verdict.RISK, "special tokens"
    if number in given.special:
        return "ordinary tokens are special", Verdict.BUG, "special tokens"
    return "tokens are missing", Verdict.BUG, "token bytes"


UNNAMED = ("other bytes", "bytes missing", "bytes added", "further tokens", "tokens are missing")
"""Names of differences that another vocabulary would show, too."""


def _change(wanted: bytes, own: bytes) -> str:
    if own == b" " + wanted:
        return "a space before the token"
    if wanted == b" " + own:
        return "no space before the token"
    if own.endswith(END) and own.removesuffix(END) + b" " == wanted:
        return "</w> for the space after the token"
    if own == b"##" + wanted:
        return "## before the token"
    return byte_changes(wanted, own)[0][0]


def _sentence(name: str, ids: Sequence[int], given: Table, expected: Table) -> str:
    shown = [
        f"{number:,} ({_shown(number, given)}, in the file {_shown(number, expected)})"
        for number in ids[:MOST_SHOWN]
    ]
    noun = "id" if len(ids) == 1 else "ids"
    return f"{len(ids):,} {noun}: {name}: {_joined(shown, len(ids))}"


def _joined(shown: Iterable[str], number: int) -> str:
    return ", ".join(shown) + (", ..." if number > MOST_SHOWN else "")


def _shown(number: int, table: Table) -> str:
    data = table.tokens.get(number)
    if data is None:
        return "special" if number in table.special else "no token"
    try:
        return repr(data.decode())
    except UnicodeDecodeError:
        return f"<{data.hex(' ')}>"
