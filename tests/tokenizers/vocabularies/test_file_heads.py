from __future__ import annotations

import json
import os
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokharness_tokenizers.vocabularies import file_heads
from tokharness_tokenizers.vocabularies.file_heads import (
    HEAD,
    LIMIT,
    has_members,
    members,
    read_head,
    read_rows,
)

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda values: st.lists(values) | st.dictionaries(st.text(), values),
    max_leaves=5,
)
PLAIN_KEYS = st.text(st.characters(exclude_characters='"\\', exclude_categories=["Cs", "Cc"]))


@given(
    content=st.dictionaries(PLAIN_KEYS, VALUES),
    is_ascii=st.booleans(),
    indent=st.sampled_from([None, 1, "\t"]),
)
@settings(max_examples=60)
@pytest.mark.parametrize("version", [sys.version_info, (3, 11, 4)], ids=["here", "3.11.4"])
def test_the_members_are_those_of_the_parsed_object(version, content, is_ascii, indent):
    text = json.dumps(content, ensure_ascii=is_ascii, indent=indent)
    encoded = text.encode("utf-8", "surrogatepass")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "version_info", version)
        patch.setattr(file_heads, "_tokens_of", file_heads._tokens_of.__wrapped__)
        found = dict(members(encoded))
    if is_ascii:
        content = {json.dumps(key)[1:-1]: value for key, value in content.items()}
    assert found == {key: json.dumps(value)[0] for key, value in content.items()}


@given(st.dictionaries(PLAIN_KEYS, VALUES), st.integers(0, 200))
@settings(max_examples=50)
def test_a_truncated_object_has_some_of_the_members(content, size):
    encoded = json.dumps(content).encode()
    assert dict(members(encoded)).items() >= dict(members(encoded[:size])).items()


@given(st.binary(max_size=300))
def test_any_bytes_have_members(data):
    assert all(len(first) == 1 for _, first in members(b"{" + data))


@pytest.mark.parametrize("data", [b"", b"[{}]", b'"a": 1', b" x", b"\xff\xfe{\0"])
def test_what_is_not_an_object_has_no_members(data):
    assert list(members(data)) == []


def test_a_byte_order_mark_is_skipped():
    assert dict(members(b'\xef\xbb\xbf {"a": 1}')) == {"a": "1"}


def test_a_string_with_many_backslashes_takes_no_time():
    assert list(members(b'{"' + rb"\\" * 500_000)) == []


def test_a_key_behind_the_head_is_found(tmp_path):
    path = tmp_path / "x.json"
    path.write_text(json.dumps({"first": "x" * HEAD, "last": []}))
    assert has_members(path, lambda seen: seen.get("last") == "[")
    assert not has_members(path, lambda seen: seen.get("none") == "[")


def test_an_object_with_many_keys_is_left_early(tmp_path):
    path = tmp_path / "x.json"
    path.write_text(json.dumps(dict.fromkeys(map(str, range(100_000)), 1) | {"last": 1}))
    assert not has_members(path, lambda seen: "last" in seen)


def test_a_huge_file_is_read_up_to_a_limit(tmp_path):
    path = tmp_path / "huge"
    with path.open("wb") as file:
        file.truncate(LIMIT * 1000)  # sparse
    assert len(read_head(path)) == HEAD
    assert not has_members(path, lambda _: True)


def test_the_last_row_of_a_head_may_be_incomplete(tmp_path):
    path = tmp_path / "rows"
    path.write_bytes(b"ab\n\n" * HEAD)
    assert set(read_rows(path)) == {b"ab"}
    path.write_bytes(b"ab\r\ncd")
    assert read_rows(path) == [b"ab", b"cd"]


def test_a_pipe_is_not_read(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="it is a pipe, not a file"):
        read_head(tmp_path / "pipe")
