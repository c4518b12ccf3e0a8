from __future__ import annotations

import importlib.metadata
import json
import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tokharness import extras
from tokharness.errors import TargetError
from tokharness.model import Target, target_of
from tokharness_tokenizers import libraries
from tokharness_tokenizers.adapters import hugging_face
from tokharness_tokenizers.hugging_face import engine, hub
from tokharness_tokenizers.reference import tokenizer_json

needs_library = pytest.mark.needs("tokenizers")
needs_hub = pytest.mark.needs("huggingface_hub")

ROOT = Path(__file__).parents[3]
FLAGS = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized", "special"), False)
FILE: dict[str, Any] = json.loads(Path(__file__).with_name("tokenizer.json").read_bytes())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file that is not called ``tokenizer.json``."""
    return written(tmp_path / "mine.json")


def written(path: Path, **parts: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**FILE, **parts}), encoding="utf-8")
    return path


def failure(rest: str) -> TargetError:
    with pytest.raises(TargetError) as caught:
        hugging_face.load(rest)
    assert "\n" not in str(caught.value)
    return caught.value


@needs_library
def test_a_file_is_loaded_whatever_its_name_is(path: Path) -> None:
    engine = hugging_face.load(str(path))
    assert engine.name == str(path)
    assert engine.decode(engine.encode_ordinary("hello")) == "hello"


@needs_library
def test_a_folder_is_its_tokenizer_json(path: Path) -> None:
    assert "has no tokenizer.json" in str(failure(str(path.parent)))
    written(path.parent / "tokenizer.json")
    engine = hugging_face.load(str(path.parent))
    assert engine.name == str(path.parent / "tokenizer.json")
    spec = f"reference:{path.parent / 'tokenizer.json'}"
    assert hugging_face.reference(str(path.parent)) == spec


@needs_library
@pytest.mark.parametrize("rest", ["no/such.json", "./no", "/no", "~/no-such-file"])
def test_a_missing_file_is_an_error(rest: str) -> None:
    assert "there is no file" in str(failure(rest))


@needs_library
@pytest.mark.parametrize("rest", ["", "a b", "a/b/c", "owner/"])
def test_what_is_no_path_and_no_name_is_an_error(rest: str, tmp_path: Path) -> None:
    if rest == "":
        rest = "a:b"
    assert "write hf:FILE" in str(failure(rest))


@needs_library
def test_a_file_that_the_library_refuses_is_an_error_with_its_message(path: Path) -> None:
    written(path, model={"type": "Bigram"})
    error = failure(str(path))
    assert str(error).startswith(f"tokenizers refuses the file {path}: ")
    assert error.failure == "Exception"
    path.write_bytes(b"{")
    assert failure(str(path)).failure == "Exception"


BERT = {"type": "BertNormalizer", "clean_text": True, "strip_accents": None, "lowercase": True}


@needs_library
@pytest.mark.parametrize(
    ("parts", "where"),
    [
        ({"model": {"type": "Bigram"}}, "in model"),
        ({"normalizer": BERT}, "in normalizer, which lacks handle_chinese_chars of BertNormalizer"),
        (
            {"normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}, BERT]}},
            "in normalizer, which lacks handle_chinese_chars of BertNormalizer",
        ),
        (
            {"added_tokens": [{"id": 0, "content": "<s>"} | FLAGS, {"id": 1, "content": "<e>"}]},
            "in added_tokens, which lacks lstrip of <e>, normalized of <e>, rstrip of <e>",
        ),
        ({"padding": {"direction": "Right"}}, "in padding, which lacks pad_id, "),
        ({"normalizer": BERT, "padding": {"direction": "Right"}}, ""),
    ],
    ids=["model", "field", "field of a sequence", "added token", "padding", "two parts"],
)
def test_the_part_that_the_library_refuses_is_named_with_the_fields_that_it_lacks(
    path: Path, parts: dict[str, Any], where: str
) -> None:
    error = str(failure(str(written(path, **parts))))
    reason = error.partition(" at line 1 column ")[2].partition(": ")[2]
    assert reason.startswith(where)
    assert bool(reason) == bool(where)


@needs_library
def test_a_panic_while_loading_is_an_error(path: Path) -> None:
    written(path, normalizer={"type": "Precompiled", "precompiled_charsmap": "AAAA"})
    error = failure(str(path))
    assert "charsmap" in str(error)
    assert error.failure in ("PanicException", "Exception")


@needs_library
def test_a_file_whose_texts_cannot_be_encoded_is_loaded(path: Path) -> None:
    written(path, model={"type": "WordLevel", "unk_token": "?", "vocab": {"b": 0}})
    assert hugging_face.load(str(path)).encode_ordinary("b") == [0]


def test_without_the_library_it_says_what_to_install(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(libraries, "version", not_installed)
    assert extras.what_installs("hf") in str(failure(str(path)))
    assert hugging_face.versions() == {}


def not_installed(name: str) -> str:
    raise PackageNotFoundError(name)


@needs_library
def test_the_version_of_the_library_is_reported() -> None:
    assert hugging_face.versions() == {"tokenizers": importlib.metadata.version("tokenizers")}


def test_files_and_folders_are_recognized(path: Path, tmp_path: Path) -> None:
    assert hugging_face.recognize(path) == str(path)
    assert hugging_face.recognize(tmp_path) is None
    written(tmp_path / "tokenizer.json")
    assert hugging_face.recognize(tmp_path) == str(tmp_path)
    (tmp_path / "other.json").write_text("{}")
    assert hugging_face.recognize(tmp_path / "other.json") is None
    assert hugging_face.recognize(tmp_path / "none.json") is None


@needs_library
def test_ids_that_the_library_gives_added_tokens_are_those_of_their_texts(path: Path) -> None:
    token = {**FLAGS, "content": "<one>", "id": 300}
    ids = [("<one>", 300), ("<two>", 260), ("<three>", 97)]  # 97 is the letter a
    added = [{**token, "content": text, "id": number} for text, number in ids]
    written(path, added_tokens=[*FILE["added_tokens"], *added])
    engine = hugging_face.load(str(path))
    assert engine.decode_single_token_bytes is not None
    for text in ("<one>", "<two>", "<three>", "a"):
        (number,) = engine.encode_ordinary(text)
        assert engine.decode_single_token_bytes(number) == text.encode()


@needs_library
def test_plain_text_has_no_special_tokens_and_the_default_reads_them(path: Path) -> None:
    engine = hugging_face.load(str(path))
    assert engine.encode_ordinary("<s> a") == [*b"<s>", 256]
    assert engine.encode_special("<s> a") == [258, 256]
    assert engine.encode("<s> a") == [258, 258, 256]
    assert engine.encode_ordinary("<s> a") == [*b"<s>", 256]


@needs_library
def test_special_and_other_added_tokens_are_facts(path: Path) -> None:
    target = target_of("hf:x", hugging_face.load(str(path)))
    assert dict(target.special_tokens) == {"<s>": 258}
    assert dict(target.added_tokens) == {"<t>": 259}
    assert target.n_vocab == 260
    assert target.normalizer == "NFC"
    assert target.plain_setting == "encode_special_tokens=True"


@needs_library
def test_facts_have_the_ids_that_the_library_gives(path: Path) -> None:
    """It ignores the id of the file."""
    written(path, added_tokens=[{"id": 900, "content": "<s>", **FLAGS, "special": True}])
    engine = hugging_face.load(str(path))
    assert engine.special_tokens == {"<s>": 258}
    assert engine.n_vocab == 259


@needs_library
def test_decoding_keeps_special_tokens(path: Path) -> None:
    engine = hugging_face.load(str(path))
    assert engine.decode([258, 257, 256, 259]) == "<s>\xe9 a<t>"


@needs_library
def test_texts_of_tokens(path: Path) -> None:
    engine = hugging_face.load(str(path))
    assert engine.token_text(256) == "\u0120a"
    assert engine.token_text(258) == "<s>"
    for number in (260, -1, 1 << 40):
        with pytest.raises(KeyError, match="no token has the id"):
            engine.token_text(number)


@needs_library
def test_the_bytes_of_tokens_are_those_of_our_reading(path: Path) -> None:
    engine = hugging_face.load(str(path))
    assert engine.decode_single_token_bytes(257) == "\xe9".encode()
    assert engine.normalize("e\u0301") == "\xe9"


@needs_library
def test_a_file_that_we_cannot_read_has_a_normalizer_and_no_bytes(path: Path) -> None:
    pattern = {"type": "Split", "pattern": {"Regex": "(?~a)"}, "behavior": "Isolated"}
    written(path, pre_tokenizer={**pattern, "invert": False})
    target = target_of("hf:x", hugging_face.load(str(path)))
    assert target.normalizer == "NFC"
    assert "decode_single_token_bytes" not in target.capabilities


@needs_library
def test_offsets_are_code_points_of_the_text(path: Path) -> None:
    engine = hugging_face.load(str(path))
    if engine.encode_with_offsets is None:
        pytest.skip("this release has no offsets")
    ids, spans = engine.encode_with_offsets("\U0001f600 a")
    assert ids == engine.encode_ordinary("\U0001f600 a")
    assert spans == [*[(0, 1)] * 4, (1, 3)]


@needs_library
@pytest.mark.parametrize("direction", ["Left", "Right"])
@pytest.mark.parametrize("multiple", [None, 4])
@pytest.mark.parametrize("strategy", ["BatchLongest", {"Fixed": 6}])
def test_a_row_of_a_batch_is_padded_like_a_single_text(
    direction: str, multiple: int | None, strategy: Any, path: Path
) -> None:
    padding = {
        "strategy": strategy,
        "direction": direction,
        "pad_to_multiple_of": multiple,
        "pad_id": 0,
        "pad_type_id": 0,
        "pad_token": "\u0100",
    }
    engine = hugging_face.load(str(written(path, padding=padding)))
    texts = ["", "a", "abcd", "abcdefghijk"]
    rows = engine.encode_batch(texts)
    alone = [engine.encode_ordinary(text) for text in texts]
    if isinstance(strategy, str):
        assert rows == alone
    else:  # an empty text is padded in a batch and alone
        assert rows[1:] == alone[1:]
    assert tokenizer_json.load(path).encode_batch(texts)[1:] == rows[1:]


@needs_library
def test_batches_and_streams(path: Path) -> None:
    engine = hugging_face.load(str(path))
    texts = ["<s> a", "", "\xe9\U0001f600<t>"]
    rows = engine.encode_batch(texts)
    assert rows == [engine.encode_ordinary(text) for text in texts]
    if engine.decode_batch is not None:
        assert engine.decode_batch(rows) == texts
    if engine.decode_stream is not None:
        assert "".join(engine.decode_stream(rows[2])) == texts[2]
    if engine.decode_stream_calls is not None:
        after = engine.decode_stream_calls([rows[0], rows[2][:2], rows[2][2:]])
        assert "".join(after) == texts[2]


@needs_library
def test_stages_show_the_text_after_each_stage(path: Path) -> None:
    engine = hugging_face.load(str(path))
    shown = dict(engine.stages("e\u0301 a"))
    assert shown["model"] == ["\xc3\xa9", "\u0120a"]
    assert shown["decoder"] == ["\xe9 a"]
    if "normalizer" in shown:
        assert shown["normalizer"] == ["\xe9 a"]
        assert shown["pre-tokenizer"] == ["\xc3\xa9", "\u0120a"]
        assert "normalizer" not in dict(engine.stages("<t>"))


# The cache of huggingface_hub.


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache with one repository, and no network."""
    from huggingface_hub import constants, file_download

    folder = tmp_path / "hub"
    repository = folder / "models--owner--name"
    written(repository / "snapshots" / "abc" / "tokenizer.json")
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text("abc")
    (repository / "refs" / "v1").write_text("abc")
    for module in (constants, file_download):
        for name in ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"):
            if hasattr(module, name):
                monkeypatch.setattr(module, name, str(folder))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.chdir(tmp_path)
    return folder


