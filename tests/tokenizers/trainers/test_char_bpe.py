"""``--model char-bpe``: the codes of subword-nmt, learned by us."""

from __future__ import annotations

import io
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from tokharness.errors import UsageError
from tokharness.training import TrainingOptions
from tokharness_tokenizers.trainers import char_bpe

if TYPE_CHECKING:
    from pathlib import Path

    from tokharness.training import TrainingResult

TEXT = "low low low low low lower lower newest newest newest newest newest newest widest\n" * 3


def train(path: Path, texts: list[str], vocab_size: int) -> TrainingResult:
    return char_bpe.train(texts, path, TrainingOptions(vocab_size), str)


@pytest.mark.needs("subword-nmt", "0.3")
def test_the_file_is_that_of_subword_nmt_and_loads_there(tmp_path: Path) -> None:
    from subword_nmt.apply_bpe import BPE
    from subword_nmt.learn_bpe import learn_bpe

    result = train(tmp_path / "codes", [TEXT], 22)
    codes = io.StringIO()
    learn_bpe(io.StringIO(TEXT), codes, 22, total_symbols=True)
    assert (tmp_path / "codes").read_text(encoding="utf-8") == codes.getvalue()
    assert (result.tokens, result.notes) == (22, ())
    loaded = BPE(io.StringIO(codes.getvalue()))
    assert loaded.process_line("lowest newest") == "lo@@ west newest"
    lines = [line.split(" ") for line in (tmp_path / "codes.vocab").read_text().splitlines()]
    used = {subword: int(count) for subword, count in lines if count != "0"}
    assert len(lines) == 22
    assert used == Counter(" ".join(map(loaded.process_line, TEXT.splitlines())).split())


def test_characters_outside_ascii_and_odd_spaces_are_written_as_they_are(tmp_path: Path) -> None:
    train(tmp_path / "codes", ["a\u00a0\t\U0001f600 a\u00a0\t\U0001f600"], 9)
    lines = (tmp_path / "codes").read_bytes().decode().split("\n")
    assert lines[1:-1] == ["\u00a0 \t", "\u00a0\t \U0001f600</w>", "a \u00a0\t\U0001f600</w>"]


def test_a_word_of_one_character_is_in_the_vocabulary(tmp_path: Path) -> None:
    train(tmp_path / "codes", ["I I a ab"], 9)
    vocabulary = (tmp_path / "codes.vocab").read_text()
    assert vocabulary == "a@@ 1\nI 2\na 1\nb 1\n"


def test_a_word_with_the_mark_of_the_end_is_left_out(tmp_path: Path) -> None:
    result = train(tmp_path / "codes", ["ab ab a</w>b"], 9)
    assert "left out, as </w> is the mark of the end: 1 word" in result.notes
    assert (tmp_path / "codes").read_text() == "#version: 0.2\na b</w>\n"


@pytest.mark.parametrize(
    ("texts", "size", "message"),
    [
        (["ab"], 0, "--vocab-size is at least 1, not 0"),
        (
            ["ab"],
            1,
            "1 token is too small for the 2 tokens of single characters: use --vocab-size 2",
        ),
        ([" \n"], 9, "the corpus has no words: there is nothing"),
        ([], 9, "the corpus is empty"),
    ],
)
def test_what_cannot_be_trained_is_an_error_and_writes_nothing(
    tmp_path: Path, texts: list[str], size: int, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        train(tmp_path / "codes", texts, size)
    assert not list(tmp_path.iterdir())
