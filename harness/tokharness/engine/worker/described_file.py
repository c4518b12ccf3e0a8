"""The file of a target as a snapshot has it, described and packed, or else its vocabulary."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tokharness.edits import ADDED_TOKENS, TOKENS_ALONE, stage_digests
from tokharness.engine.worker.vocabularies import decoded_above, decoded_vocabulary
from tokharness.errors import TokharnessError
from tokharness.model import Description, TokenEntry
from tokharness.packing import pack, unpack
from tokharness.targets.description import describe
from tokharness.targets.snapshot import FileState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness.targets.snapshot import EarlierState
    from tokharness.targets.subject import Subject

MAX_PACKED = 1_200_000
"""Most characters of a packed file in a baseline, which keeps only digests of larger files."""


@dataclass(frozen=True, slots=True)
class DescribedFile:
    """The file of a target, and the file of the earlier snapshot if the two differ.

    ``state`` is the part of ``new`` that a snapshot keeps; both are None if the target shows no
    file. ``old_versions`` has the known Unicode versions of the stages of ``old``.
    """

    state: FileState | None
    new: Description | None
    old: Description | None = None
    old_versions: Mapping[str, str] = field(default_factory=dict)


def described_file(
    subject: Subject, earlier: EarlierState | None, n_seen: int = 0
) -> DescribedFile:
    """Describe the file of a target; pack it if the earlier snapshot has no equal one.

    If the target shows no file, describe its vocabulary: the bytes of tokens, or the texts that
    single ids decode to. If the target does not declare the number of its ids, it is the number in
    the earlier vocabulary, or ``n_seen``, and the following ids that have a text.
    """
    before = None if earlier is None else earlier.file
    old = None
    if before and before.format == TOKENS_ALONE and before.packed:
        old = unpacked(before)
        n_seen = old.tokens[-1].id + 1 if old.tokens else n_seen
    new = _describe(subject, n_seen)
    state = None
    if new is not None:
        state = FileState(new.format, stage_digests(new))
        if before and before.format == state.format and not before.changed_stages(state):
            return DescribedFile(replace(state, packed=before.packed), new)
        packed = base64.b85encode(pack(new)).decode("ascii")
        state = replace(state, packed=packed if len(packed) <= MAX_PACKED else "")
    if old is None and before is not None and before.packed:
        old = unpacked(before)
    return DescribedFile(state, new, old, {} if earlier is None else earlier.versions)


def unpacked(before: FileState) -> Description:
    """Unpack a file; raises TokharnessError if tokharness did not write it."""
    try:
        description = unpack(base64.b85decode(before.packed))
        added = description.stages.get(ADDED_TOKENS) or ()
        is_read = all(type(row["id"]) is int and type(row["text"]) is str for row in added)
    except (ValueError, TypeError, KeyError) as error:
        problem = str(error)
    else:
        problem = "" if is_read else "an added token has no id or no text"
        if description.format != before.format:
            problem = f"it is {description.format}, and not {before.format}"
    if problem:
        raise TokharnessError(
            f"the file in the baseline cannot be read ({problem}): write the baseline again with "
            "`tokharness baseline`"
        )
    return description


def _describe(subject: Subject, n_seen: int) -> Description | None:
    """Describe the file of a target, or its vocabulary if it shows no file; None without either."""
    target = subject.target
    try:
        description = describe(target.spec)
    except TokharnessError:
        description = None
    if description is not None:
        return description
    if target.can("decode_single_token_bytes") and target.n_vocab:
        vocabulary = subject.vocabulary()
    else:
        vocabulary = decoded_vocabulary(target, target.n_vocab or n_seen)
        if not target.n_vocab:
            vocabulary |= decoded_above(target, n_seen)
    if not vocabulary:
        return None
    special = sorted(target.special_tokens.items(), key=lambda item: item[1])
    added = [{"id": number, "special": True, "text": text} for text, number in special]
    tokens = {number: text.encode("utf-8", "surrogatepass") for text, number in special}
    rows = sorted({**vocabulary, **tokens}.items())
    return Description(TOKENS_ALONE, {ADDED_TOKENS: added}, tuple(TokenEntry(*row) for row in rows))
