"""Files that mean the same have equal descriptions, and files that do not have different ones."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from planted import _gguf_files

from tokharness_tokenizers import descriptions
from tokharness_tokenizers.descriptions.model_folder import of_model
from tokharness_tokenizers.descriptions.tokenizer_json import describe_record
from tokharness_tokenizers.reference.sentencepiece.model_file import field_bytes

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokharness.model import Description

FILE: dict[str, Any] = {
    "version": "1.0",
    "truncation": {"direction": "Right", "max_length": 9, "strategy": "LongestFirst", "stride": 0},
    "padding": None,
    "added_tokens": [
        {"id": 3, "content": "<s>", "single_word": False, "lstrip": False, "rstrip": False,
         "normalized": False, "special": True},
        {"id": 4, "content": "<t>", "single_word": False, "lstrip": False, "rstrip": False,
         "normalized": True, "special": False},
    ],
    "normalizer": {
        "type": "Sequence",
        "normalizers": [
            {"type": "Replace", "pattern": {"String": "x"}, "content": "y"},
            {"type": "Strip", "strip_left": True, "strip_right": True},
        ],
    },
    "pre_tokenizer": {
        "type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "never", "split": True,
    },
    "post_processor": {
        "type": "RobertaProcessing", "sep": ["<s>", 3], "cls": ["<s>", 3], "trim_offsets": True,
        "add_prefix_space": True,
    },
    "decoder": {
        "type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True,
    },
    "model": {
        "type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
        "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False,
        "ignore_merges": False, "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b", "a b"],
    },
}  # fmt: skip


def changed(*place: str | int, to: Any) -> dict[str, Any]:
    record = copy.deepcopy(FILE)
    parent: Any = record
    for key in place[:-1]:
        parent = parent[key]
    parent[place[-1]] = to
    return record


def without(*place: str | int) -> dict[str, Any]:
    record = copy.deepcopy(FILE)
    parent: Any = record
    for key in place[:-1]:
        parent = parent[key]
    del parent[place[-1]]
    return record


def turned(value: Any) -> Any:
    """Return a JSON value whose keys have the other order."""
    if isinstance(value, dict):
        return {name: turned(one) for name, one in reversed(value.items())}
    return [turned(one) for one in value] if isinstance(value, list) else value


def described(record: Any) -> Description:
    return describe_record(record, "tokenizer.json")


@pytest.mark.parametrize(
    "record",
    [
        turned(FILE),
        changed("comment", to="made on a Monday"),
        changed("model", "_comment", to=1),
        changed("normalizer", "normalizers", 1, "$schema", to={}),
        changed("some_new_field", to=1),
        without("version"),
        without("padding"),
        without("model", "type"),
        without("model", "dropout"),
        changed("model", "dropout", to=0.0),
        changed("model", "end_of_word_suffix", to=""),
        without("model", "fuse_unk"),
        changed("model", "merges", to=["#version: 0.2", "a b", "a b"]),
        changed("model", "merges", to=[["a", "b"], ["a", "b"]]),
        without("added_tokens", 0, "lstrip"),
        without("added_tokens", 1, "normalized"),
        changed("truncation", "stride", to=0.0),
        without("truncation", "direction"),
        changed("normalizer", "normalizers", 0, "pattern", to="x"),
        without("normalizer", "normalizers", 1, "strip_left"),
        changed("pre_tokenizer", "str_rep", to="\u2581"),
        changed(
            "pre_tokenizer",
            to={"type": "Metaspace", "replacement": "\u2581", "add_prefix_space": False},
        ),
        without("post_processor", "trim_offsets"),
        changed("decoder", "use_regex", to=False),
        changed("decoder", to={"type": "ByteLevel"}),
    ],
)
def test_what_means_the_same_has_one_description(record: Any) -> None:
    assert described(record) == described(FILE)
    assert json.dumps(dict(described(record).stages)) == json.dumps(dict(described(FILE).stages))


@pytest.mark.parametrize(
    ("stage", "record"),
    [
        ("added tokens", changed("added_tokens", 0, "special", to=False)),
        ("added tokens", changed("added_tokens", 1, "rstrip", to=True)),
        ("added tokens", changed("added_tokens", 1, "id", to=5)),
        ("normalizer", changed("normalizer", to=None)),
        ("normalizer", changed("normalizer", "normalizers", 1, "strip_left", to=False)),
        ("normalizer", changed("normalizer", "normalizers", 1, "new_setting", to=1)),
        ("pre-tokenizer", changed("pre_tokenizer", "prepend_scheme", to="first")),
        ("model", changed("model", "ignore_merges", to=True)),
        ("model", changed("model", "dropout", to=0.1)),
        ("post-processor", changed("post_processor", "cls", to=["<t>", 4])),
        ("decoder", changed("decoder", to=None)),
        ("truncation", changed("truncation", "max_length", to=8)),
        ("padding", changed("padding", to={"strategy": "BatchLongest"})),
    ],
)
def test_what_means_something_else_differs_in_its_stage(stage: str, record: Any) -> None:
    before, after = described(FILE), described(record)
    assert [name for name in before.stages if before.stages[name] != after.stages[name]] == [stage]
    assert (before.tokens, before.merges) == (after.tokens, after.merges)


def test_the_order_of_merges_and_a_merge_that_is_there_twice_are_kept() -> None:
    merges = ["a b", "b a"]
    record = changed("model", "merges", to=merges)
    record["model"]["vocab"]["ba"] = 5
    turned_order = copy.deepcopy(record)
    turned_order["model"]["merges"].reverse()
    assert described(record).merges == (("a", "b"), ("b", "a"))
    assert described(record) != described(turned_order)
    assert described(FILE).merges == (("a", "b"), ("a", "b"))


def test_an_added_token_of_the_model_has_the_id_of_the_model() -> None:
    (first, *_) = described(changed("added_tokens", 0, "content", to="b")).stages["added tokens"]
    assert (first["id"], first["text"]) == (1, "b")


def test_white_space_does_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps(FILE, indent=8))
    assert descriptions.describe(path) == described(FILE)


@pytest.mark.parametrize(
    ("name", "config", "jinja", "templates"),
    [
        ("tokenizer.json", {}, None, None),
        ("tokenizer.json", {"chat_template": "{{a}}"}, None, {"default": "{{a}}"}),
        (
            "tokenizer.json",
            {"chat_template": [{"name": "tool", "template": "b"}]},
            None,
            {"tool": "b"},
        ),
        ("tokenizer.json", {"chat_template": "a"}, "c", {"default": "c"}),
        ("new.json", {"chat_template": "a"}, None, {"default": "a"}),
    ],
)
def test_the_chat_template_stands_next_to_the_file(
    name: str, config: Any, jinja: str | None, templates: Any, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(json.dumps(FILE))
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(config))
    if jinja is not None:
        (tmp_path / "chat_template.jinja").write_text(jinja)
    description = descriptions.describe(path)
    assert description is not None
    assert description.stages["template"] == templates
    folder = tmp_path / "written"
    folder.mkdir()
    assert descriptions.describe(descriptions.write(description, folder)) == description


def test_a_file_of_another_name_alone_says_nothing_of_templates(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(json.dumps(FILE))
    description = descriptions.describe(tmp_path / "x.json")
    assert description is not None
    assert "template" not in description.stages


def test_what_a_side_file_only_says_for_people_does_not_matter(
    write_file: Callable[[str], Path],
) -> None:
    path = write_file("tiktoken")
    before = descriptions.describe(path)
    side = path.with_name(f"{path.name}.json")
    record = {**json.loads(side.read_text()), "name": "other", "made": {"on": "a Monday"}}
    side.write_text(json.dumps(record, indent=3))
    assert descriptions.describe(path) == before


def test_a_token_with_two_ids_says_which_one_encoding_uses(
    write_file: Callable[[str], Path],
) -> None:
    description = descriptions.describe(write_file("tiktoken"))
    assert description is not None
    rows = [(row.id, row.type) for row in description.tokens if row.token == b"th"]
    assert rows == [(256, "replaced"), (260, None)]


def test_the_corpus_of_a_sentencepiece_model_does_not_matter(
    write_file: Callable[[str], Path],
) -> None:
    path = write_file("sp_bpe")
    before = descriptions.describe(path)
    trainer = field_bytes(1, "corpus.txt") + field_bytes(4, 32_000)
    rules = field_bytes(1, "other_rules")
    path.write_bytes(path.read_bytes() + field_bytes(2, trainer) + field_bytes(3, rules))
    assert descriptions.describe(path) == before


def test_what_no_tokenizer_reads_of_a_gguf_file_does_not_matter(tmp_path: Path) -> None:
    record = _gguf_files.RECORDS["byte_level"]
    path = tmp_path / "x.gguf"
    path.write_bytes(_gguf_files.gguf_bytes(record))
    before = descriptions.describe(path)
    others: dict[str, Any] = {
        "general.name": "other",
        "llama.block_count": 9,
        "tokenizer.ggml.token_type_count": 2,
        "tokenizer.ggml.add_eos_token": False,
    }
    path.write_bytes(_gguf_files.gguf_bytes({**others, **dict(reversed(record.items()))}))
    assert descriptions.describe(path) == before


@pytest.mark.parametrize("name", ["tiktoken", "rwkv"])
def test_the_order_of_lines_with_ids_does_not_matter(
    name: str, write_file: Callable[[str], Path]
) -> None:
    path = write_file(name)
    before = descriptions.describe(path)
    *lines, second, last = path.read_text().splitlines()
    path.write_text("\n".join([second, *reversed(lines), last]) + "\n")
    assert descriptions.describe(path) == before


def test_added_tokens_of_the_settings_of_a_folder_are_named_by_their_text(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text(json.dumps(FILE))
    settings = tmp_path / "tokenizer_config.json"

    def options(rows: Any) -> Any:
        settings.write_text(json.dumps({"added_tokens_decoder": rows}))
        description = descriptions.describe(tmp_path)
        assert description is not None
        return of_model(description, tmp_path).stages["options"]["added_tokens_decoder"]

    row = {"content": "<s>", "special": True}
    assert options({"7": row}) == {"<s>": {"id": 7, "special": True}}
    for unusual in ({"7": row, "8": row}, {"x": row}, {"7": "<s>"}, [7]):
        assert options(unusual) == unusual


def stages_of(path: Path) -> Any:
    description = descriptions.describe_target(path)
    assert description is not None
    return description.stages


@pytest.mark.parametrize(
    ("form", "name"),
    [
        ("byte_level", "tokenizer.json"),
        ("tiktoken", "tokenizer.model"),
        ("sp_bpe", "tokenizer.model"),
        ("tekken", "tekken.json"),
    ],
)
def test_the_file_of_a_model_is_described_with_all_that_its_folder_says(
    form: str, name: str, write_file: Callable[[str], Path]
) -> None:
    path = write_file(form)
    for suffix in ("", ".json"):
        if (file := path.with_name(path.name + suffix)).exists():
            file.rename(path.with_name(name + suffix))
    path = path.with_name(name)
    before = stages_of(path)
    assert (before["template"], before["generation"]) == (None, {})
    config = {"chat_template": "a", "model_max_length": 77.0, "_comment": "x"}
    stops = {"eos_token_id": [7], "temperature": 0.6, "pad_token_id": None, "stop_strings": ["b"]}
    for file, record in (("tokenizer_config.json", config), ("generation_config.json", stops)):
        (path.parent / file).write_text(json.dumps(record))
    (path.parent / "special_tokens_map.json").write_text(json.dumps({"bos_token": "<s>"}))
    after = stages_of(path)
    assert after["template"] == {"default": "a"}
    found = {"bos_token": "<s>", "model_max_length": 77}
    assert after["options"] == {**before["options"], **found}
    assert after["generation"] == {"eos_token_id": 7, "stop_strings": "b"}


def test_a_file_of_the_current_folder_is_described_by_its_name(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(path if path.is_dir() else path.parent)
    here = Path(path.name) if path.is_file() else Path()
    assert descriptions.describe_target(here) == descriptions.describe_target(path)


def test_the_code_of_a_class_that_a_folder_has_itself_is_an_option(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text(json.dumps(FILE))
    config = {"auto_map": {"AutoTokenizer": ["own.Slow", None], "AutoModel": "model.Model"}}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(config))
    for name in ("own", "words", "model", "other"):
        (tmp_path / f"{name}.py").write_text("a = 1\n")
    (tmp_path / "own.py").write_text("from .words import a\nfrom .own import b\nimport other\n")

    def codes() -> dict[str, str]:
        options = stages_of(tmp_path / "tokenizer.json")["options"]
        return {key: value for key, value in options.items() if key.startswith("code of ")}

    before = codes()
    assert list(before) == ["code of own.py", "code of words.py"]
    (tmp_path / "own.py").write_bytes((tmp_path / "own.py").read_bytes().replace(b"\n", b"\r\n"))
    assert codes() == before
    for name in ("words", "model", "other"):
        (tmp_path / f"{name}.py").write_text("a = 2\n")
    changed = [key for key, value in codes().items() if value != before[key]]
    assert changed == ["code of words.py"]


@pytest.mark.parametrize(
    "given", ["own", "a--own.Slow", "../own.Slow", "none.Slow", [None], {}, 7, {"AutoTokenizer": 7}]
)
def test_a_class_that_is_no_module_of_the_folder_has_no_code(tmp_path: Path, given: Any) -> None:
    (tmp_path / "tokenizer.json").write_text(json.dumps(FILE))
    (tmp_path / "own.py").write_text("a = 1\n")
    auto_map = given if isinstance(given, dict | int) else {"AutoTokenizer": given}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"auto_map": auto_map}))
    assert stages_of(tmp_path / "tokenizer.json")["options"] == {}


def test_a_file_of_no_model_is_described_without_settings(
    write_file: Callable[[str], Path],
) -> None:
    assert not {"template", "generation"} & stages_of(write_file("sp_bpe")).keys()


def test_a_gguf_file_has_its_settings_itself(tmp_path: Path) -> None:
    path = tmp_path / "x.gguf"
    path.write_bytes(_gguf_files.gguf_bytes(_gguf_files.RECORDS["byte_level"]))
    before = stages_of(path)
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"chat_template": "a"}))
    assert stages_of(path) == before


def test_the_version_of_a_tekken_file_is_an_option(write_file: Callable[[str], Path]) -> None:
    path = write_file("tekken")
    record = json.loads(path.read_text())
    record["config"]["version"] = "v13"
    path.write_text(json.dumps(record))
    assert stages_of(path)["options"]["version"] == "v13"
