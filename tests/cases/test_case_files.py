"""Case files: ASCII JSON lines, each with a reason and a source; families have all their cases."""

from __future__ import annotations

import importlib
import json
from importlib.resources import files
from typing import Any

import pytest

from tokharness_cases._family import curated_cases

FILES = {
    path.name.removesuffix(".jsonl"): path
    for path in sorted((files("tokharness_cases") / "data").iterdir(), key=lambda path: path.name)
}
REQUIRED = {"id", "text", "why", "source"}
BUILT_IN = {
    *("chat_language", "code_switching", "decorated_text", "encoded_text", "naughty_strings"),
    *("sentences", "byte_alphabet", "controls", "invalid_utf8", "invisible_bits", "property_names"),
    *("tag_smuggling", "variation_selectors", "white_space"),
}

every_file = pytest.mark.parametrize("name", FILES)


def records(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in FILES[name].read_text(encoding="ascii").splitlines()]


def test_the_package_has_its_case_files() -> None:
    assert set(FILES) >= BUILT_IN
    assert all(path.name.endswith(".jsonl") for path in FILES.values())


@every_file
def test_a_file_has_lines_of_printable_ascii(name: str) -> None:
    data = FILES[name].read_bytes()
    assert data.endswith(b"\n")
    assert all(0x20 <= byte < 0x7F for byte in data if byte != 0x0A)


@every_file
def test_every_line_has_a_text_a_reason_and_a_source(name: str) -> None:
    for record in records(name):
        assert set(record) - {"twin"} == REQUIRED
        assert all(isinstance(value, str) and value for value in record.values())
        assert record["why"].isascii()


@every_file
def test_ids_and_texts_of_a_file_are_unique(name: str) -> None:
    for key in ("id", "text"):
        values = [record[key] for record in records(name)]
        assert len(values) == len(set(values))


@every_file
def test_the_family_has_all_cases_of_its_file(name: str) -> None:
    family = importlib.import_module(f"tokharness_cases.{name}")
    assert {case.text for case in curated_cases(name)} <= {case.text for case in family.cases()}
