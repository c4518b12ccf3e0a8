"""Each public method of a library that encodes or decodes is called, or has a reason not to be."""

from __future__ import annotations

import functools
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import tiktoken
from planted._sentencepiece_models import MODELS

from tokharness.model import target_of
from tokharness_tokenizers import libraries, mistral
from tokharness_tokenizers.adapters import (
    auto_tokenizer,
    mistral_tokenizer,
    sentencepiece_processor,
    tiktoken_engine,
)
from tokharness_tokenizers.hugging_face import engine as hugging_face
from tokharness_tokenizers.reference.sentencepiece.model_file import model_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

FILE = Path(__file__).parent / "adapters" / "tokenizer.json"
ENCODES_OR_DECODES = re.compile("encode|decode|tokenize$|^__call__$", re.IGNORECASE)
TEXTS = ["a", "ab b", ""]


class Spy:
    """An object of a library that notes which of its methods are called from outside."""

    def __init__(self, raw: Any) -> None:
        self.raw, self.called = raw, set[str]()

    def __getattr__(self, name: str) -> Any:
        value = getattr(self.raw, name)
        return functools.partial(self._call, name) if callable(value) else value

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return self._call("__call__", *arguments, **options)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ("raw", "called"):
            object.__setattr__(self, name, value)
        else:
            setattr(self.raw, name, value)

    def _call(self, name: str, *arguments: Any, **options: Any) -> Any:
        self.called.add(name)
        return getattr(self.raw, name)(*arguments, **options)


def call_everything(engine: Any) -> None:
    """Call each method of a target with texts, ids and batches of them."""
    target = target_of("a library", engine)
    rows = [target.encode(text) for text in TEXTS]
    for method in ("encode", "encode_special", "encode_with_offsets"):
        if method == "encode" or target.can(method):
            target.call(method, "a")
    for method in ("decode_bytes", "decode"):
        if method == "decode" or target.can(method):
            target.call(method, rows[0])
    for method, argument in (
        *(("encode_batch", TEXTS), ("encode_variants", TEXTS)),
        *(("decode_batch", rows), ("decode_variants", rows)),
        *(("decode_single_token_bytes", 1), ("token_text", 1)),
    ):
        if target.can(method):
            target.call(method, argument)


def assert_all_are_called(spies: list[Spy], not_called: Mapping[str, str]) -> None:
    cls = type(spies[0].raw)
    public = {
        name: getattr(cls, name)
        for name in dir(cls)
        if ENCODES_OR_DECODES.search(name) and callable(getattr(cls, name))
        if name == "__call__" or not name.startswith("_")
    }
    called = {getattr(cls, name) for spy in spies for name in spy.called}
    left_out = {public[name] for name in not_called if name in public}
    assert public
    assert [name for name, one in public.items() if one not in called | left_out] == []
    assert not called & left_out, "it is called and said not to be"


def test_all_methods_of_tiktoken_are_called() -> None:
    ranks = {bytes([byte]): byte for byte in range(256)}
    spy = Spy(
        tiktoken.Encoding(
            "a", pat_str="(?s:.)", mergeable_ranks=ranks, special_tokens={"<|e|>": 256}
        )
    )
    call_everything(tiktoken_engine.Engine(spy))  # type: ignore[arg-type]
    assert_all_are_called([spy], tiktoken_engine.NOT_CALLED)


@pytest.mark.needs("tokenizers")
def test_all_methods_of_tokenizers_are_called() -> None:
    from tokenizers import Tokenizer

    spies = [Spy(Tokenizer.from_file(str(FILE))) for _ in range(2)]
    call_everything(hugging_face.Engine(FILE, "", None, *spies))
    assert_all_are_called(spies, hugging_face.NOT_CALLED)


@pytest.mark.needs("sentencepiece", "0.2")
@pytest.mark.parametrize("model", ["sp_bpe", "sp_unigram"])
def test_all_methods_of_sentencepiece_are_called(tmp_path: Path, model: str) -> None:
    from sentencepiece import SentencePieceProcessor

    path = tmp_path / "a.model"
    path.write_bytes(model_bytes(MODELS[model]))
    spy = Spy(SentencePieceProcessor(model_file=str(path)))
    call_everything(sentencepiece_processor.Engine(path, spy, None))
    not_called = dict(sentencepiece_processor.NOT_CALLED)
    if (
        libraries.find_version("protobuf") is None
    ):  # the library then raises for each type of message
        messages = {name for name in dir(spy.raw) if name.lower().endswith("proto")}
        spy.called -= messages
        not_called |= dict.fromkeys(messages, "protobuf is missing")
    assert_all_are_called([spy], not_called)


@pytest.mark.needs("sentencepiece", "0.2")
@pytest.mark.parametrize(
    ("kept", "name"),
    [("", None), ("<s>", "encode with add_bos"), ("</s>", "encode with add_eos")],
)
def test_an_option_of_sentencepiece_is_called_if_the_model_has_its_token(
    tmp_path: Path, kept: str, name: str | None
) -> None:
    from sentencepiece import SentencePieceProcessor

    model = MODELS["sp_bpe"]
    others = {"<s>", "</s>"} - {kept}
    pieces = tuple(piece for piece in model.pieces if piece.text not in others)
    path = tmp_path / "a.model"
    path.write_bytes(model_bytes(replace(model, pieces=pieces)))
    raw = SentencePieceProcessor(model_file=str(path))
    (encoders,) = sentencepiece_processor.Engine(path, raw, None).encode_variants(["ab"])
    rows = {one: ids for one, ids, _ in encoders if one.startswith("encode with add_")}
    assert rows == ({} if name is None else {name: raw.encode("ab")})


@pytest.mark.slow
@pytest.mark.needs("mistral-common")
def test_all_methods_of_mistral_common_are_called(monkeypatch: pytest.MonkeyPatch) -> None:
    from mistral_common.tokens.tokenizers.mistral import MistralTokenizer
    from mistral_common.tokens.tokenizers.tekken import Tekkenizer

    spies: list[Spy] = []
    original = Tekkenizer.from_file

    def from_file(path: Path) -> Spy:
        spies.append(Spy(original(path)))
        return spies[-1]

    monkeypatch.setattr(Tekkenizer, "from_file", from_file)
    call_everything(mistral_tokenizer.load("tekken_240911.json"))
    assert_all_are_called(spies, mistral.NOT_CALLED)
    of_requests = {name for name in dir(MistralTokenizer) if name.startswith("encode")}
    assert of_requests == set(mistral.NOT_CALLED)


@pytest.mark.needs("transformers")
@pytest.mark.filterwarnings("default")
def test_all_methods_of_transformers_are_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tokenizer.json").write_bytes(FILE.read_bytes())
    config = {"tokenizer_class": "PreTrainedTokenizerFast", "pad_token": "[PAD]"}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(config), "utf-8")
    spies: list[Spy] = []
    original: Callable[..., Any] = auto_tokenizer._load

    def load(folder: Path, **options: Any) -> Spy:
        spies.append(Spy(original(folder, **options)))
        return spies[-1]

    monkeypatch.setattr(auto_tokenizer, "_load", load)
    call_everything(auto_tokenizer.load(str(tmp_path)))
    assert_all_are_called(spies, auto_tokenizer.NOT_CALLED)
