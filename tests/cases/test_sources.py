"""Sources of the cases escape hostile characters, and use Unicode data of the core only."""

from __future__ import annotations

import ast
from operator import attrgetter
from pathlib import Path

import pytest

import tokharness_cases

FOLDERS = (Path(tokharness_cases.__path__[0]), Path(__file__).parent)
SOURCES = sorted(path for folder in FOLDERS for path in folder.glob("*.py"))
CASES = sorted(FOLDERS[0].glob("*.py"))
CORE = ("tokharness.model", "tokharness.errors", "tokharness.unicode")

name_of = attrgetter("name")


def imported(path: Path) -> set[str]:
    modules: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="ascii"))):
        if isinstance(node, ast.Import):
            modules.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            modules.add(node.module)
    return modules


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_every_hostile_character_of_a_source_is_an_escape(path: Path) -> None:
    data = path.read_bytes()
    assert data.isascii()
    assert set(data) & set(range(0x20)) <= {0x0A}
    assert 0x7F not in data


@pytest.mark.parametrize("path", CASES, ids=name_of)
def test_the_cases_import_public_parts_of_the_core_only(path: Path) -> None:
    names = imported(path)
    assert "unicodedata" not in names
    core = [name for name in names if name.split(".")[0] == "tokharness"]
    assert all(name.startswith(CORE) for name in core)


@pytest.mark.parametrize("path", CASES, ids=name_of)
def test_a_module_has_a_docstring_and_is_small(path: Path) -> None:
    source = path.read_text(encoding="ascii")
    assert ast.get_docstring(ast.parse(source))
    assert source.count("\n") <= 400
