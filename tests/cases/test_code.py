"""Source code: required cases, and escapes that stay escapes."""

from __future__ import annotations

import pytest

from tokharness.unicode.normalization import normalize
from tokharness_cases import code
from tokharness_cases.code import ESCAPES, OPERATORS

CASES = {case.text: case for case in code.cases()}
BIDI = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e")


@pytest.mark.parametrize("unit", [" ", "\t"])
def test_every_indentation_up_to_forty_is_before_a_name(unit: str) -> None:
    assert all(f"{unit * number}x" in CASES for number in range(1, 41))
    assert all(f"if x:\n{unit * number}y" in CASES for number in range(1, 41))


def test_tabs_and_spaces_are_mixed_in_either_order() -> None:
    assert {"\n\t  x", "\n  \tx", "\n\t\t\t x"} <= CASES.keys()


@pytest.mark.parametrize(
    "operator", ["==", "===", "!==", "->", "=>", "::", "**=", "<<=", "?.", "/\\"]
)
def test_operators_are_alone_and_between_names(operator: str) -> None:
    assert operator in OPERATORS
    assert {operator, f"a{operator}b", f"a {operator} b", f"1{operator}1"} <= CASES.keys()


@pytest.mark.parametrize(
    "text",
    [
        *("getHTTPid", "getHttpId", "get_http_id", "GET_HTTP_ID", "get-http-id"),
        *("__get_http_id__", "get.HTTP.id()", "getHttp"),
    ],
)
def test_every_style_of_names_is_a_case(text: str) -> None:
    assert text in CASES


@pytest.mark.parametrize(
    "text",
    [
        "\\u0041",
        "\\x0041",
        "\\U00000041",
        "\\u{202E}",
        "\\N{BULLET}",
        "\\ud83d\\ude00",
        "%E2%80%AE",
    ],
)
def test_escapes_are_plain_ascii_text(text: str) -> None:
    assert {text, f'"{text}"', f"r'{text}'"} <= CASES.keys()
    assert text.isascii()


def test_no_escape_was_decoded() -> None:
    assert all(escape.isascii() and escape.isprintable() for escape in ESCAPES)


def test_snippets_have_either_line_end() -> None:
    crlf = [case for case in CASES.values() if case.why.endswith("with CRLF")]
    assert len(crlf) > 10
    assert all(case.twin == case.text.replace("\r\n", "\n") for case in crlf)


def test_the_twin_of_reordered_code_has_no_bidirectional_control() -> None:
    reordered = [case for case in CASES.values() if "reordered" in case.why]
    assert len(reordered) > 100
    for case in reordered:
        assert case.twin == "".join(char for char in case.text if char not in BIDI)


def test_nfkc_of_a_styled_name_is_its_twin() -> None:
    styled = [case for case in CASES.values() if case.why.startswith("a name in mathematical")]
    assert len(styled) > 50
    assert all(normalize("NFKC", case.text) == case.twin for case in styled)
