"""The tokenizer file that a baseline keeps, read by the reference.

``baseline:PATH`` the file of the target of which ``tokharness baseline`` wrote the baseline PATH

So a tokenizer can be compared with what it was when it was accepted: ``tokharness show TEXT
baseline:reports/baselines/mine.json hf:tokenizer.json``, ``tokharness audit`` of both, or ``check
--against``. A target that shows no file has none in its baseline.
"""

from __future__ import annotations

import base64
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tokharness.errors import VocabularyError
from tokharness.home import expand_user
from tokharness.packing import unpack
from tokharness.regular_files import read_file
from tokharness.targets.entry_lines import digest_of_entries
from tokharness.targets.processes.json_lines import from_ascii_line
from tokharness_tokenizers.adapters import reference_target

if TYPE_CHECKING:
    from tokharness.model import Description, Tokenizer

__all__ = ["GUARDED", "RUNS_CODE", "SCHEME", "describe", "load", "reference"]

SCHEME = "baseline"
GUARDED = True
RUNS_CODE = False

MAX_SIZE = 16 << 20
"""Bytes of a baseline that is read."""


def load(rest: str) -> Tokenizer:
    """Load the file into the reference; raises VocabularyError."""
    description = describe(rest)
    with tempfile.TemporaryDirectory() as folder:
        spec = reference_target.write_file(description, Path(folder))
        if spec is None:
            raise VocabularyError(f"no reference reads the format {description.format}")
        return reference_target.load(spec.partition(":")[2])


def describe(rest: str) -> Description:
    """Return the content of the file; raises VocabularyError."""
    path = expand_user(rest)
    try:
        data = read_file(path, MAX_SIZE)
    except OSError as error:
        raise VocabularyError(f"cannot read the baseline {rest}: {error.strerror}") from error
    try:
        record = from_ascii_line(data.decode("ascii"))
        if record["digest"] != digest_of_entries(record):
            raise VocabularyError(
                f"the baseline {rest} is damaged, as its digest does not match: restore it, or "
                "write it again with `tokharness baseline`"
            )
        packed = record["file"]["packed"] if record["file"] else ""
        if packed:
            return unpack(base64.b85decode(packed))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise VocabularyError(
            f"{rest} is not a baseline, or is damaged: write one with `tokharness baseline`"
        ) from error
    raise VocabularyError(
        f"the baseline {rest} keeps no tokenizer file: its target showed none, or it is too large "
        "to be kept"
    )


def reference(rest: str) -> str | None:
    """There is no library that reads a baseline."""
    return None
