"""mistral-common, the library of Mistral's models.

``mistral:FILE``     a ``tekken.json``, or a SentencePiece model, whatever its name is
``mistral:FOLDER``   a folder with one of them
``mistral:NAME``     a file that the library carries, such as ``mistral:tekken_240911.json`` or
                     ``mistral:tokenizer.model.v1``

It needs the extra ``tokharness[mistral]``: ``mistral-common`` 1.8 or later.

``encode`` is the library's ``encode(text, bos=False, eos=False)``; both arguments are required, so
the library has no default. Special tokens are never read from text. The target is the tokenizer
below the prompts of a chat, which are made of ids.

Decoding keeps the special tokens of a Tekken vocabulary (``SpecialTokenPolicy.KEEP``). Those of a
SentencePiece model are left out (``SpecialTokenPolicy.IGNORE``), since the library otherwise
returns pieces, with U+2581 for a space, and not text. What such a model changes in a text is its
``normalizer``, and the text that decoding has to return is ``normalize``.

The automatic reference is ``reference`` with the same file.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import PackageNotFoundError, files, version
from pathlib import Path
from typing import TYPE_CHECKING

from tokharness.errors import TargetError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tokharness_tokenizers.reference.sentencepiece.tokenizer import SentencePiece

__all__ = ["RUNS_CODE", "SCHEME", "load", "names", "recognize", "reference", "versions"]

SCHEME = "mistral"
RUNS_CODE = False
LIBRARY = "mistral-common"
FORMATS = ("tekken_json", "sentencepiece_model")
"""The kinds of files that the library reads, as modules of :mod:`..file_formats`."""


@dataclass(frozen=True, slots=True)
class Engine:
    """A tokenizer of the library with the method names of tokharness."""

    name: str
    special_tokens: Mapping[str, int]
    n_vocab: int
    encode: Callable[[str], list[int]]
    decode: Callable[[Sequence[int]], str]
    token_text: Callable[[int], str] | None = None
    decode_single_token_bytes: Callable[[int], bytes] | None = None
    pattern: str | None = None
    added_tokens: Mapping[str, int] = field(default_factory=dict)
    normalizer: str | None = None
    normalize: Callable[[str], str] | None = None


def load(rest: str) -> Engine:
    """Load a file into the library; raises TargetError or UnknownNameError."""
    try:
        version(LIBRARY)
    except PackageNotFoundError:
        raise TargetError(
            "mistral: needs the library mistral-common, which is not installed: "
            "pip install 'tokharness[mistral]'"
        ) from None
    path = _locate(rest)
    make = _tekken if _format_of(path) == "tekken_json" else _sentencepiece
    try:
        return make(path)
    except Exception as error:
        reason = " ".join(str(error).split())[:300] or "an assertion of its own"
        message = f"mistral-common refuses the file {path}: {reason}"
        raise TargetError(message, failure=type(error).__name__) from error


def reference(rest: str) -> str | None:
    """Return the spec of our reference with the same file."""
    return f"reference:{_locate(rest)}"


def names() -> tuple[str, ...]:
    """Return the names of the files that the library carries; none if it is not installed."""
    return tuple(sorted(_carried()))


def recognize(path: Path) -> str | None:
    """Return the path if it is a Tekken vocabulary or a folder that has one."""
    from tokharness_tokenizers.file_formats import is_a

    return str(path) if is_a("tekken_json", path) else None


def versions() -> dict[str, str]:
    """Return the version of the library; none if it is not installed."""
    try:
        return {LIBRARY: version(LIBRARY)}
    except PackageNotFoundError:
        return {}


def _carried() -> dict[str, Path]:
    """Return the path of each vocabulary in the folder ``data`` of the library, by its name."""
    try:
        paths = files(LIBRARY) or ()
    except PackageNotFoundError:
        return {}
    carried = (Path(str(path.locate())) for path in paths if path.parent.name == "data")
    return {path.name: path for path in carried if {".json", ".model"} & {*path.suffixes}}


def _locate(rest: str) -> Path:
    """Return the path of a file; raises TargetError or UnknownNameError if there is none."""
    from tokharness_tokenizers import file_formats

    path = Path(rest).expanduser()
    if not path.exists():
        if "/" in rest:
            raise TargetError(f"there is no file {path}: check the path")
        if rest not in _carried():
            raise UnknownNameError("vocabulary of mistral-common", rest, names())
        return _carried()[rest]
    found = file_formats.find(path)
    return found[1] if found else path


def _format_of(path: Path) -> str:
    """Return the kind of a file; raises TargetError if the library does not read it."""
    from tokharness_tokenizers.file_formats import is_a

    for name in FORMATS:
        if is_a(name, path):
            return name
    raise TargetError(f"{path} is neither a Tekken vocabulary nor a SentencePiece model")


def _tekken(path: Path) -> Engine:
    from mistral_common.tokens.tokenizers.base import SpecialTokenPolicy
    from mistral_common.tokens.tokenizers.tekken import Tekkenizer

    tokenizer = Tekkenizer.from_file(path)
    keep = SpecialTokenPolicy.KEEP
    model = getattr(tokenizer, "_model", None)  # the library has no public name for its pattern
    return Engine(
        name=str(path),
        special_tokens={tokenizer.id_to_piece(one): one for one in sorted(tokenizer.special_ids)},
        n_vocab=tokenizer.n_words,
        encode=partial(tokenizer.encode, bos=False, eos=False),
        decode=partial(tokenizer.decode, special_token_policy=keep),
        token_text=tokenizer.id_to_piece,
        decode_single_token_bytes=partial(tokenizer.id_to_byte_piece, special_token_policy=keep),
        pattern=getattr(model, "_pat_str", None),
    )


def _sentencepiece(path: Path) -> Engine:
    from mistral_common.tokens.tokenizers.base import SpecialTokenPolicy, TokenizerVersion
    from mistral_common.tokens.tokenizers.sentencepiece import SentencePieceTokenizer

    # The library reads the version off the name of the file, for the prompts of a chat alone.
    tokenizer = SentencePieceTokenizer(path, TokenizerVersion.v1)
    special = sorted({*tokenizer.special_ids, tokenizer.unk_id} - {-1})
    declared = _declaration(path)
    return Engine(
        name=str(path),
        special_tokens={tokenizer.id_to_piece(number): number for number in special},
        n_vocab=tokenizer.n_words,
        encode=partial(tokenizer.encode, bos=False, eos=False),
        decode=partial(tokenizer.decode, special_token_policy=SpecialTokenPolicy.IGNORE),
        token_text=tokenizer.id_to_piece,
        added_tokens=declared.added_tokens if declared else {},
        normalizer=declared.normalizer if declared else None,
        normalize=declared.normalize if declared else None,
    )


def _declaration(path: Path) -> SentencePiece | None:
    """Return our reading of a model, which says what it declares; None if we cannot read it."""
    from tokharness_tokenizers.reference.sentencepiece import reading

    try:
        return reading.load(path)
    except (ValueError, OSError):
        return None
