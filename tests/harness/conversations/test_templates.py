"""Where the templates of a model are, and which one is taken."""

import json
import os
import struct

import pytest

from tokharness import plugins
from tokharness.conversations.templates import find_templates
from tokharness.errors import UnknownNameError, UsageError


@pytest.fixture
def folder(tmp_path):
    """Write files of a folder; an object is written as JSON."""

    def write(**files):
        for name, content in files.items():
            path = tmp_path / name.replace("__", "/").replace("_DOT_", ".")
            path.parent.mkdir(exist_ok=True)
            text = content if isinstance(content, str) else json.dumps(content)
            path.write_text(text, "utf-8")
        return tmp_path

    return write


def sources(found):
    return {name: one.source for name, one in found.templates.items()}


def test_a_template_is_in_the_configuration(folder):
    found = find_templates(folder(tokenizer_config_DOT_json={"chat_template": "a"}), None)
    assert sources(found) == {"default": "a"}


def test_named_templates_are_in_the_configuration(folder):
    rows = [{"name": "default", "template": "a"}, {"name": "tool_use", "template": "b"}]
    path = folder(tokenizer_config_DOT_json={"chat_template": rows})
    assert sources(find_templates(path, None)) == {"default": "a", "tool_use": "b"}
    assert sources(find_templates(path, "tool_use")) == {"tool_use": "b"}
    with pytest.raises(UnknownNameError, match="did you mean 'tool_use'"):
        find_templates(path, "tool_us")


def test_files_come_before_the_configuration_which_is_reported(folder):
    path = folder(
        tokenizer_config_DOT_json={"chat_template": "old"},
        chat_template_DOT_jinja="new",
        additional_chat_templates__rag_DOT_jinja="rag",
    )
    found = find_templates(path, None)
    assert sources(found) == {"default": "new", "rag": "rag"}
    assert [one.source for one in found.templates["default"].shadowed] == ["old"]


def test_equal_templates_are_no_conflict(folder):
    path = folder(
        tokenizer_config_DOT_json={"chat_template": "same"}, chat_template_DOT_jinja="same"
    )
    assert find_templates(path, None).templates["default"].shadowed == ()


def test_special_tokens_are_variables_and_the_stop_ids_are_read(folder):
    config = {"bos_token": "<s>", "eos_token": {"content": "</s>"}, "pad_token": None}
    path = folder(
        tokenizer_config_DOT_json={**config, "chat_template": "a"},
        generation_config_DOT_json={"eos_token_id": [1, 2]},
    )
    found = find_templates(path, None)
    assert found.variables == {"bos_token": "<s>", "eos_token": "</s>"}
    assert found.stop_ids == (1, 2)
    assert not found.adds_begin


def test_a_template_is_a_file(folder):
    path = folder(mine_DOT_jinja="a", tokenizer_config_DOT_json={"eos_token": "</s>"})
    assert sources(find_templates(path / "mine.jinja", None)) == {"default": "a"}
    found = find_templates(path, str(path / "mine.jinja"))
    assert sources(found) == {"default": "a"}
    assert found.variables == {"eos_token": "</s>"}


def test_a_template_inside_a_file_comes_before_the_files_next_to_it(folder):
    path = folder(chat_template_DOT_jinja="next to it", model_DOT_gguf="")
    found = find_templates(path / "model.gguf", None, {"default": "inside"})
    assert sources(found) == {"default": "inside"}


def test_the_templates_of_a_gguf_file_are_in_its_metadata(tmp_path):
    def text(value):
        return struct.pack("<Q", len(value)) + value.encode()

    rows = {"tokenizer.chat_template": "a", "tokenizer.chat_template.tool_use": "b", "x": "c"}
    data = b"GGUF" + struct.pack("<IQQ", 3, 0, len(rows))
    data += b"".join(text(key) + struct.pack("<I", 8) + text(value) for key, value in rows.items())
    (tmp_path / "model.gguf").write_bytes(data)
    adapter = plugins.adapters()["reference"]
    found = adapter.chat_templates(str(tmp_path / "model.gguf"))
    assert found == {"default": "a", "tool_use": "b"}


def test_a_folder_without_a_template_is_a_mistake(folder):
    with pytest.raises(UsageError, match="has no chat template"):
        find_templates(folder(a="b"), None)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("tokenizer_config", "{", "is not JSON"),
        ("tokenizer_config", [], "is not a JSON object"),
        ("tokenizer_config", {"chat_template": 5}, "neither a text nor named texts"),
        ("tokenizer_config", {"chat_template": [{"name": "a"}]}, "neither a text nor named"),
        ("tokenizer_config", {"chat_template": ["a"]}, "neither a text nor named texts"),
        ("tokenizer_config", {"bos_token": ["<s>"]}, "bos_token is not a token"),
        ("chat_template", {"chat_template": {"a": 5}}, "neither a text nor named texts"),
        ("generation_config", {"eos_token_id": "2"}, "neither an id nor a list of ids"),
    ],
)
def test_a_broken_configuration_is_a_mistake(folder, name, content, message):
    with pytest.raises(UsageError, match=message):
        find_templates(folder(**{f"{name}_DOT_json": content}), None)


@pytest.mark.parametrize("name", ["tokenizer_config.json", "chat_template.jinja"])
def test_a_pipe_or_a_link_that_leads_nowhere_is_no_missing_file(tmp_path, name):
    os.mkfifo(tmp_path / name)
    with pytest.raises(UsageError, match="it is a pipe, not a file"):
        find_templates(tmp_path, None)
    (tmp_path / name).unlink()
    (tmp_path / name).symlink_to(tmp_path / "nowhere")
    with pytest.raises(UsageError, match="No such file"):
        find_templates(tmp_path, None)


def test_an_object_has_named_templates(folder):
    path = folder(tokenizer_config_DOT_json={"chat_template": {"default": "a", "tool_use": "b"}})
    assert sources(find_templates(path, None)) == {"default": "a", "tool_use": "b"}


def test_a_link_out_of_the_folder_is_refused(folder, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "secret"
    outside.write_text("secret")
    path = folder(a="b")
    (path / "chat_template.jinja").symlink_to(outside)
    with pytest.raises(UsageError, match="leads out of the folder"):
        find_templates(path, None)
