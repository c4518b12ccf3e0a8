"""Differences that an edit of the file explains: a target and a reference that show their files.

The reference implementation reads the file of one side, then this file with the first edit made,
with the first two, and so on to the file of the other side. An edit after which the ids of a text
differ is a cause, if the implementation gives the ids of each side with its file.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokharness.edits import edits_between, grouped
from tokharness.errors import TokharnessError
from tokharness.model import Cause
from tokharness.outcome import Raised
from tokharness.targets.description import describe, write
from tokharness.targets.loading import load_target

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.edits import Edit
    from tokharness.model import Description, Target
    from tokharness.targets.subject import Subject

__all__ = ["MAX_EDITS", "EditedFiles", "file_edit_causes"]

MAX_EDITS = 12
"""Edits that are made one by one; of more, those of a stage are made together."""

MAX_TOKENS = 1_000_000
"""Tokens of all files that are loaded at once."""

MESSAGE = (
    "by this edit the file of the target differs from that of the reference, and so do the ids"
)

_Step = tuple["Edit | None", "Target"]


@dataclass(frozen=True)
class EditedFiles:
    """Writes descriptions into a folder, and loads them at the Unicode versions of a subject."""

    folder: Path
    subject: Subject

    def load(self, description: Description) -> Target | None:
        """Return the reference of a description, None if no file can hold it."""
        folder = self.folder / str(len(list(self.folder.iterdir())))
        folder.mkdir()
        try:
            spec = write(description, folder)
            target = None if spec is None else load_target(spec)
        except TokharnessError:
            return None
        return None if target is None else self._at_versions(target)

    def _at_versions(self, target: Target) -> Target:
        versions, version = self.subject.stage_versions, self.subject.unicode_version
        pinned: Target | Raised = target
        if versions and target.can("with_stage_versions"):
            known = target.stage_versions.keys() & versions.keys()
            pinned = target.at_stage_versions({name: versions[name] for name in known})
        elif version and target.can("with_unicode_version"):
            pinned = target.at_unicode_version(version)
        return target if isinstance(pinned, Raised) else pinned


def file_edit_causes(text: str, ids: Sequence[Any], subject: Subject) -> list[Cause]:
    """Return the edits of the reference's file that change the ids of a text on the way to ``ids``.

    No edit if a side shows no file, or if the implementation does not give the ids of a side.
    """
    if not subject.claims_parity or subject.reference is None:  # both sides read one file
        return []
    steps = subject.cache.get_or_compute("edited files", lambda: list(_steps(subject)))
    if not steps:
        return []
    found = [_ids(target, text) for _, target in steps]
    if found[0] != subject.reference_ids(text) or found[-1] != list(ids):
        return []
    changes = zip(steps[1:], pairwise(found), strict=True)
    return [_cause(edit) for (edit, _), (old, new) in changes if edit and old != new]


def _steps(subject: Subject) -> Iterator[_Step]:
    """Yield the reference's file without an edit, then each edit and the file that it leads to."""
    old, new = (
        None if side is None else _described(side.spec)
        for side in (subject.reference, subject.target)
    )
    if old is None or new is None or old.format != new.format:
        return
    most = min(MAX_EDITS, MAX_TOKENS // (len(new.tokens) + 1))
    edits = grouped(edits_between(old, new), most)
    with tempfile.TemporaryDirectory() as name:
        files = EditedFiles(Path(name), subject)
        first, last = files.load(old), files.load(new)
        if not edits or first is None or last is None:
            return
        yield None, first
        for edit in edits[:-1]:
            old = edit.apply(old)
            if (target := files.load(old)) is not None:  # else two edits only make a file together
                yield edit, target
        yield edits[-1], last


def _described(spec: str) -> Description | None:
    try:
        return describe(spec)
    except TokharnessError:
        return None


def _ids(target: Target, text: str) -> list[Any] | None:
    ids = target.encode(text)
    return None if isinstance(ids, Raised) else list(ids)


def _cause(edit: Edit) -> Cause:
    what = edit.what.removeprefix(edit.stage).removeprefix(": ").strip()
    return Cause(edit.stage, (("edit", what),), message=MESSAGE)
