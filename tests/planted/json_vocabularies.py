"""Faults in the vocabulary of a ``tokenizer.json``: in the file, or when it is loaded."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any

from planted._registry import fault
from planted._tokenizer_files import against, altered, healthy, record_of
from tokharness_tokenizers.hugging_face.loaded import load_differences

CAUSE = "loaded vocabulary: "


def _loading(name: str, **settings: Any) -> Any:
    """Load a file whose model has other settings; the library shows what it has loaded."""
    written, loaded = record_of(name), record_of(name)
    loaded["model"].update(settings)
    file = healthy(name)
    methods = {one: getattr(file, one) for one in ("encode", "decode", "token_text")}
    attributes = {one: getattr(file, one) for one in ("special_tokens", "added_tokens", "n_vocab")}
    differences = partial(load_differences, written, json.dumps(loaded))
    return SimpleNamespace(**methods, **attributes, load_differences=differences)


@fault("TOK203", cause="loaded stage: model, fuse_unk", against=against("unknown_bpe"))
def loads_another_setting_of_a_model() -> Any:
    """Loads a BPE model that does not join unknown characters, as its file asks for."""
    return _loading("unknown_bpe", fuse_unk=False)


@fault("TOK203", cause="loaded stage: model, type", against=against("wordpiece"))
def loads_wordpiece_as_words() -> Any:
    """Loads a WordPiece model as a list of words, as where the file says no type."""
    return _loading("wordpiece", type="WordLevel")


@fault("TOK203", cause=CAUSE + "further ids", against=against("byte_bpe"))
def gives_tokens_to_unused_ids() -> Any:
    """Fills the ids after the largest one with tokens such as [unused7]."""
    file = healthy("byte_bpe")
    unused = {file.n_vocab + number: f"[unused{number}]" for number in range(8)}
    return replace(file, texts={**file.texts, **unused})


@fault("TOK203", cause=CAUSE + "missing ids", against=against("byte_bpe"))
def leaves_out_the_last_token() -> Any:
    """Reads one token less than the file has."""
    file = healthy("byte_bpe")
    texts = {number: text for number, text in file.texts.items() if number < file.n_vocab - 1}
    return replace(file, texts=texts)


@fault("TOK203", cause=CAUSE + "other tokens", against=against("byte_bpe"))
def shows_two_tokens_with_each_others_ids() -> Any:
    """Has the texts of two tokens exchanged in the table from id to token."""
    file = healthy("byte_bpe")
    return replace(file, texts={**file.texts, 5: file.texts[6], 6: file.texts[5]})


@fault("TOK403", cause="byte without a token: E4")
def lacks_a_byte_of_byte_fallback() -> Any:
    """Has the token of a byte, with which most of Chinese begins, in a misspelled form."""
    vocabulary = record_of("fallback_bpe")["model"]["vocab"]
    misspelled = {text.replace("<0xE4>", "<0xE4"): number for text, number in vocabulary.items()}
    return altered("fallback_bpe", "model", "vocab", to=misspelled)


@fault("TOK403", cause="byte without a token: F0")
def lacks_a_byte_of_a_unigram_model() -> Any:
    """Has no piece for the byte with which emoji begin, though the model falls back to bytes."""
    rows = record_of("unigram")["model"]["vocab"]
    misspelled = [[piece.replace("<0xF0>", "<0xf0"), score] for piece, score in rows]
    return altered("unigram", "model", "vocab", to=misspelled)
