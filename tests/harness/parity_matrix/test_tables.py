"""A target that shows its tokens alone is compared id by id, and nothing else of it is green."""

import pytest

import tokharness
from tokharness.errors import NothingCheckedError
from tokharness.parity_matrix.model import exit_code
from tokharness.parity_matrix.terminal import render
from tokharness.parity_matrix.words import verdict
from tokharness_tokenizers.vocabularies.locate import healthy_files

(FILE,) = healthy_files("byte-level-bpe/tokenizer.json")
TEXTS = ("ids", "decoded text", "offsets")

PROGRAM = f"""
from tokharness_tokenizers.adapters import reference_target

class Table:
    tokens_alone = True

    def __init__(self, change=lambda data: data, special=True):
        self._of = reference_target.load({FILE!r})
        self._change, self.n_vocab = change, self._of.n_vocab
        self.special_tokens = dict(self._of.special_tokens) if special else {{}}

    def encode(self, text):
        raise NotImplementedError

    decode = encode

    def decode_single_token_bytes(self, number):
        return self._change(self._of.decode_single_token_bytes(number))

def same():
    return Table()

def marked():
    return Table(lambda data: data.replace(b" ", b"\\xc4\\xa0"))

def without_special():
    return Table(special=False)

def empty():
    return Table(lambda data: b"")
"""


@pytest.fixture
def tables(tmp_path):
    path = tmp_path / "tables.py"
    path.write_text(PROGRAM)
    return lambda name: f"python:{path}:{name}"


def states(result, first, second):
    return {
        one.aspect: one.state for one in result.cells if (one.first, one.second) == (first, second)
    }


def test_a_table_like_that_of_the_file_is_the_same_and_shows_no_texts(compared, tables):
    result = compared(f"reference:{FILE}", tables("same"))
    assert exit_code(result, "bug") == 0
    assert result.causes == ()
    assert states(result, 0, 1) == {
        **dict.fromkeys(("token bytes", "special tokens"), "same"),
        **dict.fromkeys(TEXTS, "not comparable"),
    }
    assert {*TEXTS} == result.forms[1].lacks.keys()
    assert result.texts == 0


@pytest.mark.slow
def test_two_tables_with_one_fault_have_their_causes_and_two_others_run_texts(compared, tables):
    specs = (f"reference:{FILE}", tables("marked"), f"hf:{FILE}", tables("without_special"))
    result = compared(*specs)
    marks, special = result.causes[:2]
    assert (marks.name, marks.forms, marks.against) == ("U+0120 for a space", (1,), (0, 2))
    assert (special.name, special.forms) == ("special tokens stand for text", (3,))
    assert result.cell(1, 3, "token bytes").causes == (0,)
    assert result.cell(1, 3, "special tokens").causes == (1,)
    assert result.cell(0, 2, "ids").state == "same"
    assert result.forms[1].texts == 0 < result.forms[2].texts
    assert exit_code(result, "bug") == 1


def test_a_table_like_that_of_the_file_is_not_held_against_a_wrong_one(compared, tables):
    result = compared(f"reference:{FILE}", tables("marked"), tables("same"))
    (marks,) = result.causes
    assert (marks.forms, marks.against) == ((1,), (0, 2))
    assert result.cell(1, 2, "token bytes").causes == (0,)
    assert verdict(result) == ("apart", "1 bug, 0 risks")


def test_the_verdict_says_that_no_text_was_compared(compared, tables):
    result = compared(f"reference:{FILE}", tables("same"))
    word, reason = verdict(result)
    assert word == "in parity"
    assert reason.startswith("no difference in the tables of tokens; no text was compared; ")
    assert "quick profile: no text\n" in render(result, width=80)


def test_a_form_without_bytes_is_not_compared(compared, tables):
    result = compared(f"reference:{FILE}", tables("empty"))
    assert set(states(result, 0, 1).values()) == {"not comparable"}
    assert exit_code(result, "bug") == 2


@pytest.mark.parametrize(("name", "bugs"), [("same", []), ("marked", ["U+0120 for a space"])])
def test_the_vocabulary_of_a_table_is_checked_against_the_file(tables, name, bugs):
    options = {"select": ["TOK203"], "against": f"reference:{FILE}", "jobs": 0}
    report = tokharness.check(tables(name), **options)
    assert [dict(one.cause.parameters)["has"] for one in report.findings] == bugs


def test_checks_of_texts_alone_check_nothing(tables):
    with pytest.raises(NothingCheckedError, match="shows its tokens alone"):
        tokharness.check(tables("same"), select=["TOK101"], jobs=0)
