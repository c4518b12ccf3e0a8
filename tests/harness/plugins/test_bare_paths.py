"""A path becomes a spec by its content, or an error of one sentence with suggestions."""

import os
import stat
import types
from pathlib import Path

import pytest

from tokharness import plugins
from tokharness.errors import PluginError, UnknownNameError, UsageError
from tokharness.plugins.bare_paths import MAX_FILES, content_of, spec_of
from tokharness.plugins.modules import adapter_of


def adapter(scheme, word, *, runs_code=False, rests=None):
    """An adapter that recognizes files which contain a word."""
    module = types.ModuleType(f"targets_of.{scheme}", "A page.")
    module.SCHEME, module.RUNS_CODE = scheme, runs_code
    module.load = lambda rest: rest
    module.names = lambda: ("published_name",) if scheme == "one" else ()

    def recognize(path):
        if not path.is_file() or word not in path.read_text():
            return None
        return [f"{path}{rest}" for rest in rests] if rests else str(path)

    module.recognize = recognize
    return adapter_of(module)


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """An empty folder, two adapters of data, and one that runs code."""
    monkeypatch.chdir(tmp_path)
    known = plugins.adapters()
    for name in list(known):
        monkeypatch.delitem(known, name)
    for one in (
        adapter("one", "1"),
        adapter("two", "2"),
        adapter("code", "c", runs_code=True, rests=(":a", ":b")),
    ):
        monkeypatch.setitem(known, one.scheme, one)

    def describe(path):
        return "a riddle" if path.is_file() and "?" in path.read_text() else None

    monkeypatch.setattr(plugins, "descriptions", lambda: (describe,))
    return tmp_path


def problem(word, **options):
    with pytest.raises(UsageError) as caught:
        spec_of(word, **options)
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.mark.parametrize("spec", ["one:x", "one:", "one", "code:rm -rf", "two:\0\n"])
def test_a_known_scheme_is_never_a_path(spec):
    if "\0" not in spec and "/" not in spec:
        Path(spec).write_text("2")
    assert spec_of(spec) == spec


@pytest.mark.parametrize(
    ("name", "rest"),
    [
        ("x", "x"),
        ("./x", "x"),
        ("sub//x", "sub/x"),
        ("a name with : and a space", "a name with : and a space"),
        ("-x", "-x"),
        ("--help", "--help"),
        ("new\nline\x1b[31m", "new\nline\x1b[31m"),
        ("bytes \udcff", "bytes \udcff"),
    ],
)
def test_a_path_is_a_spec_of_the_adapter_that_recognizes_it(here, name, rest):
    Path("sub").mkdir()
    Path(name).write_text("1")
    assert spec_of(name) == f"one:{rest}"


def test_a_path_with_a_tilde_is_not_of_another_home(here):
    Path("~x").write_text("1")
    assert spec_of("~x") == f"one:{here}/~x"


def test_a_path_is_code_only_if_it_is_not_data():
    Path("x").write_text("1c")
    assert spec_of("x") == "one:x"


def test_several_adapters_of_data_are_all_suggested():
    Path("a x").write_text("12")
    message = problem("a x", before="tokharness check")
    assert message == (
        "'a x' can be loaded in several ways: "
        "try `tokharness check 'one:a x'` or `tokharness check 'two:a x'`"
    )


def test_code_is_suggested_and_not_used_even_if_there_is_one_spec(monkeypatch):
    Path("x").write_text("c")
    assert "x' is code, which a path alone does not run: try `code:x:a` or `code:x:b`" in problem(
        "x"
    )
    monkeypatch.setitem(plugins.adapters(), "code", adapter("code", "c", runs_code=True))
    assert problem("x").endswith("does not run: try `code:x`")


def test_at_most_five_specs_are_suggested(monkeypatch):
    Path("x").write_text("c")
    rests = [f":{number}" for number in range(7)]
    monkeypatch.setitem(
        plugins.adapters(), "code", adapter("code", "c", runs_code=True, rests=rests)
    )
    assert problem("x").endswith("`code:x:3` or `code:x:4` (2 more)")


def test_what_no_adapter_loads_is_described():
    Path("x").write_text("?")
    assert problem("x") == "'x' is a riddle, which no installed adapter loads"
    Path("y").write_text("none")
    assert problem("y").startswith("no adapter recognizes 'y', which is plain text: name a vocab")


