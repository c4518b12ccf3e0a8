from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from planted._byte_lists import healthy, lines

from tokharness_tokenizers.reference import rwkv_list
from tokharness_tokenizers.reference.byte_characters import characters_of
from tokharness_tokenizers.reference.models.byte_trie import ByteTrie

TOKENIZER = healthy()
IDS = TOKENIZER.model.ids
ANY_TEXT = st.text(alphabet=st.characters(codec=None))  # surrogates too
TOKENS = st.lists(st.sampled_from(sorted(IDS)), max_size=8).map(b"".join)


def textbook(data: bytes) -> list[int]:
    ids = []
    while data:
        token = max((one for one in IDS if data.startswith(one)), key=len)
        ids.append(IDS[token])
        data = data[len(token) :]
    return ids


@given(TOKENS | st.binary())
def test_ids_are_those_of_the_textbook_and_come_back(data: bytes) -> None:
    ids = TOKENIZER.encode_bytes(data)
    assert ids == textbook(data)
    assert TOKENIZER.decode_bytes(ids) == data


@given(ANY_TEXT | st.lists(st.sampled_from([*"the \u4f60", "\ud83d", "\ude00"])).map("".join))
def test_every_entry_point_joins_surrogates_and_gives_the_same(text: str) -> None:
    joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    ids = TOKENIZER.encode_bytes(joined.encode())
    assert TOKENIZER.encode(text) == ids
    assert TOKENIZER.encode_batch([text]) == [ids]
    assert TOKENIZER.count(text) == len(ids)
    assert TOKENIZER.decode(ids) == "".join(TOKENIZER.decode_stream(ids)) == joined
    _, spans = TOKENIZER.encode_with_offsets(text)
    assert {at for start, end in spans for at in range(start, end)} == set(range(len(text)))


@given(ANY_TEXT)
def test_stages_spell_the_bytes_of_the_text_wherever_a_token_ends(text: str) -> None:
    (_, words), (_, tokens) = TOKENIZER.stages(text)
    assert tokens == [*map(TOKENIZER.token_text, TOKENIZER.encode(text))]
    assert "".join(tokens) == "".join(words)
    data = "".join(words).encode("ascii", "surrogateescape")
    assert data == text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


@given(st.text())
def test_the_model_reads_words_with_a_character_for_each_byte(text: str) -> None:
    tokens = TOKENIZER.model.tokens(characters_of(text))
    assert [number for number, _ in tokens] == TOKENIZER.encode(text)
    assert sum(length for _, length in tokens) == len(text.encode())
    assert all(IDS[TOKENIZER.decode_single_token_bytes(n)] == n for n, _ in tokens)


def test_a_byte_without_a_token_raises_and_is_named() -> None:
    trie = ByteTrie({b"a": 1, b"abc": 2, b"": 3})
    assert trie.encode(b"aabca") == [1, 2, 1]
    with pytest.raises(KeyError, match="byte 1, with 0x62"):
        trie.encode(b"ab")


def test_alterations_find_fewer_tokens() -> None:
    rows = {what: ids for _, what, ids in TOKENIZER.encode_altered(("the" + " " * 24, None, ()))}
    assert rows["no token of several bytes is found"] == [
        IDS[bytes([b])] for b in b"the" + b" " * 24
    ]
    assert rows["no token of 24 bytes or more is found"] == [
        IDS[token] for token in (b"the", b" " * 16, b"    ", b"    ")
    ]


def test_of_a_token_on_two_lines_the_last_one_counts() -> None:
    tokenizer = rwkv_list.read(b"3 'a' 1\r\n1 b'\\xff' 1\r\n7 \"a\" 1", "list")
    assert tokenizer.encode("a") == [7]
    assert tokenizer.decode([3, 7]) == "aa"
    assert tokenizer.conflicting_tokens == {3: b"a"}
    assert tokenizer.n_vocab == 8


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("1 'a'", "is not an id, a literal and a length"),
        ("x 'a' 1", "is not an id"),
        ("1 'a' 2", "has 1 bytes, not 2"),
        ("1 '\\u00e9' 1", "has 2 bytes, not 1"),
        ("1 '' 0", "is empty"),
        ("1 print('a') 1", "is not a string or bytes"),
        ("1 b'a' + b'' 1", "is not a string or bytes"),
        ("1 12 2", "is not a string or bytes"),
        ("1 '\\ud800' 3", "is not a string or bytes"),
        ("4294967296 'a' 1", "is not a whole number"),
        ("5 'a' 1", "already on line 1: each line needs its own"),
        ("", "is not an id"),
    ],
)
def test_a_damaged_line_is_named(line: str, reason: str) -> None:
    with pytest.raises(ValueError, match=f"list, line 2: .*{reason}"):
        rwkv_list.read(f"5 'b' 1\n{line}\n6 'c' 1\n".encode(), "list")


@pytest.mark.parametrize(
    ("data", "reason"), [(b"", "is empty"), (b"1 'a' 1\n\xff", "line 2: .*UTF-8")]
)
def test_a_file_that_is_no_list_is_an_error(data: bytes, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        rwkv_list.read(data, "list")


SOURCE = "\n".join(lines()).encode()


@given(st.integers(0, len(SOURCE) - 1), st.binary(max_size=3))
def test_a_changed_file_loads_or_is_an_error(place: int, new: bytes) -> None:
    changed = SOURCE[:place] + new + (SOURCE[place + 1 :] if new else b"")
    try:
        tokenizer = rwkv_list.read(changed, "list")
    except ValueError as error:
        assert str(error).startswith("list")  # noqa: PT017
    else:
        assert tokenizer.n_vocab > 0
