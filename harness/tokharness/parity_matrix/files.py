"""What the files of two forms differ in, where no text of the run shows it.

Texts of a run need not reach each merge, and plain text never reaches the post-processor. The files
may be a stranger's, so they are read in a copy of this process with limits.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from dataclasses import replace
from functools import partial
from itertools import chain, pairwise, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.ids.edited_files import MAX_EDITS, tables_of
from tokharness.edits import (
    ADDED_TOKENS,
    TOKENS_ALONE,
    VOCABULARY,
    edits_between,
    grouped,
    stage_digests,
)
from tokharness.engine.worker.operations.columns import METHODS
from tokharness.errors import TargetError, TokharnessError
from tokharness.model import Verdict
from tokharness.outcome import Raised
from tokharness.parity_matrix.model import DECODED, IDS, SPECIAL, Cause
from tokharness.targets.description import DescriptionLoader, describe
from tokharness.targets.processes.isolated import isolated

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tokharness.edits import Edit
    from tokharness.model import Description
    from tokharness.parity_matrix.model import Cell

POST_PROCESSOR, DECODER = "post-processor", "decoder"
ASPECT_OF = {ADDED_TOKENS: SPECIAL, POST_PROCESSOR: SPECIAL, DECODER: DECODED}
"""The aspect in which an edit of a stage would show; that of the ids for all others."""

OF_TABLES = (ADDED_TOKENS, VOCABULARY)
"""Stages whose differences the tables of tokens show, in other words than those of an edit."""

MAX_TEXTS = 40
"""Most texts whose ids with special tokens, or offsets, are explained by an edit of a file."""

SAY_AROUND = ("tokenizer.json", "GGUF")
"""Formats that say which ids are added around a text."""

OF_PAIRS = f"{POST_PROCESSOR}: pair of "
"""Beginning of the names of edits that only pairs of texts show."""

OTHERS_AROUND = f"{POST_PROCESSOR}: other ids around a text"

UNSEEN = "the files differ in this, and no text of the run shows it"
OF_STAGE = "the files differ in this, and the texts that differ have a cause of the same stage"


def with_unseen(
    cells: Sequence[Cell], causes: Sequence[Cause], unseen: Sequence[Cause]
) -> list[Cell]:
    """Return the cells with the bugs that only the files show, which follow the other causes."""
    found = list(cells)
    for number, cause in enumerate(unseen, len(causes)):
        pairs = {tuple(sorted(pair)) for pair in product(cause.forms, cause.against)}
        for at, cell in enumerate(found):
            is_its = (cell.first, cell.second) in pairs and cell.aspect == cause.aspect
            if is_its and cause.verdict is Verdict.BUG:
                found[at] = replace(cell, state="differs", causes=(*cell.causes, number), reason="")
    return found


def unseen_edits(specs: Sequence[str], causes: Sequence[Cause]) -> list[Cause]:
    """Return what the files of forms differ in, without what a cause already says.

    An edit that no text shows is a fact. Ids that only one file adds around a text, which plain
    text does not show, are a bug. A file that cannot be read is a problem of its form.

    Raises:
        TargetError: reading the files takes too much time or memory.

    """
    usual = Counter(place for one in causes for place in one.against)
    rows = json.loads(isolated(partial(_groups, specs, usual), specs))
    found: dict[tuple[str, str, tuple[int, ...]], Cause] = {}
    for row in rows:
        for edit in row["edits"]:
            if edit["around"] or not _is_said(edit, row, causes):
                one = _cause(row, edit, causes)
                same = found.setdefault((one.name, one.message, one.against), one)
                if same is not one:
                    forms = tuple(sorted({*same.forms, *one.forms}))
                    found[one.name, one.message, one.against] = replace(same, forms=forms)
    return list(found.values())


def _cause(row: Mapping[str, Any], edit: Mapping[str, str], causes: Sequence[Cause]) -> Cause:
    has_cause = any(one.stage == edit["stage"] for one in _between(row, causes))
    return Cause(
        ASPECT_OF.get(edit["stage"], IDS),
        edit["stage"],
        edit["name"],
        edit["around"] or (OF_STAGE if has_cause else UNSEEN),
        Verdict.BUG if edit["around"] else Verdict.FACT,
        0,
        tuple(row["forms"]),
        tuple(row["against"]),
    )


def _is_said(edit: Mapping[str, str], row: Mapping[str, Any], causes: Sequence[Cause]) -> bool:
    """Whether a cause between these forms names the edit, or a table shows what it does."""
    found = _between(row, causes)
    if edit["stage"] in OF_TABLES:
        return any(one.stage in OF_TABLES for one in found)
    return any(edit["name"] == one.name or "differences, the first" in one.name for one in found)


def _between(row: Mapping[str, Any], causes: Sequence[Cause]) -> list[Cause]:
    """Return the causes that set forms of two files apart."""
    places = {*row["forms"], *row["against"]}
    return [one for one in causes if places & {*one.forms} and places & {*one.against}]


def _groups(specs: Sequence[str], usual: Counter[int]) -> str:
    """Return the edits between the files of all forms, with equal files together, as JSON.

    The files of a format are compared with the file of most forms, or with the file that is the
    reference of most causes: ``usual`` counts the causes of each form. Of files of two formats, the
    merges and the scores of equal tokens are compared.

    At most two files are in memory, which is a second reading of each: five vocabularies of
    250,000 tokens exceed the limit of the process.

    Raises:
        TargetError: a file has changed between the two readings.

    """
    places: dict[tuple[str, ...], list[int]] = {}
    around: dict[tuple[str, Any], list[int]] = {}
    for place, spec in enumerate(specs):
        if (file := _described(spec)) is not None:
            places.setdefault(_key(file), []).append(place)
            if file.format in SAY_AROUND:
                ids = json.dumps(_ids_around(file.stages.get(POST_PROCESSOR)))
                around.setdefault((file.format, ids), []).append(place)
        del file
    rows = list(_of_formats(around))
    firsts: list[tuple[str, ...]] = []
    for form in dict.fromkeys(key[0] for key in places):
        keys = [key for key in places if key[0] == form]
        first = max(keys, key=lambda key: (len(places[key]), sum(usual[at] for at in places[key])))
        firsts.append(first)
        against = _described_again(specs[places[first][0]], first) if len(keys) > 1 else None
        for key in keys:
            if key != first and against is not None:
                edits = _edits(against, _described_again(specs[places[key][0]], key))
                rows.append({"forms": places[key], "against": places[first], "edits": edits})
        del against
    for first in firsts[1:]:
        old = _described_again(specs[places[firsts[0]][0]], firsts[0])
        edits = _edits(old, tables_of(old, _described_again(specs[places[first][0]], first)))
        rows.append({"forms": places[first], "against": places[firsts[0]], "edits": edits})
        del old
    return json.dumps(rows)


def _of_formats(around: Mapping[tuple[str, str], list[int]]) -> Iterator[dict[str, Any]]:
    """Yield the ids around a text by files of two formats, where the forms of each agree."""
    formats = [form for form, _ in around]
    known = [key for key in around if formats.count(key[0]) == 1 and key[1] != "null"]
    for key in known[1:]:
        if key[1] != known[0][1]:
            was, now = (tuple(json.loads(ids)) for _, ids in (known[0], key))
            edit = {"stage": POST_PROCESSOR, "name": OTHERS_AROUND, "around": _adds(was, now)}
            yield {"forms": around[key], "against": around[known[0]], "edits": [edit]}


def _key(file: Description) -> tuple[str, ...]:
    return (file.format, *stage_digests(file).values())


def _described_again(spec: str, key: tuple[str, ...]) -> Description:
    file = _described(spec)
    if file is None or _key(file) != key:
        raise TargetError(f"the file of {spec} has changed while it was read: run it again")
    return file


def _edits(old: Description, new: Description) -> list[dict[str, str]]:
    return [
        {"stage": one.stage, "name": _name(one), "around": _around(one, old, new)}
        for one in grouped(edits_between(old, new), MAX_EDITS)
    ]


def _name(edit: Edit) -> str:
    return f"{edit.stage}: {edit.what.removeprefix(edit.stage).removeprefix(': ').strip()}"


def _described(spec: str) -> Description | None:
    try:
        file = describe(spec)
    except TokharnessError:
        return None
    return None if file is None or file.format == TOKENS_ALONE else file


# The ids around a text, which the post-processor of a tokenizer.json adds.


def _around(edit: Edit, old: Description, new: Description) -> str:
    """Say which ids the post-processors add around a text, if they are others; else ""."""
    if edit.stage != POST_PROCESSOR or _name(edit).startswith(OF_PAIRS):
        return ""
    was, now = (_ids_around(one.stages.get(POST_PROCESSOR)) for one in (old, new))
    return "" if was is None or now is None or was == now else _adds(was, now)


def _adds(was: tuple[list[Any], list[Any]], now: tuple[list[Any], list[Any]]) -> str:
    return (
        f"with special tokens added, each text gets {_in_words(now)} by the file of the target, "
        f"and {_in_words(was)} by that of the reference"
    )


def _in_words(ids: tuple[list[Any], list[Any]]) -> str:
    if ids == ([], []):
        return "no ids around it"
    rows = zip(ids, ("before", "after"), strict=True)
    return " and ".join(f"{row} {where} it" for row, where in rows if row)


def _ids_around(stage: Any) -> tuple[list[Any], list[Any]] | None:
    """Return the ids before and after a text; None if the stage has another shape."""
    before: list[Any] = []
    after: list[Any] = []
    try:
        if "add_bos_token" in (stage or {}):
            return _added_by_flags(stage)
        for one in _components(stage):
            if one["type"] in ("BertProcessing", "RobertaProcessing"):
                before, after = [one["cls"][1], *before], [*after, one["sep"][1]]
            elif one["type"] == "TemplateProcessing":
                rows: list[Any] = [
                    one["special_tokens"][item["SpecialToken"]["id"]]["ids"]
                    if "SpecialToken" in item
                    else None
                    for item in one["single"]
                ]
                at = rows.index(None)
                before = [*chain.from_iterable(rows[:at]), *before]
                after = [*after, *chain.from_iterable(rows[at + 1 :])]
    except (KeyError, TypeError, ValueError, IndexError):
        return None
    return before, after


def _added_by_flags(stage: Mapping[str, Any]) -> tuple[list[Any], list[Any]]:
    """Return the ids that a GGUF file adds; raises KeyError if it does not name the token."""
    rows = (("add_bos_token", ("bos", "cls")), ("add_eos_token", ("eos", "seperator")))
    found = []
    for flag, tokens in rows:
        numbers = [stage[f"{one}_token_id"] for one in tokens if f"{one}_token_id" in stage]
        if stage[flag] and not numbers:
            raise KeyError(flag)
        found.append(numbers[:1] if stage[flag] else [])
    return found[0], found[1]


def _components(stage: Any) -> list[Any]:
    if stage is None:
        return []
    return list(stage["processors"]) if stage["type"] == "Sequence" else [stage]


# Ids of texts with special tokens, and offsets.


def texts_by_edit(
    target: str, against: str, versions: Mapping[str, str], column: str, texts: Iterable[str]
) -> dict[tuple[str, str], list[str]]:
    """Return the shortest texts by the edit that changes what a column shows: its stage and name.

    It is empty if no edit shows for one of the texts. The implementation reads the file of the
    reference, then the file with the first edit, and so on until the file is the target's.
    """
    shortest = sorted(texts, key=lambda text: (len(text), text))[:MAX_TEXTS]
    function = partial(_edits_of_texts, target, against, versions, METHODS[column], shortest)
    try:
        found = json.loads(isolated(function, (target, against))) if shortest else []
    except TokharnessError:
        return {}
    by_edit: dict[tuple[str, str], list[str]] = {}
    for text, stage, name in found:
        by_edit.setdefault((stage, name), []).append(text)
    return by_edit if len(found) == len(shortest) else {}


def _edits_of_texts(
    target: str, against: str, versions: Mapping[str, str], method: str, texts: Sequence[str]
) -> str:
    old, new = _described(against), _described(target)
    if old is None or new is None or old.format != new.format:
        return "[]"
    with tempfile.TemporaryDirectory() as name:
        files = DescriptionLoader(Path(name), versions)
        rows = list(_steps(files, old, new, method, texts))
    found = {
        text: (edit.stage, _name(edit))
        for (_, before), (edit, now) in pairwise(rows)
        if edit is not None
        for text, one, other in zip(texts, before, now, strict=True)
        if one != other
    }
    return json.dumps([[text, *edit] for text, edit in found.items()])


def _steps(
    files: DescriptionLoader, old: Description, new: Description, method: str, texts: Sequence[str]
) -> Iterator[tuple[Edit | None, list[Any]]]:
    """Yield each edit with the results after it; the first results are before all edits."""
    edits: list[Edit | None] = [None, *grouped(edits_between(old, new), MAX_EDITS)]
    for edit in edits:
        old = old if edit is None else edit.apply(old)
        loaded = files.load(old)
        if loaded is None or not loaded.can(method):
            continue  # it needs the next edit, too
        rows = loaded.call_each(method, texts)
        yield edit, [None if isinstance(row, Raised) else list(row) for row in rows]
