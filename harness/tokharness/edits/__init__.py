"""The differences between two tokenizer files: the edits that turn one file into the other.

An edit has a sentence that names its stage ("merge 300 ('r', 'ite') is gone"), and can be applied
to the description of a file, so that a reference shows its effect on the ids.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from tokharness.edits.added_tokens import (
    ADDED_TOKENS,
    added_token_edits,
    as_in_file,
    forms_of,
    numbering_of,
    own_id,
)
from tokharness.edits.model import TOKENS_ALONE, Edit, Writing, writing_of
from tokharness.edits.neighbours import neighbours_of
from tokharness.edits.renamed_tokens import rename_edits
from tokharness.edits.settings import setting_edits
from tokharness.edits.tables import VOCABULARY, table_edits
from tokharness.edits.value_texts import texts_beyond, texts_of_lengths, texts_of_strings

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from tokharness.edits.settings import SettingEdit
    from tokharness.model import Description

__all__ = [
    "ADDED_TOKENS",
    "MODEL",
    "STAGES",
    "TOKENS_ALONE",
    "VOCABULARY",
    "Edit",
    "Writing",
    "as_in_file",
    "edits_between",
    "forms_of",
    "grouped",
    "numbering_of",
    "own_id",
    "stage_digests",
    "texts_about",
    "texts_beyond",
    "texts_of_strings",
    "writing_of",
]

MODEL = "model"

STAGES = (
    *("added tokens", "normalizer", "pre-tokenizer", "model", "post-processor", "decoder"),
    *("truncation", "padding", "template", "options", "generation"),
)
"""Stages of a file in the order in which a text passes them, then the surrounding parts."""

MAX_ABOUT = 400
"""Number of tokens that an edit of all differences of a stage names."""

MAX_HINTS = 400
"""Most texts about an edit."""


def stage_digests(description: Description) -> dict[str, str]:
    """Return 16 hex digits for each stage of a file; the model's include all tables.

    Equal digests mean equal stages, whatever the order of keys and the white space of the file.
    """
    stages = {name: description.stages[name] for name in _ordered(description.stages)}
    digests = {name: _digest(value) for name, value in stages.items()}
    tables = hashlib.sha256(digests.get(MODEL, "").encode())
    for entry in description.tokens:
        score = None if entry.score is None else float(entry.score) + 0.0  # -0.0 is 0.0, 1 is 1.0
        row = (entry.id, entry.token, score, entry.type)
        tables.update(repr(row).encode("utf-8", "surrogatepass"))
    for pair in description.merges or ():
        tables.update(repr(tuple(pair)).encode("utf-8", "surrogatepass"))
    return {**digests, MODEL: tables.hexdigest()[:16]}


def _ordered(stages: Collection[str]) -> list[str]:
    known = [name for name in STAGES if name in stages]
    return [*known, *sorted(set(stages) - set(STAGES))]


def _digest(value: Any) -> str:
    data = json.dumps(value, sort_keys=True).encode("ascii")
    return hashlib.sha256(data).hexdigest()[:16]


def edits_between(old: Description, new: Description) -> tuple[Edit, ...]:
    """Return the edits that turn ``old`` into ``new``, in the order of the stages.

    Both files have the same format. A stage that only one file mentions is not compared. After the
    last edit the description is equal to ``new``, except for rows that only follow from other rows.
    """
    return tuple(_edits(old, new))


def _edits(old: Description, new: Description) -> Iterator[Edit]:
    for edit in rename_edits(old, new):
        yield edit
        old = edit.apply(old)
    yield from added_token_edits(old, new)
    writing = writing_of(old)
    names = _ordered({*(old.stages.keys() & new.stages.keys()), ADDED_TOKENS, MODEL})
    for name in names:
        if name != ADDED_TOKENS:
            before, now = old.stages.get(name), new.stages.get(name)
            for found in setting_edits(name, before, now):
                apply = partial(_with_setting, name=name, found=found)
                yield Edit(name, found.what, apply, content=found.content)
        if name == MODEL:
            yield from table_edits(old, new, writing)


def _with_setting(current: Description, name: str, found: SettingEdit) -> Description:
    stages: Mapping[str, Any] = {**current.stages, name: found.apply(current.stages.get(name))}
    return replace(current, stages=stages)


def grouped(edits: Sequence[Edit], most: int) -> list[Edit]:
    """Return the edits, or one edit for each stage if there are more than ``most``."""
    if len(edits) <= most:
        return list(edits)
    by_stage: dict[str, list[Edit]] = {}
    for edit in edits:
        by_stage.setdefault(edit.stage, []).append(edit)
    return [_of_stage(of_stage) for of_stage in by_stage.values()]


def _of_stage(edits: Sequence[Edit]) -> Edit:
    if len(edits) == 1:
        return edits[0]
    number = sum(edit.number for edit in edits)

    def apply(description: Description) -> Description:
        for edit in edits:
            description = edit.apply(description)
        return description

    return Edit(
        edits[0].stage,
        f"{number:,} differences, the first: {edits[0].what}",
        apply,
        tuple(token for edit in edits for token in edit.about)[:MAX_ABOUT],
        number,
        "\n".join(edit.content for edit in edits),
    )


def texts_about(edits: Sequence[Edit], old: Description, new: Description) -> list[str]:
    """Return texts made of the tokens and numbers of each edit, which may show the edit."""
    texts: dict[str, None] = {}
    writings = [writing_of(old), writing_of(new)]
    neighbours = neighbours_of([edit for edit in edits if edit.stage == MODEL], old, new)
    for edit in edits:
        of_edit: dict[str, None] = {}
        for token in edit.about:
            added = edit.stage == ADDED_TOKENS
            for text in forms_of(token) if added else _written(token, writings):
                of_edit |= dict.fromkeys((text, f" {text}", f"a{text}", f"{text}s", text * 2))
                of_edit |= dict.fromkeys((f"{text} a", f"a {text} a", f"1 {text} 1"))
        if edit.stage == MODEL:
            of_edit |= dict.fromkeys(chain(*(neighbours.get(one, ()) for one in edit.about)))
        texts |= dict.fromkeys(list(of_edit)[:MAX_HINTS])
    texts |= dict.fromkeys(texts_of_lengths(old, new))
    texts |= dict.fromkeys(texts_of_strings(old, new))
    return [text for text in texts if text and "\ufffd" not in text]


def _written(token: Any, writings: Sequence[Writing]) -> dict[str, None]:
    """Return the texts of a token of the model; a file has the text of an added token as it is."""
    return dict.fromkeys(writing.text(token) for writing in writings)
