from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from planted._subword_nmt_codes import CODES, file, healthy

from tokharness_tokenizers.reference import subword_nmt
from tokharness_tokenizers.reference.subword_nmt.codes import Codes, merge_long, merge_short

if TYPE_CHECKING:
    from tokharness_tokenizers.adapters.subword_nmt_codes import Engine
    from tokharness_tokenizers.reference.subword_nmt import SubwordNMT

needs_library = pytest.mark.needs("subword-nmt")

WORDS = ("the", "and", "thing", "an", "other", "into", "</w>", "a</w>", "@@", "x@@", "<unk>")
texts = st.lists(
    st.sampled_from([*WORDS, " ", "  ", "\n", "\r\n", "\t", "\u00a0", "\u3000"])
    | st.text(st.sampled_from("theandigorsu@</w>!\u00e9\u4f60\u597d\ud83d\ude00"), max_size=8)
    | st.characters()
).map("".join)
symbols = st.sampled_from(
    ["a", "b", "ab", "ba", "a</w>", "b</w>", "ab</w>", "</w>", "aa", "@", "@@"]
)
merges = st.lists(st.tuples(symbols, symbols), min_size=1, max_size=12)


def written(folder: Path, content: str, vocabulary: str | None = None) -> Path:
    path = folder / "codes"
    path.write_text(content, "utf-8", newline="")
    if vocabulary is not None:
        Path(f"{path}.vocab").write_text(vocabulary, "utf-8", newline="")
    return path


@pytest.fixture
def load(tmp_path: Path):  # type: ignore[no-untyped-def]
    def loaded(content: str, vocabulary: str | None = None) -> SubwordNMT:
        return subword_nmt.load(written(tmp_path, content, vocabulary))

    return loaded


def texts_of(tokenizer: SubwordNMT, text: str) -> list[str]:
    return [tokenizer.token_text(number) for number in tokenizer.encode(text)]


def test_the_example_of_the_paper() -> None:
    codes = Codes((("r", "</w>"), ("l", "o"), ("lo", "w"), ("e", "r</w>")), "0.1")
    assert codes.subwords("lower") == ["low", "er"]


def test_the_end_of_a_word_is_a_symbol_or_belongs_to_the_last_character() -> None:
    pairs = (("a", "n"), ("an", "d</w>"))
    assert Codes(pairs, "0.2").subwords("an") == ["a", "n"]
    assert Codes(pairs, "0.1").subwords("an") == ["an"]
    assert Codes(pairs, "0.2").subwords("and") == ["and"]
    assert Codes(pairs, "0.1").subwords("and") == ["an", "d"]


def test_of_a_pair_that_is_there_twice_the_first_place_counts() -> None:
    codes = Codes((("a", "b"), ("b", "c"), ("a", "b")))
    assert codes.subwords("abcd") == ["ab", "c", "d"]


def test_of_overlapping_pairs_the_leftmost_is_merged() -> None:
    assert Codes((("a", "a"),)).subwords("aaab") == ["aa", "a", "b"]


@given(merges, st.sampled_from(["0.1", "0.2"]), st.text("ab@</w>", max_size=9))
def test_subwords_are_the_word(pairs: list[tuple[str, str]], version: str, word: str) -> None:
    assert "".join(Codes(tuple(pairs), version).subwords(word)) == word


@given(merges, st.lists(st.sampled_from(["a", "b", "a</w>", "</w>", "@"]), max_size=30))
def test_long_words_are_merged_as_short_ones(
    pairs: list[tuple[str, str]], symbols: list[str]
) -> None:
    places = {pair: place for place, pair in enumerate(pairs)}
    assert merge_long(symbols, places) == merge_short(symbols, places)


def test_ids_have_the_order_of_the_codes(load) -> None:  # type: ignore[no-untyped-def]
    two = load("#version: 0.2\na b\nab c</w>\n")
    assert two.subwords == ("<unk>", "a@@", "a", "b@@", "b", "ab@@", "c@@", "c", "abc")
    assert load("a b\nab </w>\n").subwords == ("<unk>", "a@@", "a", "b@@", "b", "ab@@", "ab")


def test_a_vocabulary_next_to_the_codes_has_the_ids(load) -> None:  # type: ignore[no-untyped-def]
    content = "#version: 0.2\na b</w>\n"
    mine = load(content, "ab 7\nc@@ 3\n")
    assert mine.encode("ab cd q") == [1, 2, 0, 0]
    assert mine.special_tokens == {"<unk>": 0}
    own = load(content, "ab 7\n<unk> 0\nab 2\n")
    assert own.encode("ab q") == [0, 1]
    assert own.special_tokens == {"<unk>": 1}
    assert own.conflicting_tokens == {2: b"ab"}


def test_words_end_at_spaces_only_and_these_are_not_kept() -> None:
    tokenizer = healthy()
    assert texts_of(tokenizer, "\n the  an\tan \r\n") == ["the", "an@@", "\t@@", "a@@", "n"]
    assert tokenizer.normalize("\n the  an\tan \r\n") == "the an\tan"
    assert tokenizer.encode(" \n ") == []


