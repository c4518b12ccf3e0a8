from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest

from tokharness.errors import TargetError, UnknownNameError
from tokharness_tokenizers.adapters import python_object

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TOKENIZER = """
class Bytes:
    def encode(self, text):
        return list(text.encode())
    def decode(self, ids):
        return bytes(ids)

def make():
    return Bytes()
"""

Write: TypeAlias = "Callable[[str], str]"


@pytest.fixture(autouse=True)
def _imports(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """Restore the import path and the loaded modules after a test; hide what others have left."""
    temporary = tmp_path_factory.getbasetemp()
    paths = [path for path in sys.path if not Path(path).is_relative_to(temporary)]
    monkeypatch.setattr(sys, "path", paths)
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    before = dict(sys.modules)
    yield
    for name in set(sys.modules) - set(before):
        del sys.modules[name]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a Python file and return its path."""

    def write_source(source: str) -> str:
        path = tmp_path / "mine.py"
        path.write_text(source, encoding="utf-8")
        return str(path)

    return write_source


def failure(rest: str, kind: type[TargetError | UnknownNameError] = TargetError) -> str:
    with pytest.raises(kind) as caught:
        python_object.load(rest)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_a_factory_in_a_file_makes_the_tokenizer(write: Write) -> None:
    tokenizer = python_object.load(f"{write(TOKENIZER)}:make")
    assert tokenizer.decode(tokenizer.encode("\u00e9")) == "\u00e9".encode()


def test_a_class_is_a_factory(write: Write) -> None:
    assert python_object.load(f"{write(TOKENIZER)}:Bytes").encode("a") == [97]


def test_a_neighbour_hides_a_library_from_the_file_only(write: Write, tmp_path: Path) -> None:
    name = "wave"  # of the standard library, and loaded by nothing
    (tmp_path / f"{name}.py").write_text("NEIGHBOUR = 1")
    (tmp_path / "chunk_of_mine.py").write_text("")
    python_object.load(f"{write('import chunk_of_mine' + chr(10) + TOKENIZER)}:make")
    assert "chunk_of_mine" in sys.modules
    assert not hasattr(importlib.import_module(name), "NEIGHBOUR")


def test_a_file_may_import_modules_of_its_folder_at_any_time(write: Write, tmp_path: Path) -> None:
    (tmp_path / "neighbour_one.py").write_text(TOKENIZER)
    (tmp_path / "neighbour_two.py").write_text("SHIFT = 0")
    path = write(
        "import neighbour_one\n"
        "class Late(neighbour_one.Bytes):\n"
        "    def encode(self, text):\n"
        "        import neighbour_two\n"
        "        return super().encode(text)\n"
    )
    assert python_object.load(f"{path}:Late").encode("a") == [97]


def test_a_file_with_the_name_of_a_module_does_not_replace_it(tmp_path: Path) -> None:
    path = tmp_path / "json.py"
    path.write_text(TOKENIZER)
    import json

    assert python_object.load(f"{path}:make").encode("a") == [97]
    assert sys.modules["json"] is json


def test_a_file_with_dataclasses_loads(write: Write) -> None:
    path = write(
        "from __future__ import annotations\n"
        "import dataclasses\n"
        "@dataclasses.dataclass\n"
        "class T:\n"
        "    size: int = 1\n"
        "    def encode(self, text): return []\n"
        "    def decode(self, ids): return ''\n"
    )
    assert python_object.load(f"{path}:T").size == 1


def test_a_relative_path_starts_at_the_current_directory(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(TOKENIZER)
    monkeypatch.chdir(tmp_path)
    assert python_object.load("mine.py:make").encode("a") == [97]
    assert python_object.load("mine:make").encode("a") == [97]


def test_the_current_directory_does_not_hide_installed_modules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tiktoken.py").write_text("raise AssertionError")
    monkeypatch.chdir(tmp_path)
    assert "get_encodin" in failure("tiktoken:get_encodin", UnknownNameError)


@pytest.mark.parametrize(
    "rest", ["", "mine.py", "mine", "mine:", ":make", "C:\\dir\\mine.py", "m:a b"]
)
def test_a_spec_without_a_factory_is_an_error_with_the_syntax(rest: str) -> None:
    assert "python:FILE.py:FACTORY" in failure(rest)


def test_a_drive_letter_may_have_a_colon(tmp_path: Path) -> None:
    assert "no file C:\\dir\\mine.py" in failure("C:\\dir\\mine.py:make")


def test_an_unknown_factory_suggests_similar_names(write: Write) -> None:
    assert "did you mean 'make'" in failure(f"{write(TOKENIZER)}:mkae", UnknownNameError)


def test_a_missing_module_is_an_error() -> None:
    assert "no_such_module" in failure("no_such_module:make")


NAMELESS = "class M(type): __name__ = property(lambda _: 1 / 0)"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("raise RuntimeError('two\\nlines')", "mine.py failed: RuntimeError: two lines"),
        ("import sys; sys.exit(3)", "mine.py failed: SystemExit: 3"),
        ("def make(:", "mine.py failed: SyntaxError"),
        ("import no_such_neighbour", "mine.py failed: ModuleNotFoundError: No module named"),
        ("class Panic(BaseException): pass\nraise Panic", "mine.py failed: Panic"),
        ("class E(Exception):\n  def __str__(self): 1/0\nraise E", "its message cannot be read"),
        ("class E(Exception):\n  def __str__(self): exit()\nraise E", "its message cannot be read"),
        (f"{NAMELESS}\nclass E(Exception, metaclass=M): pass\nraise E", "mine.py failed: E"),
        ("def make(): return 1 / 0", "make() of"),
        ("def make(needed): pass", "TypeError"),
        ("def make(): raise SystemExit", "SystemExit"),
        ("make = 3", "is a int, which cannot be called"),
        ("def make(): return object()", "a object without encode() and decode()"),
        ("class make:\n  encode = len", "a make without decode()"),
    ],
)
def test_any_failure_is_an_error_of_one_sentence(write: Write, source: str, expected: str) -> None:
    assert expected in failure(f"{write(source)}:make")


def test_keyboard_interrupt_is_not_caught(write: Write) -> None:
    with pytest.raises(KeyboardInterrupt):
        python_object.load(f"{write('raise KeyboardInterrupt')}:make")


def test_a_python_file_is_recognized_with_its_factories(write: Write) -> None:
    path = write(TOKENIZER)
    assert python_object.recognize(Path(path)) == [f"{path}:Bytes", f"{path}:make"]


def test_a_file_without_the_suffix_and_a_folder_are_not_recognized(tmp_path: Path) -> None:
    (tmp_path / "source").write_text(TOKENIZER)
    (tmp_path / "folder.py").mkdir()
    assert python_object.recognize(tmp_path / "source") == []
    assert python_object.recognize(tmp_path / "folder.py") == []
