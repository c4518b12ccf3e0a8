"""The content of a target's files, and targets that read such content, through adapters."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.edits import as_in_file
from tokharness.errors import TokharnessError
from tokharness.outcome import Raised
from tokharness.targets.loading import load_target
from tokharness.targets.stage_versions import SPLIT

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tokharness.edits.added_tokens import Numbering
    from tokharness.model import Description, Target
    from tokharness.targets.subject import Subject


def describe(spec: str) -> Description | None:
    """Return the content of a target's files; None if it shows none.

    Raises:
        UsageError: the spec has no known scheme, or its name is unknown.
        TargetError: a file cannot be read, or is damaged.

    """
    return plugins.adapter(spec).describe(spec.partition(":")[2])


def write(description: Description, folder: Path) -> str | None:
    """Write a file into a folder, and return the spec of the target that reads it.

    None if no adapter writes files of this kind. Raises TargetError if the format cannot have
    this content, or the file cannot be written.
    """
    written = (one.write_file(description, folder) for one in plugins.adapters().values())
    return next((spec for spec in written if spec is not None), None)


@dataclass(frozen=True)
class DescriptionLoader:
    """Writes descriptions into a folder, and loads them with the Unicode version of each stage.

    ``numbering`` gives their added tokens the ids that the library of a target gives them.
    """

    folder: Path
    versions: Mapping[str, str]
    numbering: Numbering = as_in_file

    def load(self, description: Description) -> Target | None:
        """Return the reference that reads a description, None if no file can hold it."""
        folder = self.folder / str(len(list(self.folder.iterdir())))
        folder.mkdir()
        try:
            spec = write(self.numbering(description), folder)
            target = None if spec is None else load_target(spec)
        except TokharnessError:
            return None
        return None if target is None else self._at_versions(target)

    def _at_versions(self, target: Target) -> Target:
        pinned: Target | Raised = target
        if target.can("with_stage_versions"):
            known = target.stage_versions.keys() & self.versions.keys()
            pinned = target.at_stage_versions({name: self.versions[name] for name in known})
        elif SPLIT in self.versions and target.can("with_unicode_version"):
            pinned = target.at_unicode_version(self.versions[SPLIT])
        return target if isinstance(pinned, Raised) else pinned


def versions_of(
    subject: Subject, earlier: Mapping[str, str] = MappingProxyType({})
) -> dict[str, str]:
    """Return the Unicode versions of the stages of a target.

    If a target shows no version of a stage, because it has no normalizer or no merges, the version
    is the version that its library declares, or the version of the earlier file.
    """
    shown = dict(subject.stage_versions)
    if subject.unicode_version is not None:
        shown[SPLIT] = subject.unicode_version
    declared = subject.with_original_target().target.stage_versions
    return {**earlier, **declared, **shown}
