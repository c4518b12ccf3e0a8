"""Make the healthy files: ``python -m tokharness_tokenizers.vocabularies.make_healthy``.

Each is a small vocabulary of one kind without a fault of its own. Most kinds have two files, with
other components: a library that fails on both in the same way fails on every file of this kind.
They are made of the small vocabularies and of the first tokens of the embedded one, with no
library, and are in the folder ``healthy``; ``--to FOLDER`` writes to another folder.
"""

from __future__ import annotations

import argparse
import base64
import json
import sys
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from tokharness_tokenizers.reference.patterns import O200K
from tokharness_tokenizers.reference.ranks_file import load as load_ranks
from tokharness_tokenizers.reference.sentencepiece.generate_nmt_nfkc import charsmap_bytes, rules
from tokharness_tokenizers.reference.sentencepiece.model_file import (
    ModelFile,
    ModelKind,
    NormalizerSpec,
    Piece,
    PieceKind,
    TrainerSpec,
    model_bytes,
)
from tokharness_tokenizers.vocabularies.locate import (
    EMBEDDED_PATH,
    HEALTHY_FOLDER,
    SMALL,
    WITHOUT_BYTES,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

__all__ = ["files", "main"]

Record: TypeAlias = "dict[str, Any]"

MARK = "\u2581"
RANKS = 1000
"""Tokens of the embedded vocabulary that a file has, the bytes among them."""

WORDS = r" ?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+|\s+"
"""A pattern without lookahead and without cases."""

BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
REPLACEMENT = "\ufffd"
"""A token that a library may take for a part of a character."""

LOW = -100.0
"""A score below that of the characters of a piece together, so that its name in a text is text."""


def files() -> dict[str, bytes]:
    """Return the content of each file, by its path in the folder."""
    records = {
        "byte-level-bpe": _small("byte-level-bpe"),
        "byte-fallback-bpe": _small("sentencepiece-bpe", "<s>", "</s>"),
        "character-bpe": _small("character-bpe", "<s>", "</s>", tokens=[REPLACEMENT]),
        "unigram": _marked(_small("unigram", "<s>", "</s>", tokens=[REPLACEMENT])),
        "unigram-precompiled": _precompiled(_small("unigram", "<s>", "</s>", tokens=[REPLACEMENT])),
        "byte-fallback-unigram": _with_bytes(_marked(_small("unigram"))),
        "wordpiece": _small("wordpiece", "[CLS]", "[SEP]", tokens=[REPLACEMENT]),
        "word-level": _words(_small("wordpiece", "[CLS]", "[SEP]", tokens=[REPLACEMENT])),
    }
    records |= {f"{name}-other": _OTHERS[name](records[name]) for name in _OTHERS}
    records |= {
        name.replace("bpe", "bpe-composed"): _composing(records[name])
        for name in ("byte-level-bpe", "byte-level-bpe-other")
    }
    made = {f"{name}/tokenizer.json": _json(record) for name, record in records.items()}
    models = {
        f"{start}{kind.name.lower()}{end}.model": _sentencepiece(
            kind, prefix=not end, has_bytes=not start
        )
        for start in ("", WITHOUT_BYTES)
        for kind in (ModelKind.BPE, ModelKind.UNIGRAM)
        for end in ("", "-other")
    }
    return {
        **made,
        **{f"{name}/tokenizer_config.json": _config(records[name]) for name in records},
        "tekken.json": _json(_tekken(O200K)),
        "tekken-other.json": _json(_tekken(WORDS)),
        "other.tiktoken": _ranks(),
        "other.tiktoken.json": _json(_side_file()),
        "rwkv.txt": "".join(f"{line}\n" for line in _rwkv_lines()).encode(),
        "codes.txt": _codes(),
        **{name: model_bytes(model) for name, model in models.items()},
    }


def _small(name: str, *special: str, tokens: Sequence[str] = ()) -> Record:
    """Return a small vocabulary with further tokens, and then further special tokens."""
    record: Record = json.loads(SMALL[name].read_text(encoding="ascii"))
    first = record["added_tokens"][0]
    vocab = record["model"]["vocab"]
    if isinstance(vocab, list):
        vocab += [[text, LOW] for text in tokens]
    else:
        vocab |= {text: len(vocab) + number for number, text in enumerate(tokens)}
    size = len(vocab)
    record["added_tokens"] += [
        {**first, "id": size + number, "content": text} for number, text in enumerate(special)
    ]
    return record


def _marked(record: Record) -> Record:
    """Put a mark before every text, also if it begins with a space, so that no space is lost."""
    llama = _small("sentencepiece-bpe")
    vocab = [[record["model"]["vocab"][0][0], LOW], *record["model"]["vocab"][1:]]
    model = {**record["model"], "vocab": vocab}
    stages = {name: llama[name] for name in ("normalizer", "decoder")}
    return {**record, "pre_tokenizer": None, **stages, "model": model}


def _precompiled(record: Record) -> Record:
    """Normalize by a charsmap, and put a mark before each word, as files of T5 do."""
    normalizer = {"type": "Precompiled", "precompiled_charsmap": _charsmap()}
    marks = {"type": "Metaspace", "replacement": MARK, "prepend_scheme": "always", "split": True}
    words = {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, marks]}
    return {**record, "normalizer": normalizer, "pre_tokenizer": words, "decoder": marks}