def test_offsets_are_those_of_the_text_before_spaces_are_removed() -> None:
    text = "  \ud83d\ude00a  the"
    assert healthy().encode_with_offsets(text)[1] == [(2, 4), (4, 5), (7, 10)]


@given(texts)
def test_known_text_comes_back_in_its_declared_form(text: str) -> None:
    tokenizer = healthy()
    ids, spans = tokenizer.encode_with_offsets(text)
    assert ids == tokenizer.encode(text)
    assert "".join(text[start:end] for start, end in spans) == text.strip("\r\n ").replace(" ", "")
    if 0 not in ids:
        assert tokenizer.decode(ids) == tokenizer.normalize(text)


def test_an_alteration_gives_the_ids_of_what_it_names() -> None:
    rows = {what: ids for _, what, ids in healthy().encode_altered(("the\tand", None, ()))}
    assert rows["words end at all white space"] == healthy().encode("the and")
    assert rows["version is 0.1"] != healthy().encode("the\tand")


DAMAGED = {
    "": "has no merges",
    "#version: 0.2\n": "has no merges",
    "#version: 0.2\na b\n\nc d\n": "line 3: '' is not two symbols",
    "a b\na  b\n": "line 2: 'a  b' is not two symbols",
    "#version: 0.3\na b\n": "is no version that is known: 0.1 and 0.2 are",
    "#version: \u0660.\u0662\na b": "is no version that is known",
}


@pytest.mark.parametrize("content", DAMAGED)
def test_a_damaged_file_is_an_error(content: str, load) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=DAMAGED[content]):
        load(content)


@pytest.mark.parametrize("line", ["ab", "ab x", "a b 1", " 1", "ab \u0661"])
def test_a_damaged_vocabulary_is_an_error(line: str, load) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=r"line 2: .* is not a subword and a count"):
        load("a b\n", f"a 1\n{line}\n")


def test_a_byte_order_mark_and_another_line_end_change_nothing(tmp_path: Path) -> None:
    path = written(tmp_path, f"\ufeff{file()}".replace("\n", "\r\n"))
    assert subword_nmt.load(path).codes == CODES
    path.write_bytes(b"a \xff\n")
    with pytest.raises(ValueError, match="is not UTF-8"):
        subword_nmt.load(path)


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[Engine, SubwordNMT]:
    from tokharness_tokenizers.adapters import subword_nmt_codes

    tokenizer = healthy()
    lines = "".join(f"{one} 1\n" for one in tokenizer.subwords if one.strip() == one != "<unk>")
    path = written(tmp_path_factory.mktemp("x"), file(), lines)
    return subword_nmt_codes.load(str(path)), subword_nmt.load(path)


@needs_library
@given(text=texts)
@settings(max_examples=300)
def test_the_library_gives_the_same_ids_and_text(
    both: tuple[Engine, SubwordNMT], text: str
) -> None:
    library, ours = both
    ids = ours.encode(text)
    assert library.encode(text) == ids
    assert library.decode(ids) == ours.decode(ids)


@needs_library
@given(merges, st.sampled_from(["0.1", "0.2"]), st.lists(st.text("ab@</w>", max_size=9)))
def test_the_library_makes_the_same_subwords_of_any_codes(
    pairs: list[tuple[str, str]], version: str, words: list[str]
) -> None:
    import io

    from subword_nmt.apply_bpe import BPE

    lines = [f"{left} {right}" for left, right in pairs]
    library = BPE(io.StringIO("\n".join([f"#version: {version}", *lines])))
    codes = Codes(tuple(pairs), version)
    for word in filter(None, words):
        subwords = codes.subwords(word)
        expected = [f"{one}@@" for one in subwords[:-1]] + subwords[-1:]
        assert library.segment_tokens([word]) == expected


@needs_library
@pytest.mark.slow
def test_codes_that_the_library_learned_give_its_subwords(tmp_path: Path) -> None:
    import io

    from subword_nmt.learn_bpe import learn_bpe

    from tokharness import plugins
    from tokharness.model import TargetFacts
    from tokharness_tokenizers.adapters import subword_nmt_codes

    facts = TargetFacts(profile="quick")
    family = plugins.families()["plain-words"].texts(facts)
    # A line end in a word would be in the codes, and neither the library nor we could read them.
    lines = [text for text in islice(family, 3000) if not {*text} & {*"\r\n"}]
    codes = io.StringIO()
    learn_bpe(lines, codes, 500)
    path = written(tmp_path, codes.getvalue())
    library, ours = subword_nmt_codes.load(str(path)), subword_nmt.load(path)
    for family in ("plain-words", "code", "emoji", "hangul", "white-space", "digits"):
        for text in islice(plugins.families()[family].texts(facts), 1000):
            assert library.encode(text) == ours.encode(text), ascii(text)
