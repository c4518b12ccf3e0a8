"""TOK411: tokens that a corpus has only inside of longer tokens."""

import pytest
from planted._byte_tokens import bytes_and

from tokharness.diagnosis.vocabulary import corpus as corpus_module
from tokharness.diagnosis.vocabulary.corpus import corpus_use
from tokharness.errors import UsageError
from tokharness.model import target_of
from tokharness.targets.subject import Subject

CODE = "TOK411"
LARGE = "the other theme " * 300


@pytest.fixture
def written(tmp_path):
    """Write the files of a corpus, and return the path of the folder."""

    def write(**files):
        for name, content in files.items():
            data = content if isinstance(content, bytes) else content.encode()
            path = tmp_path / name.replace("__", "/")
            path.parent.mkdir(exist_ok=True)
            path.with_suffix(".txt").write_bytes(data)
        return str(tmp_path)

    return write


@pytest.fixture
def counts(written):
    """Return how often each id is in a corpus of files."""

    def of(*texts, **files):
        subject = Subject(target_of("target", bytes_and(*texts)), corpus=written(**files))
        return {number: count for number, count in corpus_use(subject).counts.items() if count}

    return of


def test_a_token_that_is_only_inside_of_longer_ones_is_a_risk(check_texts, written):
    findings = check_texts(CODE, bytes_and("th", "the", "them"), corpus=written(a=LARGE))
    (risk,) = findings.risks
    assert (str(risk.cause), risk.count, risk.text) == ("residue tokens", 1, "th")
    assert risk.evidence["examples"] == [
        {"token": "th", "its id": 256, "times": 900, "inside of": "the", "id of that": 257}
    ]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"{LARGE} th", id="the corpus has it as a token"),
        pytest.param("abcdefgh" * 400, id="its text is not there"),
        pytest.param("the " + "abcdefgh" * 400, id="its text is there once"),
    ],
)
def test_other_tokens_are_no_risk(check_texts, written, text):
    assert check_texts(CODE, bytes_and("th", "the"), corpus=written(a=text)).risks == []


def test_a_small_corpus_gives_the_fact_alone(check_texts, written):
    (fact,) = check_texts(CODE, bytes_and("th", "the"), corpus=written(a="the other " * 150))
    assert (fact.verdict, str(fact.cause)) == ("fact", "use of the vocabulary")
    assert "too few to judge" in fact.message


def test_the_fact_has_what_the_corpus_uses(check_texts, written):
    (fact,) = check_texts(CODE, bytes_and("ab"), corpus=written(a="ab ab c")).facts
    assert fact.evidence == {
        "bytes": 7,
        "tokens of the corpus": 5,
        "tokens": 257,
        "used": 3,
        "used once": 1,
        "never used": 254,
    }


def test_the_texts_of_a_folder_are_counted_together(counts):
    assert counts(a="ab", b__c="b") == {ord("a"): 1, ord("b"): 2}


def test_a_corpus_is_read_up_to_a_bound(counts, check_texts, written, monkeypatch):
    monkeypatch.setattr(corpus_module, "MOST_BYTES", 4)
    assert counts(a="a\u00e9\u00e9", b="b") == {ord("a"): 1, 0xC3: 1, 0xA9: 1}
    (fact,) = check_texts(CODE, bytes_and(), corpus=written())
    assert fact.message.startswith("the first 3 bytes of the corpus are 3 tokens")


def test_a_text_is_divided_after_a_line_or_else_before_a_space(monkeypatch):
    monkeypatch.setattr(corpus_module, "PIECE", 8)
    text = "line\nlonger words without end"
    assert list(corpus_module._pieces(text)) == ["line\n", "longer", " words", " without", " end"]
    assert list(corpus_module._pieces("0123456789")) == ["01234567", "89"]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "has no file named *.txt: name files"),
        ({"a": ""}, "is empty: it needs texts"),
        ({"a": b"ok\n\xff"}, "line 2 of the corpus .*a.txt is not UTF-8: convert the file"),
    ],
)
def test_a_corpus_that_cannot_be_read_is_an_error_of_one_sentence(counts, files, message):
    with pytest.raises(UsageError, match=message.replace("*.", r"\*.") if not files else message):
        counts(**files)


def test_a_missing_corpus_is_an_error_of_one_sentence(tmp_path):
    subject = Subject(target_of("target", bytes_and()), corpus=str(tmp_path / "missing"))
    with pytest.raises(UsageError, match=r"no file matches '.*missing'"):
        corpus_use(subject)


def test_a_pattern_names_files_of_any_suffix_and_json_lines(tmp_path):
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "a.md").write_text("one")
    (tmp_path / "b.jsonl").write_text('{"text": "two"}\n"three"\n')
    texts = [text for text, *_ in corpus_module.texts_of_corpus(f"{tmp_path}/**/*.*")]
    assert texts == ["two\nthree", "one"]
    with pytest.raises(UsageError, match=r"such as '.*\*\*/\*\.jsonl'"):
        list(corpus_module.texts_of_corpus(str(tmp_path)))