def _charsmap() -> str:
    """Return the rules of ``nmt_nfkc`` for single characters of Latin, and their wide forms."""
    chosen = {char: text for char, text in rules().items() if len(char) == 1}
    chosen = {char: chosen[char] for char in chosen if char < "\u0250" or char > "\uff00"}
    return base64.b64encode(charsmap_bytes(chosen)).decode()


def _spaces_joined(record: Record) -> Record:
    """Split words by marks alone, after spaces that follow one another are joined."""
    joined = {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}
    normalizer = {"type": "Sequence", "normalizers": [record["normalizer"], joined]}
    return {**record, "normalizer": normalizer, "pre_tokenizer": record["decoder"]}


def _with_bytes(record: Record) -> Record:
    """Give a Unigram model a piece for each byte, and two special tokens after them."""
    model = record["model"]
    pieces = [*model["vocab"], *([piece, LOW] for piece in BYTES)]
    first = record["added_tokens"][0]
    special = [
        {**first, "id": len(pieces) + number, "content": text}
        for number, text in enumerate(("<s>", "</s>"))
    ]
    model = {**model, "vocab": pieces, "byte_fallback": True}
    return {**record, "model": model, "added_tokens": [*record["added_tokens"], *special]}


def _split_by_words(record: Record) -> Record:
    """Split by another pattern, in a component of its own."""
    bytes_only = {**record["pre_tokenizer"], "use_regex": False, "trim_offsets": False}
    split = {"type": "Split", "pattern": {"Regex": WORDS}, "behavior": "Isolated", "invert": False}
    stages = {"type": "Sequence", "pretokenizers": [split, bytes_only]}
    return {**record, "pre_tokenizer": stages}


def _composing(record: Record) -> Record:
    """Normalize text to NFC, as most files with bytes that have a normalizer do."""
    return {**record, "normalizer": {"type": "NFC"}}


def _without_prefix(record: Record) -> Record:
    """Put no mark before a text, and take none off."""
    mark = record["normalizer"]["normalizers"][-1]
    decoders = {**record["decoder"], "decoders": record["decoder"]["decoders"][:-1]}
    return {**record, "normalizer": mark, "decoder": decoders}


def _cased(record: Record) -> Record:
    """Keep the case and the accents, and the spaces before punctuation."""
    kept = {"lowercase": False, "strip_accents": False, "clean_text": False}
    normalizer = {**record["normalizer"], **kept}
    return {**record, "normalizer": normalizer, "decoder": {**record["decoder"], "cleanup": False}}


_OTHERS: Mapping[str, Callable[[Record], Record]] = MappingProxyType(
    {
        "byte-level-bpe": _split_by_words,
        "byte-fallback-bpe": _without_prefix,
        "unigram": _without_prefix,
        "unigram-precompiled": _spaces_joined,
        "byte-fallback-unigram": _without_prefix,
        "wordpiece": _cased,
    }
)
"""What makes the other file of a kind."""


def _words(record: Record) -> Record:
    """Make a list of whole words of a WordPiece model; it ends where the special tokens begin."""
    unknown = record["model"]["unk_token"]
    inner = record["model"]["continuing_subword_prefix"]
    words = [token for token in record["model"]["vocab"] if not token.startswith(inner)]
    vocab = {word: number for number, word in enumerate(words)}
    tokens = record["added_tokens"]
    added = [{**one, "id": len(vocab) + at} for at, one in enumerate(tokens[1:])]
    return {
        **record,
        "added_tokens": [{**tokens[0], "id": vocab[unknown]}, *added],
        "pre_tokenizer": {"type": "Whitespace"},
        "decoder": None,
        "model": {"type": "WordLevel", "unk_token": unknown, "vocab": vocab},
    }


