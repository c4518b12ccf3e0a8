"""Options of a small run, and a module with tokenizers that a worker can import."""

import importlib
import sys
import textwrap

import pytest

FEW = {"profile": "quick", "families": "zero-width", "examples": 0, "select": "TOK101"}

MODULE = '''
class Tokenizer:
    """Its ids are UTF-8 bytes; it drops U+200B."""

    def encode(self, text):
        return list(text.replace("\\u200b", "").encode("utf-8", "replace"))

    def decode(self, ids):
        return bytes(ids).decode("utf-8", "replace")


def make():
    return Tokenizer()


class Outer:
    class Inner(Tokenizer):
        pass


nameless = lambda: Tokenizer()
tokenizer = Tokenizer()
'''


@pytest.fixture(scope="session")
def few():
    """Return the options of a run that takes a second in worker processes, and less without."""
    return FEW


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty working directory that modules are imported from."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if getattr(sys.modules[name], "__file__", None) in map(str, tmp_path.rglob("*.py")):
            del sys.modules[name]


@pytest.fixture
def module(folder):
    """A module of a file in the working directory."""
    (folder / "module_of_mine.py").write_text(textwrap.dedent(MODULE))
    importlib.invalidate_caches()
    return importlib.import_module("module_of_mine")


@pytest.fixture
def packaged(folder):
    """The same module, in a package."""
    (folder / "package_of_mine").mkdir()
    (folder / "package_of_mine" / "__init__.py").touch()
    (folder / "package_of_mine" / "inner.py").write_text(textwrap.dedent(MODULE))
    importlib.invalidate_caches()
    return importlib.import_module("package_of_mine.inner")