def test_an_empty_file_is_said_to_be_empty():
    Path("y").touch()
    assert problem("y") == "the file 'y' is empty: name another one"


@pytest.mark.parametrize("folder", ["", "folder/"])
def test_a_file_with_a_similar_name_is_suggested(folder):
    Path("folder").mkdir()
    Path(folder, "small.model").touch()
    assert problem(f"{folder}smal.modle").endswith(f": did you mean '{folder}small.model'?")
    assert "did you mean" not in problem(f"{folder}other.model")


def test_a_folder_with_one_file_of_data_is_that_file():
    Path("folder").mkdir()
    Path("folder/a").write_text("c")
    Path("folder/b").write_text("1")
    Path("folder/c").write_text("?")
    assert spec_of("folder") == "one:folder/b"


def test_the_candidates_of_a_folder_are_listed():
    Path("folder").mkdir()
    Path("folder/c").write_text("?")
    assert problem("folder") == (
        "the folder 'folder' has a riddle (c), which no installed adapter loads"
    )
    Path("folder/d").write_text("c")
    assert problem("folder").endswith("loads: try `code:folder/d:a` or `code:folder/d:b`")
    Path("folder/a").write_text("1")
    Path("folder/b").write_text("2")
    assert "several ways: try `one:folder/a` or `two:folder/b`" in problem("folder")


def test_a_folder_with_many_files_is_not_searched():
    Path("folder").mkdir()
    for number in range(MAX_FILES + 1):
        Path(f"folder/{number}").write_text("1")
    assert problem("folder") == "the folder 'folder' has more than 100 files: name one"


def test_a_pipe_in_a_folder_is_not_opened():
    Path("folder").mkdir()
    os.mkfifo("folder/pipe")
    assert problem("folder").startswith("no adapter recognizes the folder")


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("pipe", "'pipe' is a pipe, not a file"),
        ("/dev/zero", "is a device, not a file"),
        ("loop", "cannot read 'loop': Too many levels"),
        ("a/" + "x" * 300, "check the path"),
        ("gone", "there is no file 'gone', and no target has this name"),
        ("a\0b", "there is no file 'a\\x00b', and no target has this name"),
        ("\ud800", "there is no file '\\ud800', and no target"),
        ("", "no target scheme is called ''"),
        ("sub/gone", "no target has this name: check the path"),
        ("owner/Model-2.5-7B", "or try `hf:owner/Model-2.5-7B` for a model of the Hug"),
        ("x.py", "no target has this name: try `python:x.py:FACTORY`"),
        ("x.py:Bytes", "has no scheme: try `python:x.py:Bytes`"),
        ("a dir/x.py:Bytes", "has no scheme: try `'python:a dir/x.py:Bytes'`"),
        ("package.module:make", "has no scheme: try `python:package.module:make`"),
        ("package..module:make", "no target scheme is called 'package..module'"),
        ("on:x", "no target scheme is called 'on': did you mean 'one'?"),
        ("On", "no target has this name: did you mean 'one'?"),
        ("published_name", "no target has this name: try `one:published_name`"),
        ("publishedname", "no target has this name: did you mean 'one:published_name'?"),
        ("published-name", "no target has this name: did you mean 'one:published_name'?"),
        ("published-model", "the path, or try `hf:published-model` for a model of the Hugging"),
        ("mines", "no target has this name: did you mean 'mine' or 'one'?"),
        ("zzzzz", "a target is a path, or SCHEME:REST with one of the schemes one, two, code"),
    ],
)
def test_what_is_no_file_is_an_error_of_one_sentence(word, message):
    os.mkfifo("pipe")
    Path("loop").symlink_to("loop")
    Path("link").symlink_to("nowhere")
    assert message in problem(word, names=["mine"])


@pytest.mark.parametrize(
    "word", ["folder/gone", "gone/tokenizer.json", "./gone", "a/b/gone", "gone/"]
)
def test_a_path_is_not_taken_for_the_name_of_a_model(word):
    Path("folder").mkdir()
    assert problem(word).endswith("check the path")