def _tokens() -> list[bytes]:
    """Return the first tokens of the embedded vocabulary, which need only each other."""
    ranks = load_ranks(EMBEDDED_PATH).ranks
    return sorted(ranks, key=ranks.__getitem__)[:RANKS]


def _ranks() -> bytes:
    lines = (f"{base64.b64encode(token).decode()} {rank}" for rank, token in enumerate(_tokens()))
    return "".join(f"{line}\n" for line in lines).encode()


def _side_file() -> Record:
    return {"name": "other", "pattern": WORDS, "special_tokens": {"<|endoftext|>": RANKS}}


def _tekken(pattern: str) -> Record:
    special = ("<unk>", "<s>", "</s>")
    vocab = [
        {"rank": rank, "token_bytes": base64.b64encode(token).decode(), "token_str": None}
        for rank, token in enumerate(_tokens())
    ]
    return {
        "config": {
            "pattern": pattern,
            "num_vocab_tokens": len(vocab),
            "default_vocab_size": len(vocab) + len(special),
            "default_num_special_tokens": len(special),
            "version": "v11",
        },
        "vocab": vocab,
        "special_tokens": [
            {"rank": number, "token_str": text, "is_control": True}
            for number, text in enumerate(special)
        ],
    }


def _rwkv_lines() -> Iterable[str]:
    """Yield the lines of RWKV's list: the id, a literal, and the number of bytes."""
    for number, token in enumerate(_tokens(), start=1):
        try:
            literal = ascii(token.decode())
        except UnicodeDecodeError:
            literal = repr(token)
        yield f"{number} {literal} {len(token)}"


def _codes() -> bytes:
    merges = json.loads(SMALL["character-bpe"].read_text(encoding="ascii"))["model"]["merges"]
    lines = (merge if isinstance(merge, str) else " ".join(merge) for merge in merges)
    return "\n".join(["#version: 0.2", *lines, ""]).encode()


def _sentencepiece(kind: ModelKind, *, prefix: bool = True, has_bytes: bool = True) -> ModelFile:
    """Make a model with bytes for all other characters; ``prefix`` puts a mark before a text.

    Without bytes, these characters are unknown, and a text is normalized as by default, as far as
    spaces change. The scores of a BPE are minus the ranks of its merges.
    """
    if kind is ModelKind.BPE:
        model = _small("sentencepiece-bpe")["model"]
        texts = [token for token in model["vocab"] if token not in {"<unk>", *BYTES}]
        scored = [Piece(text, -float(rank)) for rank, text in enumerate(texts)]
    else:
        scored = [Piece(*pair) for pair in _small("unigram")["model"]["vocab"][1:]]
    pieces = [
        Piece("<unk>", kind=PieceKind.UNKNOWN),
        Piece("<s>", kind=PieceKind.CONTROL),
        Piece("</s>", kind=PieceKind.CONTROL),
        *(Piece(text, kind=PieceKind.BYTE) for text in BYTES if has_bytes),
        *scored,
    ]
    return ModelFile(
        pieces=tuple(pieces),
        trainer=TrainerSpec(model=kind, byte_fallback=has_bytes),
        normalizer=NormalizerSpec(
            "identity" if has_bytes else "spaces",
            b"" if has_bytes else charsmap_bytes(_rules_of_spaces()),
            add_dummy_prefix=prefix,
            remove_extra_whitespaces=not has_bytes,
        ),
    )


def _rules_of_spaces() -> dict[str, str]:
    """Return the rules of ``nmt_nfkc`` for one character of which a space comes."""
    return {char: text for char, text in rules().items() if len(char) == 1 and " " in text}


def _config(record: Record) -> bytes:
    """Return a ``tokenizer_config.json``: the library takes the file as it is, and can pad."""
    pad = record["added_tokens"][-1]["content"]
    return _json({"tokenizer_class": "PreTrainedTokenizerFast", "pad_token": pad})


def _json(record: Record) -> bytes:
    return (json.dumps(record, separators=(",", ":")) + "\n").encode("ascii")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description="Make the healthy files.")
    parser.add_argument("--to", type=Path, default=HEALTHY_FOLDER, help="write to this folder")
    folder = parser.parse_args(arguments).to
    for name, content in files().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return 0


if __name__ == "__main__":
    sys.exit(main())
