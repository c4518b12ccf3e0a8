"""TOK203: stages that the library loads with another type or other settings than the file says."""

import json

import pytest
from planted._tokenizer_files import record_of

from tokharness_tokenizers.hugging_face import engine
from tokharness_tokenizers.hugging_face.loaded import load_differences
from tokharness_tokenizers.vocabularies.locate import HEALTHY_FOLDER

pytestmark = pytest.mark.needs("tokenizers", "0")
FOLDERS = sorted(path.name for path in HEALTHY_FOLDER.iterdir() if path.is_dir())


def nothing(record):
    """Change nothing."""


@pytest.fixture
def differences(tmp_path):
    """Return the stage, the field and both values of each difference of a file after a change."""

    def of_file(name, change=nothing):
        record = json.loads((HEALTHY_FOLDER / name / "tokenizer.json").read_bytes())
        change(record)
        path = tmp_path / "tokenizer.json"
        path.write_text(json.dumps(record), "utf-8")
        return engine.load(path).load_differences(20)

    return of_file


@pytest.mark.parametrize("name", FOLDERS)
def test_a_healthy_file_is_loaded_as_it_is_written(differences, name):
    assert differences(name) == []


def test_a_model_that_is_loaded_as_another_one_is_shown(differences):
    """Without a type the library takes the first model that fits, here WordLevel."""

    def without_type(record):
        del record["model"]["type"], record["model"]["max_input_chars_per_word"]

    assert differences("wordpiece", without_type) == [
        ("model", "type", '"WordPiece"', '"WordLevel"')
    ]


def test_a_field_that_the_library_ignores_is_shown(differences):
    def misspelled(record):
        record["model"]["byte_fallbak"] = True
        record["pre_tokenizer"]["use_regexp"] = False

    assert differences("byte-level-bpe", misspelled) == [
        ("pre-tokenizer", "use_regexp", "false", "none"),
        ("model", "byte_fallbak", "true", "none"),
    ]


def test_defaults_that_are_left_out_are_no_difference(differences):
    def shorter(record):
        del record["model"]["fuse_unk"], record["model"]["type"]

    assert differences("byte-level-bpe", shorter) == []


def test_other_flags_of_an_added_token_are_shown():
    record = record_of("added")
    loaded = record_of("added")
    loaded["added_tokens"][2]["lstrip"] = True
    name = loaded["added_tokens"][2]["content"]
    assert load_differences(record, json.dumps(loaded), 20) == [
        ("added tokens", f"{name}.lstrip", "false", "true")
    ]
