"""What a tokenizer of the library declares to change in a text.

Our reading of its file says it. Of a file with a component that we do not know, the JSON has the
name of the normal form, and the library's own components give the text.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from tokharness_tokenizers.file_errors import FILE_ERRORS
from tokharness_tokenizers.reference import tokenizer_json
from tokharness_tokenizers.reference.tokenizer_json.normalizers import DECLARED, declared_normalizer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tokharness_tokenizers.reference.pipeline import Pipeline


@dataclass(frozen=True)
class Declaration:
    """Attributes of a target that come from its file.

    Attributes:
        normalizer: The name of the normal form, or of any other change; None if there is none.
        normalize: Return the text that decoding has to give for a text, if it is known.
        token_bytes: Return the bytes of a token, if they are known.
        algorithm: The name of the algorithm, if it is known.
        unknown_id: The id of the unknown token, if there is one.
        merges: Return so many merges at most, as pairs of bytes, if the model has merges.
        scores: Return so many pieces at most, with their scores, if the model has scores.
        bytes_inside: Return the bytes of each token inside a text, if they are known.
        stages: Return a text after each stage of the file, if all of them are known.
        reading: Our reading of the file, if it can be read.

    """

    normalizer: str | None = None
    normalize: Callable[[str], str] | None = None
    token_bytes: Callable[[int], bytes] | None = None
    algorithm: str | None = None
    unknown_id: int | None = None
    merges: Callable[[int], list[tuple[bytes, bytes]]] | None = None
    scores: Callable[[int], list[tuple[bytes, float]]] | None = None
    bytes_inside: Callable[[Sequence[int]], list[bytes]] | None = None
    stages: Callable[[str], list[tuple[str, list[str]]]] | None = None
    reading: Pipeline | None = None

    def at_versions(self, versions: Mapping[str, str]) -> Declaration:
        """Return the declaration of a library whose stages have these Unicode versions.

        The file is read again when a text is asked for first.
        """
        reading = self.reading
        if reading is None or not versions.keys() & reading.stage_versions.keys():
            return self

        @cache
        def pinned() -> Pipeline:
            known = {key: versions[key] for key in versions if key in reading.stage_versions}
            return reading.with_stage_versions(known)

        return replace(
            self,
            normalize=lambda text: pinned().normalize(text),
            stages=lambda text: pinned().stages(text),
        )

    def give_to(self, target: Any) -> None:
        """Set the attributes that a target of any of the libraries has."""
        target.normalizer, target.normalize = self.normalizer, self.normalize
        target.decode_single_token_bytes = self.token_bytes
        target.read_from_file = ("decode_single_token_bytes",)
        target.bytes_inside, target.stages_in_file = self.bytes_inside, self.stages
        target.algorithm, target.unknown_id = self.algorithm, self.unknown_id


def file_declaration(
    record: Any, tokenizer: Any, round_trip: Callable[[str], str], ids: Mapping[str, int]
) -> Declaration:
    """Return what a ``tokenizer.json`` declares, from its parsed JSON; nothing if it is None.

    ``tokenizer`` is the library's object that has loaded it; ``round_trip`` encodes and decodes a
    text. ``ids`` has the ids that the library gives the added tokens, by text.
    """
    try:
        if record is None:
            return Declaration()
        return declaration_of(record, tokenizer, round_trip, ids)
    except FILE_ERRORS:
        return Declaration()


def declaration_of(
    record: Mapping[str, Any],
    tokenizer: Any,
    round_trip: Callable[[str], str],
    ids: Mapping[str, int],
    file_name: str = DECLARED,
) -> Declaration:
    """Return what the content of a file declares, which has the usual name of its format."""
    try:
        read = tokenizer_json.read(_numbered(record, ids), file_name, file_name)
    except FILE_ERRORS:
        return _unread(record, tokenizer, round_trip, file_name)
    return Declaration(
        read.normalizer,
        read.normalize,
        read.decode_single_token_bytes,
        read.algorithm,
        read.unknown_id,
        read.merges,
        read.scores,
        read.bytes_inside,
        read.stages,
        read,
    )


def _numbered(record: Any, ids: Mapping[str, int]) -> Any:
    """Return a file whose added tokens have the ids that the library gives them.

    It may count on from the model's vocabulary, and ignore the ids of the file: with those, a token
    would be shown with the text of another one. A release without a table of ids may show one id
    for two tokens with the same normalized text.
    """
    rows = record.get("added_tokens") if isinstance(record, dict) else None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        return record
    if len({*ids.values()}) < len(ids):
        return record
    named = ((row, row.get("content")) for row in rows)
    numbered = [
        {**row, "id": ids[text]} if isinstance(text, str) and text in ids else row
        for row, text in named
    ]
    return {**record, "added_tokens": numbered}


def _unread(
    record: Mapping[str, Any], tokenizer: Any, round_trip: Callable[[str], str], file_name: str
) -> Declaration:
    """Return the declaration of a file that we cannot read.

    Text with added tokens, which stages do not change, and a library that shows no stages are left
    to the round trip: nothing else says what they are to give.
    """
    try:
        name = declared_normalizer(record, file_name)
    except (KeyError, TypeError, AttributeError):  # the library reads records without types, too
        name = file_name
    if name is None:
        return Declaration()
    try:
        added = [token["content"] for token in record.get("added_tokens") or ()]
    except (KeyError, TypeError):  # no release that we know loads such a file
        return Declaration(name, round_trip)

    def normalize(text: str) -> str:
        if not hasattr(tokenizer, "normalizer") or any(token in text for token in added):
            return round_trip(text)
        normalizer, decoder = tokenizer.normalizer, tokenizer.decoder
        words = [text if normalizer is None else normalizer.normalize_str(text)]
        if tokenizer.pre_tokenizer is not None:
            words = [word for word, _ in tokenizer.pre_tokenizer.pre_tokenize_str(words[0])]
        return " ".join(words) if decoder is None else str(decoder.decode(words))

    return Declaration(name, normalize)