def test_a_link_to_nothing_is_no_file():
    Path("link").symlink_to("nowhere")
    assert "there is no file 'link'" in problem("link")


def test_a_name_that_is_nothing_is_an_unknown_name():
    for word in ("gone", "x.py", "on:x", "x.py:Bytes"):
        with pytest.raises(UnknownNameError):
            spec_of(word)


def test_an_unreadable_file_or_folder_is_an_error(monkeypatch):
    Path("x").write_text("1")
    Path("folder").mkdir()
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert problem("x") == "cannot read 'x': Permission denied"
    assert problem("folder") == "cannot read 'folder': Permission denied"


@pytest.mark.skipif(os.geteuid() == 0, reason="root can read everything")
def test_the_permissions_of_the_system_are_respected():
    Path("x").write_text("1")
    Path("x").chmod(0)
    assert problem("x") == "cannot read 'x': Permission denied"


def test_an_adapter_that_cannot_read_is_no_failing_plugin(monkeypatch):
    def recognize(path):
        raise PermissionError(13, "Permission denied", f"{path}/inner")

    assert with_recognize(recognize, monkeypatch) == "cannot read 'x/inner': Permission denied"


@pytest.mark.parametrize(
    ("recognize", "message"),
    [
        (lambda _: 1 / 0, "recognize raised ZeroDivisionError"),
        (lambda _: [1], "recognize gives a int as the rest of a spec, not a str"),
        (lambda: None, "it is called as recognize(path)"),
    ],
)
def test_a_failing_adapter_is_named(monkeypatch, recognize, message):
    shown = with_recognize(recognize, monkeypatch, PluginError)
    assert "the target adapter mine failed" in shown
    assert message in shown


def with_recognize(recognize, monkeypatch, kind=UsageError):
    Path("x").write_text("")
    module = types.ModuleType("mine", "A page.")
    module.SCHEME, module.load, module.recognize = "mine", str, recognize
    monkeypatch.setitem(plugins.adapters(), "mine", adapter_of(module))
    with pytest.raises(kind) as caught:
        spec_of("x")
    return str(caught.value)


def test_an_unknown_scheme_of_a_target_suggests_the_spec():
    Path("x").write_text("1")
    with pytest.raises(UsageError, match="'x' has no scheme: try 'one:x'"):
        plugins.adapter("x")


def test_nothing_is_opened_before_its_kind_is_known(monkeypatch):
    monkeypatch.setattr(stat, "S_IFMT", lambda _: stat.S_IFIFO)
    Path("x").write_text("1")
    assert "is a pipe" in problem("x")


def test_a_target_next_to_a_file_and_inside_of_a_folder_is_suggested():
    Path("models/inner").mkdir(parents=True)
    Path("models/inner/weights").write_text("none")
    Path("models/inner/x").write_text("1")
    assert problem("models/inner/weights", before="check") == (
        "no adapter recognizes 'models/inner/weights', which is plain text: "
        "try `check one:models/inner/x`"
    )
    Path("models/inner/x").unlink()
    Path("models/x").write_text("none")
    assert "the folder 'models', which has 'x': name a vocabulary" in problem("models")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\x1f\x8b\x08", "data that gzip has packed (unpack it first)"),
        (b"PK\x03\x04", "a zip archive"),
        (b"\x10" + bytes(7) + b'{"__metadata', "a .safetensors file, the weights of a model"),
        (b'{"nbformat": 4}', "a Jupyter notebook"),
        (b'{"a": 1, "\\u202e": 2}', "a JSON object with the keys: 'a', '\\u202e'"),
        (b'{"model": {\n"type"', "JSON that is broken in line 2 (Expecting ':' delimiter)"),
        (b'{"\xff"', "JSON that is not read, since it is not UTF-8 from byte 2 on"),
        (b"[" * 100_000, "JSON that is not read, since it is nested too deep"),
        (b"[]", "a JSON list"),
        (b"<!DOCTYPE html><p>", "a page of HTML"),
        (b"a\0", "binary data"),
        ("\u20ac".encode() * 30_000, "plain text"),
    ],
)
def test_a_file_that_is_not_recognized_is_said_to_be_what_it_is(tmp_path, data, words):
    path = tmp_path / "file"
    path.write_bytes(data)
    assert content_of(path).startswith(words)