@needs_hub
@pytest.mark.parametrize("name", ["owner/name", "owner/name@v1", "owner/name@abc"])
def test_a_name_is_looked_for_in_the_cache_of_the_hub(name: str, cache: Path) -> None:
    found = hub.locate(name)
    assert found.is_relative_to(cache)
    assert hugging_face.reference(name) == f"reference:{found}"


@needs_hub
def test_a_name_that_is_not_in_the_cache_is_an_error_without_a_network(cache: Path) -> None:
    with pytest.raises(TargetError, match=r"hf:owner/other is no file, is not in the cache"):
        hub.locate("owner/other")


@needs_hub
@pytest.mark.parametrize("name", ["a--b/c", "a..b", "-a", "owner/name@v2"])
def test_a_name_that_no_repository_has_is_an_error(name: str, cache: Path) -> None:
    with pytest.raises(TargetError, match="check the name, or name a file"):
        hub.locate(name)


def test_a_name_needs_huggingface_hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(libraries, "version", not_installed)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(TargetError, match=re.escape(extras.what_installs("hf"))):
        hub.locate("owner/name")


def test_a_folder_comes_before_a_name_of_the_hub(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "owner" / "name" / "tokenizer.json")
    assert hub.locate("owner/name") == Path("owner/name/tokenizer.json")


