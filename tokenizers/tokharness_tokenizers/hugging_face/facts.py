"""The Unicode versions of the stages in releases of the library."""

from __future__ import annotations

from importlib.metadata import version
from typing import Final

from tokharness_tokenizers.reference.tokenizer_json import tables

# The Unicode versions of the tables in releases of ``tokenizers``, as measured.
#
# Each was found by a sweep of all scalar values. A run checks from outside what the texts of a
# vocabulary show; these versions count where they show nothing.

RELEASE_0_20: Final = {
    tables.FORMS: "9.0",
    tables.MARKS: "9.0",
    tables.CATEGORIES: "8.0",
    tables.CLUSTERS: "16.0",
    tables.CASE: "15.1",
    tables.SPLIT: "14.0",
    tables.WHITESPACE: "16.0",
    tables.PUNCTUATION: "8.0",
    tables.NUMBERS: "15.1",
    tables.SCRIPTS: "9.0",
    tables.WORDS: "16.0",
}
RELEASE_0_23: Final = {
    **RELEASE_0_20,
    tables.CLUSTERS: "17.0",
    tables.CASE: "17.0",
    tables.SPLIT: "16.0",
    tables.NUMBERS: "17.0",
}
RELEASE_1_0: Final = {
    **RELEASE_0_23,
    tables.FORMS: "17.0",
    tables.SPLIT: "17.0",
    tables.WHITESPACE: "17.0",
    tables.PUNCTUATION: "17.0",
    tables.WORDS: "17.0",
}


def stage_versions(release: str = "") -> dict[str, str]:
    """Return the versions of a release, or of the one before it that was measured.

    Without a release they are those of the installed one.
    """
    major, minor = (int(part) for part in (release or version("tokenizers")).split(".")[:2])
    if major >= 1:
        return RELEASE_1_0
    return RELEASE_0_20 if minor < 23 else RELEASE_0_23
