from __future__ import annotations

import pytest

from tokharness_tokenizers.adapters.python_object import factories_of

METHODS = "    def encode(self, text): ...\n    def decode(self, ids): ...\n"

SOURCES = {
    f"class A:\n{METHODS}": ["A"],
    f"class A:\n{METHODS}class B(A):\n    pass\n": ["A", "B"],
    f"class A:\n{METHODS}class _B(A): pass\n": ["A"],
    f"class A:\n    def __init__(self, path): ...\n{METHODS}": [],
    f"class A:\n    def __init__(self, path=1, *, x=2): ...\n{METHODS}": ["A"],
    f"class A:\n    def __init__(self, *, x): ...\n{METHODS}": [],
    f"class A:\n    def __init__(self, path): ...\n{METHODS}class B(A):\n"
    "    def __init__(self): ...\n": ["B"],
    f"from abc import ABC\nclass A(ABC):\n{METHODS}class B(A):\n    x = 1\n": ["B"],
    f"import typing\nclass A(typing.Protocol[int]):\n{METHODS}": [],
    f"@dataclass(frozen=True)\nclass A:\n    path: str\n{METHODS}": [],
    f"@dataclasses.dataclass\nclass A:\n    path: str = ''\n{METHODS}": ["A"],
    f"class A(A):\n{METHODS}": ["A"],
    f"class A(B):\n{METHODS}class B(A): pass\n": ["A", "B"],
    "class A:\n    def encode(self, text): ...\n": [],
    "class A(other.Tokenizer):\n    def encode(self, text): ...\n": [],
    "def make():\n    return Tokenizer()\n": ["make"],
    "def make(path='x', /, *names, loud=False, **more):\n    return Tokenizer()\n": ["make"],
    "def make(path):\n    return Tokenizer()\n": [],
    "def make(*, path):\n    return Tokenizer()\n": [],
    "def main():\n    print(1)\n    return\n": [],
    "def outer():\n    def inner():\n        return 1\n    lambda: 1\n": [],
    "def ids():\n    yield 1\n    return 2\n": [],
    "async def make():\n    return 1\n": [],
    "if True:\n    def make():\n        return 1\n": [],
    "def make():\n    if x:\n        return 1\ndef make():\n    return 1\n": ["make"],
    "": [],
    "def make(:\n": [],
    "x = '\\d'\ndef make():\n    return 1\n": ["make"],
    "\0": [],
    "(" * 1000: [],
    "1" + "+1" * 100_000: [],
    "-" * 100_000: [],
    "#" + "x" * 300_000 + "\ndef make():\n    return 1\n": [],
}


@pytest.mark.parametrize("source", SOURCES, ids=range(len(SOURCES)))
def test_the_factories_of_a_source(source, tmp_path):
    path = tmp_path / "source.py"
    path.write_bytes(source.encode())
    assert factories_of(path) == (SOURCES[source] or ["FACTORY"])


def test_nothing_of_the_file_runs(tmp_path):
    path = tmp_path / "source.py"
    path.write_text("raise SystemExit\ndef make():\n    return 1\n")
    assert factories_of(path) == ["make"]
