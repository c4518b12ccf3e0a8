"""From a file to a tokenizer: JSON, model, added tokens and stages.

A library that reads the same file gets it only within the bounds of our reader. An unknown
component may stand before a component that exceeds a bound, so all components are checked, and none
is read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from itertools import chain
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from tokharness.json_content import parse_json
from tokharness.regular_files import read_file
from tokharness_tokenizers.reference import splitting
from tokharness_tokenizers.reference.added_tokens import AddedToken, AddedTokens, Cutter
from tokharness_tokenizers.reference.models.bpe import BPE
from tokharness_tokenizers.reference.models.unigram import Unigram
from tokharness_tokenizers.reference.pipeline import Pipeline
from tokharness_tokenizers.reference.splitting import LargeError
from tokharness_tokenizers.reference.tokenizer_json.alterations import Alteration, alterations
from tokharness_tokenizers.reference.tokenizer_json.fields import WORDS, Fields, Tables
from tokharness_tokenizers.reference.tokenizer_json.models import AnyModel, read_model, with_flags
from tokharness_tokenizers.reference.tokenizer_json.normalizers import (
    DECLARED,
    declared_normalizer,
    read_normalizer,
)
from tokharness_tokenizers.reference.tokenizer_json.post_processors import (
    read_decoder,
    read_decoding,
    read_post_processing,
)
from tokharness_tokenizers.reference.tokenizer_json.pre_tokenizers import read_pre_tokenizer
from tokharness_tokenizers.reference.white_space import rust_word
from tokharness_tokenizers.reference.word_ids import TextStages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path


# Places where a text without a pre-tokenizer can be cut, since no token crosses them.

SPACES = ("\u2581", " ")
"""Marks that begin words in vocabularies without cuts: U+2581 in SentencePiece vocabularies."""


def parts_of(model: AnyModel) -> Callable[[str], list[str]] | None:
    """Return a function that cuts a text before words; None if a token may cross such a place.

    BPE merges only the pairs of its list. If no token has a space after another character, the
    tokens of a text are the tokens of its words, each with the spaces before it; and a character
    that no token has next to another character stands alone.
    """
    if not isinstance(model, BPE) or model.prefix or model.suffix or model.ignore_merges:
        return None
    for space in SPACES:
        inside = re.compile(f"[^{space}]{space}")
        if space in model.vocabulary and not any(map(inside.search, model.vocabulary)):
            alone = re.escape(_alone(model))
            single = f"[{alone}]|" if alone else ""
            return re.compile(f"{single}{space}+[^{space}{alone}]*|[^{space}{alone}]+").findall
    return None


def _alone(model: BPE) -> str:
    """Return the ASCII characters that no merge joins with another character.

    Unknown characters are left out, since neighbouring unknown characters may become one token.
    """
    joined = set().union(*chain.from_iterable(model.merges))
    return "".join(
        char for char in map(chr, range(0x80)) if char not in joined and _is_known(char, model)
    )


def _is_known(char: str, model: BPE) -> bool:
    byte = f"<0x{ord(char):02X}>"
    return char in model.vocabulary or (model.byte_fallback and byte in model.vocabulary)


class Record(dict[str, Any]):
    """The parsed JSON of a file, which stays as it is, with the tables that were made of it."""

    file: _File | None = None


_records: WeakValueDictionary[bytes, Record] = WeakValueDictionary()
"""The records that are in use, by the digest of the file: a target declares what its reference
reads, and a large vocabulary takes 60 MB as JSON and 70 MB as a model."""


def load(path: Path) -> Pipeline:
    """Read a ``tokenizer.json``.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is damaged, or has a component that is not known; the message says where.

    """
    record = shared_record(path)
    try:
        return read(record, str(path))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def shared_record(path: Path) -> Any:
    """Parse a file, as :func:`read_record` does; parts of this process share the record."""
    data = read_file(path)
    digest = blake2b(data).digest()
    if (known := _records.get(digest)) is not None:
        return known
    record = _parsed(path, data)
    if isinstance(record, dict):
        record = _records[digest] = Record(record)
    return record


def read_record(path: Path) -> Any:
    """Parse a file; raises OSError, or ValueError if it is not JSON."""
    return _parsed(path, read_file(path))


def _parsed(path: Path, data: bytes) -> Any:
    try:
        return parse_json(data, parse_constant=_refuse_constant)
    except ValueError as error:
        raise ValueError(f"{path} is not JSON: {error}") from error


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number of JSON")


def read(record: Any, name: str, declared: str = DECLARED) -> Pipeline:
    """Make the tokenizer of the parsed JSON; ``declared`` is the name of the file's normalizer.

    Raises:
        ValueError: it is damaged, or has a component that is not known; the message says where.

    """
    file = record.file if isinstance(record, Record) else None
    if file is None:
        model = read_model(model_of(record))
        added = read_tokens(record, model)
        file = _File(name, record, model, added, texts_of(model, added), declared)
        if isinstance(record, Record):
            record.file = replace(file, record=dict(record))  # which does not keep the record
    return replace(file, name=name, record=record, declared=declared).pipeline({})


def model_of(record: Any) -> Fields:
    """Return the object of the model; raises ValueError if the record is not a tokenizer.json."""
    if not isinstance(record, dict) or not isinstance(record.get("model"), dict):
        raise ValueError("this is no tokenizer.json: it has no object 'model'")  # noqa: TRY004
    Fields("", record).choice("version", ("1.0",), "1.0")
    return Fields("model", record["model"])


def read_tokens(record: Mapping[str, Any], model: AnyModel) -> tuple[AddedToken, ...]:
    """Read the added tokens of a file."""
    return read_added_tokens(Fields("", record), model.vocabulary)


def texts_of(model: AnyModel, added: tuple[AddedToken, ...]) -> dict[int, str]:
    """Return the text of each token, by id; of two tokens with the same id, the later text."""
    if isinstance(model, Unigram):  # two ids may have one text
        texts = {number: text for number, (text, _) in enumerate(model.pieces)}
    else:
        texts = {number: text for text, number in model.vocabulary.items()}
    return texts | {token.number: token.content for token in added}


@dataclass(frozen=True, eq=False)
class _File:
    """The parts of a file that stay the same at all Unicode versions."""

    name: str
    record: Mapping[str, Any]
    model: AnyModel
    added: tuple[AddedToken, ...]
    texts: Mapping[int, str]
    declared: str
    changed_texts: dict[tuple[tuple[int, str], ...], Mapping[int, str]] = field(
        default_factory=dict
    )

    def texts_with(self, changed: Mapping[int, str]) -> Mapping[int, str]:
        """Return the texts with changed ones; versions with the same changes share them."""
        rows = tuple(sorted(changed.items()))
        if rows not in self.changed_texts:
            self.changed_texts[rows] = {**self.texts, **changed} if changed else self.texts
        return self.changed_texts[rows]

    def pipeline(self, versions: Mapping[str, str]) -> Pipeline:
        file = Fields("", self.record)
        tables = Tables(versions)
        stages = self.stages(tables)
        texts = self.texts
        if stages.normalizer is not None:
            texts = self.texts_with(normalized_texts(self.added, stages.normalizer.normalize))
        suffix = self.model.suffix if isinstance(self.model, BPE) else ""
        return Pipeline(
            self.name,
            stages,
            self.model,
            texts,
            read_decoding(file.child("decoder"), suffix, tables),
            read_post_processing(file),
            normalizer=declared_normalizer(self.record, self.declared),
            stage_versions=tables.used,
            at_versions=self.pipeline,
            altered=self.altered,
        )

    def stages(self, tables: Tables) -> TextStages:
        file = Fields("", self.record)
        normalizer, pre_tokenizer = file.child("normalizer"), file.child("pre_tokenizer")
        normalize = None if normalizer is None else read_normalizer(normalizer, tables)
        word: frozenset[str] = frozenset()
        if any(token.single_word for token in self.added):
            word = rust_word(tables.version(WORDS))
        return TextStages(
            make_added_tokens(
                self.added,
                (lambda text: text) if normalize is None else normalize.normalize,
                word.__contains__,
            ),
            normalize,
            None if pre_tokenizer is None else read_pre_tokenizer(pre_tokenizer, tables),
            parts_of(self.model) if pre_tokenizer is None else None,
        )

    def altered(self, versions: Mapping[str, str]) -> list[tuple[str, str, Pipeline]]:
        """Return the tokenizer of each alteration of the file, at these versions.

        An alteration whose file cannot be read is left out.
        """
        head = {key: value for key, value in self.record.items() if key != "model"}
        settings = {k: v for k, v in self.record["model"].items() if k not in ("vocab", "merges")}
        merges = self.model.merges if isinstance(self.model, BPE) else ()
        pipelines = []
        for alteration in alterations({**head, "model": settings}, merges):
            try:
                pipelines.append((*alteration[:2], self._altered(alteration).pipeline(versions)))
            except ValueError:
                continue
        return pipelines

    def _altered(self, alteration: Alteration) -> _File:
        record = alteration[2]
        model = with_flags(self.model, record["model"])
        return replace(self, record=record, model=model, added=read_tokens(record, model))


def read_added_tokens(fields: Fields, vocabulary: Mapping[str, int]) -> tuple[AddedToken, ...]:
    """Read the added tokens.

    A token that the model also has gets the model's id. Of two tokens with the same text, the later
    token counts, with the id of the first; it is special if either is. An empty token is left out.

    Other tokens have the id in the file. (The library ignores it: from the size of the model's
    vocabulary on, 0.20 to 0.23 number these tokens in their order in the file, 1.0 in the order of
    their ids. These numbers are the ids of the file if no id is left out.)

    Raises:
        ValueError: an added token is damaged.

    """
    tokens: dict[str, AddedToken] = {}
    for one in fields.children("added_tokens", []):
        content, number = one.get("content", str), one.natural("id")
        before = tokens.get(content)
        special = one.get("special", bool, False) or (before is not None and before.special)
        if content:
            tokens[content] = AddedToken(
                content,
                vocabulary.get(content, number if before is None else before.number),
                single_word=one.get("single_word", bool, False),
                lstrip=one.get("lstrip", bool, False),
                rstrip=one.get("rstrip", bool, False),
                normalized=one.get("normalized", bool, not special),
                special=special,
            )
    return tuple(tokens.values())


def make_added_tokens(
    tokens: Iterable[AddedToken],
    normalize: Callable[[str], str],
    is_word: Callable[[str], bool],
) -> AddedTokens:
    """Make the added tokens; ``normalize`` gives the text that is searched for in normalized text.

    If two tokens have the same normalized text, the later token counts. (The library chooses one at
    random, each time that it reads the file.) A token whose normalized text is empty is not found.
    (The library finds it between all characters, and thus splits the text into characters.)
    """
    tokens = tuple(tokens)
    before = {one.content: one for one in tokens if not one.normalized}
    after = {text: one for one in tokens if one.normalized and (text := normalize(one.content))}
    return AddedTokens(tokens, Cutter(before, is_word), Cutter(after, is_word))


def normalized_texts(
    tokens: Iterable[AddedToken], normalize: Callable[[str], str]
) -> dict[int, str]:
    """Return the texts of tokens in decoding, by id, if they differ from the tokens' own texts.

    A token that is searched for in normalized text is decoded to its normalized text, as in
    releases 0.23 and 1.0. (0.20 decodes it to its own text.)
    """
    return {
        one.number: text
        for one in tokens
        if one.normalized and (text := normalize(one.content)) != one.content
    }


STAGES = ("normalizer", "pre_tokenizer", "model", "decoder")
SHORT = ("prepend", "content", "continuing_subword_prefix", "end_of_word_suffix")
"""Texts that a component puts into each text."""
TABLES = ("vocab", "merges")
SEQUENCES: dict[str, tuple[str, Callable[[Fields, Tables], object]]] = {
    "normalizer": ("normalizers", read_normalizer),
    "pre_tokenizer": ("pretokenizers", read_pre_tokenizer),
    "decoder": ("decoders", read_decoder),
}
"""Stages whose components follow one another: the name of the components, and their reader."""


def refuse_large(record: Any) -> None:
    """Raise LargeError if a component of the parsed JSON exceeds a bound of our reader."""
    if not isinstance(record, dict):
        return
    places = [(stage, record.get(stage)) for stage in STAGES]
    while places:
        where, value = places.pop()
        if isinstance(value, list):
            places += [(f"{where}[{at}]", one) for at, one in enumerate(value)]
        elif isinstance(value, dict):
            _refuse_large_fields(Fields(where, value))
            places += [(f"{where}.{key}", one) for key, one in value.items() if key not in TABLES]
    _refuse_unless_unknown(read_post_processing, Fields("", record))
    for stage, (name, read) in SEQUENCES.items():
        if isinstance(record.get(stage), dict):
            _refuse_unless_unknown(_refuse_growth, Fields(stage, record[stage]), name, read)


def _refuse_unless_unknown(read: Callable[..., object], *arguments: Any) -> None:
    try:
        read(*arguments)
    except LargeError:
        raise
    except ValueError:
        pass  # the library may know it


def _refuse_growth(fields: Fields, name: str, read: Callable[[Fields, Tables], object]) -> None:
    """Raise LargeError if the components of a stage that our reader knows make a text too long."""
    known = []
    for leaf in fields.leaves(name):
        try:
            read(leaf, Tables())
        except LargeError:
            raise
        except ValueError:
            continue  # the library may know it
        known.append(leaf.record)
    read(Fields(fields.where, {"type": "Sequence", name: known}), Tables())


def _refuse_large_fields(fields: Fields) -> None:
    for name in SHORT:
        if isinstance(fields.record.get(name), str):
            fields.short(name)
    pattern = fields.record.get("Regex")
    if isinstance(pattern, str):
        try:
            splitting.refuse_large(pattern)
        except LargeError as error:
            raise LargeError(f"{fields.where}: {error}") from error