@pytest.mark.slow
def test_the_adapter_imports_the_library_on_use_only() -> None:
    code = (
        "import sys; from tokharness_tokenizers.adapters import hugging_face, auto_tokenizer; "
        "import tokharness_tokenizers.hugging_face.engine; "
        "assert {'tokenizers', 'transformers', 'huggingface_hub'}.isdisjoint(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT / "docs")


@needs_library
def test_a_target_has_no_method_that_the_library_lacks(path: Path) -> None:
    target = target_of("hf:x", hugging_face.load(str(path)))
    assert isinstance(target, Target)
    assert {"stages", "token_text", "normalize", "encode_special"} <= set(target.capabilities)
    assert "with_unicode_version" not in target.capabilities


class CountingTokenizer:
    """As much of the library's tokenizer as a copy with the same model needs."""

    truncation = padding = normalizer = pre_tokenizer = post_processor = decoder = None

    def __init__(self, model: str) -> None:
        self.model, self.calls = model, 0
        self.tokens: dict[int, Any] = {}

    def add_tokens(self, tokens: list[Any]) -> None:
        self.calls += 1
        self.tokens |= {len(self.tokens) + at: token for at, token in enumerate(tokens)}

    add_special_tokens = add_tokens

    def get_added_tokens_decoder(self) -> dict[int, Any]:
        return dict(self.tokens)


def test_thousands_of_added_tokens_are_copied_in_few_calls() -> None:
    tokens = [SimpleNamespace(special=at < 3) for at in range(5000)]
    whole = CountingTokenizer("model")
    whole.add_tokens(tokens)
    copied = engine._with_same_model(whole)
    assert copied is not None
    assert list(copied.tokens.values()) == tokens
    assert copied.calls == 2
