r"""subword-nmt, the library of Sennrich et al. 2016, from a file of codes.

``subword-nmt:FILE``   a file of codes, as ``subword-nmt learn-bpe`` writes it

It needs the extra ``tokharness[subword-nmt]``: ``subword-nmt`` 0.3.8 or later.

``encode`` is ``BPE.segment``, and each subword that it writes gets an id: its place in the lines of
``FILE.vocab`` (a subword and its count, as ``subword-nmt get-vocab`` writes them), from 1, or
else the place in the file of codes that ``reference`` describes. ``<unk>`` is 0 and stands for all
subwords without an id. ``decode`` does what the README says: ``sed -r 's/(@@ )|(@@ ?$)//g'``.

Words end at spaces, and spaces are not kept: that is the declared ``normalizer``, ``words``.
Surrogate pairs are joined, and lone surrogates become U+FFFD, since the library reads UTF-8.

The automatic reference is ``reference`` with the same file.
"""

from __future__ import annotations

import codecs
import io
import re
from contextlib import redirect_stderr
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokharness.errors import TargetError
from tokharness.home import expand_user
from tokharness.regular_files import open_file
from tokharness_tokenizers import libraries
from tokharness_tokenizers.file_errors import named_file_errors

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from tokharness.model import Description

__all__ = [
    "RUNS_CODE",
    "SCHEME",
    "describe",
    "healthy",
    "load",
    "recognize",
    "reference",
    "versions",
]

SCHEME = "subword-nmt"
RUNS_CODE = False
LIBRARY = "subword-nmt"
UNKNOWN = "<unk>"

_JOINT = re.compile(r"(@@ )|(@@ ?\Z)")


@dataclass(frozen=True, slots=True)
class Engine:
    """The library's object with the method names of tokharness, and ids for what it writes."""

    name: str
    segment: Callable[[str], str]
    ids: Mapping[str, int]
    subwords: Sequence[str]
    normalize: Callable[[str], str]
    normalizer: str
    algorithm: str
    merges: Callable[[int], list[tuple[bytes, bytes]]]
    bytes_inside: Callable[[Sequence[int]], list[bytes]]

    @property
    def unknown_id(self) -> int:
        """The id of the unknown token."""
        return self.ids[UNKNOWN]

    @property
    def special_tokens(self) -> dict[str, int]:
        """The unknown token."""
        return {UNKNOWN: self.ids[UNKNOWN]}

    @property
    def n_vocab(self) -> int:
        """One more than the largest id."""
        return len(self.subwords)

    def encode(self, text: str) -> list[int]:
        """Return the ids of the subwords that the library writes."""
        joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        written = self.segment(joined)
        return [self.ids.get(one, self.ids[UNKNOWN]) for one in written.split(" ") if one]

    def decode(self, ids: Sequence[int]) -> str:
        """Delete what is between the subwords of a word."""
        return _JOINT.sub("", " ".join(map(self.token_text, ids)))

    def token_text(self, number: int) -> str:
        """Return a subword as it is written; raises KeyError for an unknown id."""
        if not 0 <= number < len(self.subwords):
            raise KeyError(f"no subword has the id {number!r}")
        return self.subwords[number]


def load(rest: str) -> Engine:
    """Load a file of codes into the library; raises TargetError."""
    libraries.require(LIBRARY, SCHEME)
    from tokharness_tokenizers.reference import subword_nmt

    path = _locate(rest)
    segment = _load_library(path).segment
    with named_file_errors(path):
        ours = subword_nmt.load(path)  # the ids, which the library does not have
    subwords = ours.subwords
    ids = {subword: number for number, subword in reversed(list(enumerate(subwords)))}
    return Engine(
        str(path),
        segment,
        ids,
        subwords,
        ours.normalize,
        ours.normalizer,
        ours.algorithm,
        ours.merges,
        ours.bytes_inside,
    )


def _load_library(path: Path) -> Any:
    from subword_nmt.apply_bpe import BPE

    printed = io.StringIO()
    try:
        # As the library's command decodes it. It prints what is wrong, and ends the program.
        with codecs.getreader("utf-8")(open_file(path)) as file, redirect_stderr(printed):
            return BPE(file)
    except (Exception, SystemExit) as error:
        said = SystemExit(printed.getvalue()) if printed.getvalue() else error
        raise libraries.refusal(LIBRARY, path, said, "subword_nmt_codes") from error


def reference(rest: str) -> str | None:
    """Return the spec of our reference with the same file."""
    return f"reference:{_locate(rest)}"


def describe(rest: str) -> Description | None:
    """Return what the file has; raises VocabularyError if it is damaged."""
    from tokharness_tokenizers import descriptions

    return descriptions.describe_target(_locate(rest), "subword_nmt_codes")


def recognize(path: Path) -> str | None:
    """Return the path if it is a file of codes."""
    from tokharness_tokenizers.file_formats import is_a

    return str(path) if path.is_file() and is_a("subword_nmt_codes", path) else None


def healthy(_rest: str) -> list[str]:
    """Return the path of a small healthy file of the same kind."""
    from tokharness_tokenizers.vocabularies.locate import healthy_files

    return healthy_files("codes.txt")


def versions() -> dict[str, str]:
    """Return the version of the library; none if it is not installed."""
    return libraries.versions(LIBRARY)


def _locate(rest: str) -> Path:
    path = expand_user(rest)
    if not path.is_file():
        raise TargetError(f"there is no file {path}: check the path")
    return path
