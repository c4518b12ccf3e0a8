"""A folder is compared with itself, and files that disagree are reported."""

import json

import pytest
from parity_conversions import bpe

from tokharness.errors import UsageError
from tokharness.parity_matrix.folder import contents_of
from tokharness_tokenizers.adapters import shipped_engine

pytestmark = pytest.mark.needs("tokenizers")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Write the files of a folder, each a JSON value or a text; no engine is installed."""
    monkeypatch.setattr(shipped_engine, "is_installed", lambda _: False)

    def write(**files):
        record = bpe()
        (tmp_path / "tokenizer.json").write_text(json.dumps(record))
        for name, content in files.items():
            is_text = isinstance(content, str)
            path = tmp_path / name.replace("_json", ".json").replace("_txt", ".txt")
            path.write_text(content if is_text else json.dumps(content))
        return tmp_path

    return write


def merges():
    return [pair if isinstance(pair, str) else " ".join(pair) for pair in bpe()["model"]["merges"]]


def test_each_file_is_read_by_the_library_and_the_reference(folder):
    path = folder()
    file = path / "tokenizer.json"
    assert contents_of(path).specs == (f"hf:{file}", f"reference:{file}")


def test_each_file_is_read_by_each_engine_that_is_installed(folder, monkeypatch):
    path = folder()
    monkeypatch.setattr(shipped_engine, "is_installed", lambda engine: engine.name == "tokie")
    assert f"engine:tokie:{path / 'tokenizer.json'}" in contents_of(path).specs


def test_files_that_agree_are_silent(folder):
    rows = {row["id"]: row for row in bpe()["added_tokens"]}
    path = folder(
        config_json={"vocab_size": 999, "text_config": {"vocab_size": 1024}, "eos_token_id": 7},
        tokenizer_config_json={
            "added_tokens_decoder": rows,
            "mask_token": "<mask>",
            "eos_token": "<|end|>",
        },
        special_tokens_map_json={"mask_token": {"content": "<mask>"}, "unk_token": "a"},
        added_tokens_json={"<mask>": 1000, "a": bpe()["model"]["vocab"]["a"]},
        generation_config_json={"bos_token_id": 2000, "eos_token_id": [-1, 7, 1001]},
        vocab_json=bpe()["model"]["vocab"],
        merges_txt="#version: 0.2\n" + "\n".join(merges()),
    )
    assert contents_of(path).disagreements == ()


def nested(depth):
    return [nested(depth - 1)] if depth else 0


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("value", [[1], {"a": 1}, nested(900), None, 7, 1.5, True])
def test_a_value_of_another_type_is_no_disagreement(folder, value):
    added = bpe()["added_tokens"][0]
    path = folder(
        tokenizer_config_json={
            "added_tokens_decoder": {
                "7": {"content": value},
                added["id"]: {"content": added["content"], "special": nested(900)},
                "9" * 5000: {"content": "a"},
                "8": value,
            },
            "bos_token": {"content": nested(900)},
            "eos_token": [1],
        },
        config_json={"vocab_size": nested(900)},
        vocab_json=[value],
        generation_config_json={"eos_token_id": [value], "bos_token_id": nested(900)},
        special_tokens_map_json={"eos_token": value, "additional_special_tokens": [value, [value]]},
        added_tokens_json={"a": nested(900)},
    )
    assert contents_of(path).disagreements == ()


@pytest.mark.parametrize("key", ["id", "content"])
def test_an_added_token_of_another_type_is_a_problem_of_its_form(folder, key):
    path = folder(tokenizer_config_json={"added_tokens_decoder": {"0": {"content": "a"}}})
    record = bpe()
    record["added_tokens"][0][key] = ["a"]
    (path / "tokenizer.json").write_text(json.dumps(record))
    assert contents_of(path).specs[0].startswith("hf:")


def test_a_disagreement_shows_the_start_and_the_end_of_a_long_token(folder):
    path = folder(tokenizer_config_json={"bos_token": "x" * 10**5})
    (found,) = contents_of(path).disagreements
    assert len(found.message) < 400


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"config_json": {"vocab_size": 1000}}, "the model has no row for 2 of its ids"),
        ({"config_json": {"vocab_size": 9000}}, "the model is of another tokenizer"),
        (
            {"tokenizer_config_json": {"pad_token": "<pad>"}},
            "pad_token of tokenizer_config.json is no token of tokenizer.json: '<pad>'",
        ),
        (
            {"tokenizer_config_json": {"added_tokens_decoder": {"1000": {"content": "<other>"}}}},
            "the id 1,000 is '<other>' in tokenizer_config.json, and '<mask>' in tokenizer.json",
        ),
        (
            {
                "tokenizer_config_json": {
                    "added_tokens_decoder": {"1000": {"content": "<mask>", "lstrip": False}}
                }
            },
            "of the added token '<mask>'",
        ),
        (
            {"tokenizer_config_json": {"added_tokens_decoder": {"1002": {"content": "<new>"}}}},
            "tokenizer_config.json adds the token '<new>' with the id 1,002",
        ),
        (
            {"special_tokens_map_json": {"additional_special_tokens": [{"content": "<tool>"}]}},
            "additional_special_tokens of special_tokens_map.json is no token of tokenizer",
        ),
        (
            {
                "special_tokens_map_json": {"eos_token": "<mask>"},
                "tokenizer_config_json": {"eos_token": {"content": "<|end|>"}},
            },
            "eos_token is '<|end|>' in tokenizer_config.json and '<mask>' in special_tokens_map",
        ),
        (
            {"added_tokens_json": {"<mask>": 1001}},
            "have another id, or none, in tokenizer.json: '<mask>' (1,001, there 1000)",
        ),
        ({"added_tokens_json": {"<new>": 5}}, "'<new>' (5, there none)"),
        (
            {
                "tokenizer_config_json": {"eos_token": "<|end|>"},
                "generation_config_json": {"eos_token_id": [7, 8]},
            },
            "'<|end|>' with the id 1,001, which is not among eos_token_id of generation_config",
        ),
        (
            {
                "special_tokens_map_json": {"eos_token": "<|end|>"},
                "config_json": {"eos_token_id": 7},
            },
            "'<|end|>' with the id 1,001, which is not among eos_token_id of config.json: 7",
        ),
        (
            {
                "tokenizer_config_json": {"eos_token": "<|end|>"},
                "generation_config_json": {"eos_token_id": [1001, 1002]},
            },
            "eos_token_id of generation_config.json is 1,002, which is the id of no token",
        ),
        ({"merges_txt": "\n".join(merges()[1:])}, "1 merges of tokenizer.json are not in"),
        ({"merges_txt": "\n".join(merges()[::-1])}, "have another order, from the 1. merge on"),
        ({"vocab_json": {"!": 1}}, "are not in vocab.json"),
    ],
)
def test_files_that_disagree_are_reported(folder, files, message):
    found = contents_of(folder(**files)).disagreements
    assert any(message in one.message for one in found), found


def test_broken_side_files_are_passed_over(folder):
    path = folder(config_json="{", tokenizer_config_json="[]", merges_txt="\x00")
    assert len(contents_of(path).specs) == 2


def test_a_folder_without_tokenizers_is_a_mistake(tmp_path):
    (tmp_path / "notes.txt").write_text("nothing")
    with pytest.raises(UsageError, match="no file of a tokenizer"):
        contents_of(tmp_path)
