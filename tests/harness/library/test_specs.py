"""The specs of targets: strings, loaded targets and factories."""

import functools
import importlib.util
from base64 import b64encode

import pytest

import tokharness
from tokharness import UnknownNameError, UsageError
from tokharness.library.specs import spec_of, spec_of_reference
from tokharness.targets.loading import load_target


def test_a_string_is_a_spec():
    assert spec_of("tiktoken:embedded") == "tiktoken:embedded"


def test_a_path_is_a_spec_if_its_content_says_what_loads_it(folder):
    tiktoken = folder / "mine.tiktoken"
    tiktoken.write_bytes(b"".join(b64encode(bytes([one])) + b" %d\n" % one for one in range(256)))
    assert spec_of(tiktoken) == spec_of("mine.tiktoken").replace("mine", str(folder / "mine"))


def test_a_loaded_target_has_its_spec():
    assert spec_of(tokharness.load("reference")) == "reference"
    assert spec_of(load_target("reference")) == "reference"


def test_a_factory_of_a_module_is_named_by_its_file(module):
    assert spec_of(module.Tokenizer) == "python:module_of_mine.py:Tokenizer"
    assert spec_of(module.make) == "python:module_of_mine.py:make"


def test_the_file_of_another_folder_is_an_absolute_path(module, tmp_path_factory, monkeypatch):
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert spec_of(module.make) == f"python:{module.__file__}:make"


def test_a_factory_of_a_package_is_named_by_its_module(packaged):
    assert spec_of(packaged.make) == "python:package_of_mine.inner:make"


@pytest.mark.parametrize("name", ["make", "Tokenizer"])
def test_the_spec_of_a_factory_loads(module, packaged, name):
    for one in (module, packaged):
        assert tokharness.load(spec_of(getattr(one, name))).encode("a") == [97]


def local():
    class Local:
        pass

    return Local


@pytest.mark.parametrize(
    ("target_of", "message"),
    [
        (lambda module: module.tokenizer, "an object of type Tokenizer cannot be sent"),
        (lambda module: functools.partial(module.Tokenizer), "an object of type partial"),
        (lambda _: None, "an object of type NoneType"),
        (lambda module: module.nameless, "<lambda> is not a name of its module"),
        (lambda module: module.Outer.Inner, "Outer.Inner is not a name of its module"),
        (lambda module: module.tokenizer.encode, "Tokenizer.encode is not a name of its module"),
        (lambda _: local(), "Local is not a name of its module"),
        (lambda _: len, "len is of the module builtins, which is not a file"),
    ],
)
def test_an_object_that_no_worker_can_import_is_refused(module, target_of, message):
    with pytest.raises(UsageError) as raised:
        spec_of(target_of(module))
    assert message in str(raised.value)
    assert "python:FILE.py:FUNCTION" in str(raised.value)


def test_a_class_of_a_notebook_is_refused(monkeypatch):
    notebook = importlib.util.module_from_spec(importlib.machinery.ModuleSpec("__main__", None))
    monkeypatch.setitem(__import__("sys").modules, "__main__", notebook)
    exec("class Tokenizer: pass", vars(notebook))  # noqa: S102 - as a cell does
    with pytest.raises(UsageError, match="not a file that a worker can import"):
        spec_of(notebook.Tokenizer)


def test_a_scheme_that_does_not_exist_is_refused():
    with pytest.raises(UnknownNameError, match="'tiktokn': did you mean 'tiktoken'"):
        spec_of("tiktokn:embedded")
    with pytest.raises(UsageError, match=r"try `python:mine\.py:FACTORY`"):
        spec_of("mine.py")


def test_a_reference_may_be_none():
    assert spec_of_reference(None) is None
    assert spec_of_reference("none") == "none"
    assert spec_of_reference("reference") == "reference"
