from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness_tokenizers.reference import published_ranks, ranks_file
from tokharness_tokenizers.reference.byte_bpe import ByteBPE
from tokharness_tokenizers.reference.patterns import R50K
from tokharness_tokenizers.reference.ranks_file import parse_ranks

BYTES = {bytes([byte]): byte for byte in range(256)}
SMALL = ByteBPE("small", R50K, BYTES | {b"ab": 256}, {"<|end|>": 257}, "15.1")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A valid vocabulary, for tests to damage."""
    path = tmp_path / "small.tiktoken"
    ranks_file.save(path, SMALL)
    return path


def edit_side_file(path: Path, **changes: Any) -> None:
    side_path = ranks_file.side_path(path)
    content = json.loads(side_path.read_text()) | changes
    content = {key: value for key, value in content.items() if value is not ...}
    side_path.write_text(json.dumps(content))


def replace_lines(path: Path, lines: dict[int, bytes]) -> None:
    """Replace lines, which are numbered from 1."""
    old = path.read_bytes().splitlines()
    path.write_bytes(b"".join(lines.get(n, line) + b"\n" for n, line in enumerate(old, 1)))
    edit_side_file(path, sha256=...)


def test_a_saved_vocabulary_is_loaded(path: Path) -> None:
    loaded = ranks_file.load(path)
    assert loaded.ranks == SMALL.ranks
    assert loaded.special_tokens == SMALL.special_tokens
    assert (loaded.name, loaded.pattern) == (SMALL.name, SMALL.pattern)
    assert loaded.unicode_version == "15.1"


@pytest.mark.slow
@given(st.sets(st.binary(min_size=2, max_size=9)), st.sets(st.text(min_size=1, max_size=9)))
def test_any_vocabulary_round_trips(
    tmp_path_factory: pytest.TempPathFactory, tokens: set[bytes], special: set[str]
) -> None:
    ranks = BYTES | {token: 256 + index for index, token in enumerate(sorted(tokens))}
    specials = {text: len(ranks) + 2 * index for index, text in enumerate(sorted(special))}
    path = tmp_path_factory.mktemp("any") / "any.tiktoken"
    ranks_file.save(path, ByteBPE("any", R50K, ranks, specials))
    loaded = ranks_file.load(path)
    assert (loaded.ranks, loaded.special_tokens) == (ranks, specials)


def test_saving_twice_writes_the_same_bytes_and_no_other_files(path: Path) -> None:
    first = [file.read_bytes() for file in sorted(path.parent.iterdir())]
    ranks_file.save(path, ranks_file.load(path))
    assert [file.read_bytes() for file in sorted(path.parent.iterdir())] == first
    assert sorted(file.name for file in path.parent.iterdir()) == [
        "small.tiktoken",
        "small.tiktoken.json",
    ]


def test_a_failed_save_keeps_the_old_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="no space left"):
        ranks_file.save(path, ByteBPE("other", R50K, BYTES))
    assert path.read_bytes() == old
    assert len(list(path.parent.iterdir())) == 2


def test_a_link_in_the_place_of_the_temporary_file_is_not_followed(path: Path) -> None:
    outside = path.with_name("outside")
    outside.write_bytes(b"kept")
    for name in (path.name, ranks_file.side_path(path).name):
        path.with_name(f"{name}.partial").symlink_to(outside)
    ranks_file.save(path, SMALL)
    assert outside.read_bytes() == b"kept"
    assert ranks_file.load(path).ranks == SMALL.ranks


def test_lines_may_end_with_crlf_and_be_empty(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n\r\n"))
    edit_side_file(path, sha256=...)
    assert ranks_file.load(path).ranks == SMALL.ranks


@pytest.mark.parametrize(
    ("number", "line", "message"),
    [
        (7, b"Bg==", r"line 7: b'Bg==' is not a base64 token and a rank \(truncated\?\)"),
        (7, b"Bg== 6 6", "line 7: .* is not a base64 token and a rank"),
        (7, b"B!g== 6", "line 7: the token b'B!g==' is not base64"),
        (7, b"Bg= 6", "line 7: the token b'Bg=' is not base64"),
        (7, b"==== 6", "line 7: the token b'====' is not base64"),
        (7, b"Bg== six", "line 7: the rank b'six' is not a whole number"),
        (7, b"Bg== 6_", "line 7: the rank b'6_' is not a whole number"),
        (7, b"Bg== -6", "line 7: the rank b'-6' is not a whole number"),
        (7, b"Bg== 5", "line 7: rank 5 is already on line 6"),
        (7, b"Bg== 4294967296", "is not a whole number from 0 to 4,294,967,295"),
        (7, b"Bg== 1" + b"0" * 5000, "is not a whole number from 0 to 4,294,967,295"),
        (7, b"Bg== 4000", "has 257 ids and 3,743 holes between them"),
    ],
)
def test_a_corrupt_line_is_an_error_of_one_sentence(
    path: Path, number: int, line: bytes, message: str
) -> None:
    replace_lines(path, {number: line})
    with pytest.raises(ValueError, match=message) as caught:
        ranks_file.load(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("rank", [b"+6", b"0_6", b"006", b"+0_0_6"])
def test_a_rank_is_a_number_as_tiktoken_reads_it(path: Path, rank: bytes) -> None:
    replace_lines(path, {7: b"Bg== " + rank})
    assert ranks_file.load(path).ranks == SMALL.ranks


def test_many_holes_may_be_allowed(path: Path) -> None:
    replace_lines(path, {257: base64.b64encode(b"ab") + b" 3000"})
    with pytest.raises(ValueError, match="holes between them"):
        ranks_file.load(path)
    edit_side_file(path, allow_holes=True)
    assert ranks_file.load(path).encode("ab") == [3000]


def test_a_missing_line_is_a_hole(path: Path) -> None:
    replace_lines(path, {7: b""})
    loaded = ranks_file.load(path)
    assert 6 not in loaded.ranks.values()
    with pytest.raises(KeyError, match="0x06"):
        loaded.encode("\x06")


def test_of_two_lines_with_one_token_the_last_counts(path: Path) -> None:
    path.write_bytes(b"YWI= 300\n" + path.read_bytes() + b"YWI= 290\n")
    edit_side_file(path, sha256=...)
    loaded = ranks_file.load(path)
    assert (loaded.ranks[b"ab"], loaded.other_ids) == (290, {300: b"ab", 256: b"ab"})


@pytest.mark.slow
@given(st.permutations(range(256, 262)), st.integers(min_value=1, max_value=5))
def test_a_vocabulary_with_second_ids_round_trips(
    tmp_path_factory: pytest.TempPathFactory, numbers: list[int], others: int
) -> None:
    tokens = BYTES | {b"ab": numbers[0]}
    second = dict.fromkeys(numbers[1 : 1 + others], b"ab")
    path = tmp_path_factory.mktemp("twice") / "twice.tiktoken"
    ranks_file.save(path, ByteBPE("twice", R50K, tokens, other_ids=second))
    loaded = ranks_file.load(path)
    assert (loaded.ranks, loaded.other_ids) == (tokens, second)


def test_an_empty_file_is_an_error(path: Path) -> None:
    replace_lines(path, dict.fromkeys(range(1, 258), b""))
    with pytest.raises(ValueError, match="is empty"):
        ranks_file.load(path)


def test_a_truncated_file_has_another_digest(path: Path) -> None:
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    with pytest.raises(ValueError, match="SHA-256 differs"):
        ranks_file.load(path)


@given(st.integers(min_value=0, max_value=256))
def test_a_truncated_file_has_no_ids_before_the_special_tokens(kept: int) -> None:
    lines = [b"%s %d\n" % (base64.b64encode(t), n) for t, n in SMALL.ranks.items()]
    with pytest.raises(ValueError, match=r"truncated|is empty"):
        parse_ranks(b"".join(lines[:kept]), "cut.tiktoken", SMALL.special_tokens)


def test_a_file_truncated_within_a_number_is_an_error(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-2])
    edit_side_file(path, sha256=...)
    with pytest.raises(ValueError, match=r"rank 25 is already on line 26: .* \(truncated\?\)"):
        ranks_file.load(path)


def test_a_line_that_is_there_twice_counts_once_as_in_tiktoken(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines, lines[6]]))
    edit_side_file(path, sha256=...)
    vocabulary = ranks_file.load(path)
    assert vocabulary.ranks == SMALL.ranks
    assert vocabulary.other_ids == {}


def test_renumbered_lines_without_a_byte_are_not_truncated() -> None:
    tokens = [token for token in SMALL.ranks if token != b"A"]
    lines = [b"%s %d\n" % (base64.b64encode(token), n) for n, token in enumerate(tokens)]
    lines_read = parse_ranks(b"".join(lines), "renumbered.tiktoken", SMALL.special_tokens)
    assert list(lines_read.ranks) == tokens


def test_a_missing_file_is_an_error(path: Path) -> None:
    path.unlink()
    with pytest.raises(FileNotFoundError, match=r"no vocabulary file .*small\.tiktoken"):
        ranks_file.load(path)


def test_a_missing_side_file_is_an_error(path: Path) -> None:
    ranks_file.side_path(path).unlink()
    with pytest.raises(FileNotFoundError, match=r"no .*small\.tiktoken\.json, the side file"):
        ranks_file.load(path)


def test_published_ranks_need_no_side_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ranks_file.side_path(path).unlink()
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    cl100k = dataclasses.replace(published_ranks.PUBLISHED["cl100k_base"], sha256=digest)
    monkeypatch.setattr(published_ranks, "PUBLISHED", {"cl100k_base": cl100k})
    vocabulary = ranks_file.load(path)
    assert vocabulary.ranks == SMALL.ranks
    assert vocabulary.pattern == cl100k.pattern
    assert vocabulary.special_tokens == cl100k.special_tokens


@pytest.mark.skipif(
    os.name == "nt" or not hasattr(os, "geteuid") or os.geteuid() == 0,
    reason="root may read it",
)
def test_an_unreadable_file_is_an_error(path: Path) -> None:
    path.chmod(0)
    with pytest.raises(OSError, match="cannot read"):
        ranks_file.load(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        *(
            ("{", "is not JSON"),
            ("\xff", "is not JSON"),
            ("[]", "is not a JSON object"),
            ("", "JSON"),
        ),
        ("[" * 100_000, "is nested too deep"),
        ('{"name": "a", "name": "b"}', "has the key 'name' twice"),
        ('{"special_tokens": {"<|a|>": 1, "<|a|>": 2}}', "twice"),
    ],
)
def test_a_side_file_that_is_not_an_object_is_an_error(path: Path, text: str, message: str) -> None:
    ranks_file.side_path(path).write_bytes(text.encode("latin-1"))
    with pytest.raises(ValueError, match=rf"small\.tiktoken\.json {message}|{message}"):
        ranks_file.load(path)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"pattern": ...}, "pattern must be a non-empty string without lone surrogates, not null"),
        ({"pattern": 3}, "pattern must be a non-empty string without lone surrogates, not 3"),
        ({"pattern": "(x"}, "does not compile"),
        ({"name": None}, "name must be a string"),
        ({"special_tokens": ["<|end|>"]}, "special_tokens must be an object from text to id"),
        ({"special_tokens": {"<|end|>": "257"}}, "special_tokens must be"),
        ({"special_tokens": {"<|end|>": True}}, "special_tokens must be"),
        ({"special_tokens": {"<|end|>": -1}}, "special_tokens must be"),
        ({"special_tokens": {"<|end|>": 2**32}}, "special_tokens must be"),
        ({"unicode_version": 15}, "unicode_version must be one of 7.0, 8.0"),
        ({"unicode_version": "1.2"}, r"1\.2"),
        ({"unicode_version": "99"}, r"15\.1, 16\.0.*, or null, not .99"),
        ({"unicode_version": ""}, "unicode_version must be one of"),
        ({"pattern": "\ud800"}, "pattern must be"),
        ({"special_tokens": {"": 257}}, "special_tokens must be"),
        ({"special_tokens": {"\ud800": 257}}, "special_tokens must be"),
        ({"sha256": 1}, "sha256 must be a string"),
        ({"allow_holes": "yes"}, "allow_holes must be true or false"),
        ({"made": "by hand"}, "made must be an object"),
        ({"specials": {}}, "has an unknown key 'specials'; known: "),
    ],
)
def test_an_invalid_side_file_is_an_error(
    path: Path, changes: dict[str, Any], message: str
) -> None:
    edit_side_file(path, **changes)
    with pytest.raises(ValueError, match=message) as caught:
        ranks_file.load(path)
    assert str(path) in str(caught.value)
