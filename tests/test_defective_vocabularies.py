"""A vocabulary that was trained here and has a defect is told by the name of the defect, once.

Each defect is made by hand in the file of ranks, or in its side file, and the whole line is run on
it, as a target of tiktoken's engine and of ours.
"""

import base64
import json
from itertools import islice

import pytest

from tokharness import cli
from tokharness.engine.events import FindingReported
from tokharness.engine.run.selection import SMALLEST_FAMILY
from tokharness.errors import VocabularyError
from tokharness.model import Verdict
from tokharness.targets.loading import guarded_target
from tokharness_tokenizers.adapters import reference_target, tiktoken_engine
from tokharness_tokenizers.reference import ranks_file
from tokharness_tokenizers.reference.byte_bpe_training import train
from tokharness_tokenizers.reference.patterns import O200K
from tokharness_tokenizers.reference.side_file import side_path
from tokharness_tokenizers.vocabularies.corpus import standard_library

pytestmark = pytest.mark.slow

SIZE = 700
FIRST, SECOND = "<|first|>", "<|second|>"
MERGED_DIGITS = O200K.replace(r"[\p{N}]{1,3}", r"[\p{N}]+")
NUMBERS = "20240101 20240102 10000000 65536\n" * 20
SCHEMES = pytest.mark.parametrize("scheme", ["tiktoken", "reference"])
LEFT_OUT = ("TOK109", "TOK303")
"""They take long, or find in any small vocabulary what costs more than its twin."""

BYTE = "TOK403 byte without a token: "
TWICE = "TOK406 duplicate tokens"
NEVER = "TOK401 token not its own encoding"
SHARED = "shared special id: an ordinary token"
MERGED = "TOK302 tokens of merged digits"
SAME_LENGTH = "TOK302 same length, other tokens"
"""Told of any vocabulary that is learned: some numbers of a length are frequent, others are not."""


@pytest.fixture(scope="session")
def trained(tmp_path_factory):
    """Write a small vocabulary, and one with merged digits; give their paths by their patterns."""
    texts = [*islice(standard_library(), 15), NUMBERS]
    paths = {}
    for number, pattern in enumerate((O200K, MERGED_DIGITS)):
        paths[pattern] = tmp_path_factory.mktemp("trained") / f"small{number}.tiktoken"
        vocabulary = train(
            texts,
            vocab_size=SIZE,
            pattern=pattern,
            special_tokens=(FIRST, SECOND),
            unicode_version="16.0",
        )
        ranks_file.save(paths[pattern], vocabulary)
    return paths


@pytest.fixture
def edited(trained, tmp_path):
    """Write the vocabulary again with other lines, tokens and their ids, and another side file."""

    def write(edit=lambda lines: lines, trained_with=O200K, **side):
        path = trained[trained_with]
        fields = [line.split() for line in path.read_bytes().splitlines()]
        lines = edit([(base64.b64decode(token), int(number)) for token, number in fields])
        new = tmp_path / "edited.tiktoken"
        written = [b"%s %d\n" % (base64.b64encode(token), number) for token, number in lines]
        new.write_bytes(b"".join(written))
        content = json.loads(side_path(path).read_bytes()) | {"sha256": None} | side
        side_path(new).write_text(json.dumps(content))
        return new

    return write


@pytest.fixture
def told_of(events, told):
    """Bugs and risks of a file, each as the code of its check and its cause."""

    def findings(path, scheme, *families):
        options = {"families": families, "ignore": LEFT_OUT, "against": None, "examples": 0}
        seen = events(f"{scheme}:{path}", **options)
        found = [event.finding for event in seen if isinstance(event, FindingReported)]
        return told(one for one in found if one.verdict is not Verdict.BY_DESIGN)

    return findings


def without(byte):
    """Take the line of a byte out; its id is a hole."""
    return lambda lines: [line for line in lines if line[0] != bytes([byte])]


def renumbered(byte):
    """Take the line of a byte out, and count the others anew."""
    return lambda lines: [(token, n) for n, (token, _) in enumerate(without(byte)(lines))]


def more(token, number=SIZE + 2):
    """Add a line."""
    return lambda lines: [*lines, (token, number)]


def instead(token, number):
    """Give an id to another token."""
    return lambda lines: [(token, n) if n == number else (old, n) for old, n in lines]


def both(first, second):
    return lambda lines: second(first(lines))


def names(found):
    """What is told beside that some numbers are one token."""
    return [one for one in found if not one.startswith(SAME_LENGTH)]


@SCHEMES
def test_of_a_healthy_vocabulary_only_its_numbers_are_told(edited, told_of, scheme):
    assert names(told_of(edited(), scheme, SMALLEST_FAMILY, "digits", "controls")) == []


@SCHEMES
@pytest.mark.parametrize(
    ("edit", "family", "expected"),
    [
        pytest.param(without(0x01), "controls", f"{BYTE}01", id="a byte is a hole"),
        pytest.param(renumbered(0x01), "controls", f"{BYTE}01", id="a byte is left out"),
        pytest.param(
            both(without(0x01), without(0x7F)),
            "controls",
            f"{BYTE}01 7F",
            id="two bytes are left out",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            without(0xF4),
            "new-code-points",
            f"{BYTE}F4",
            id="a byte of few characters",
            marks=pytest.mark.slow,
        ),
        pytest.param(more(b" the"), SMALLEST_FAMILY, TWICE, id="a token on a second line"),
        pytest.param(
            instead(b" the", 600),
            SMALLEST_FAMILY,
            TWICE,
            id="a token in place of another",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            lambda lines: [(b" the", SIZE + 2), *lines],
            SMALLEST_FAMILY,
            TWICE,
            id="a second id first",
            marks=pytest.mark.slow,
        ),
        pytest.param(more(b"e t"), SMALLEST_FAMILY, NEVER, id="a token across the border of pre-tokens"),
        pytest.param(more(b"\xff\xfe"), SMALLEST_FAMILY, NEVER, id="a token that is in no text"),
        pytest.param(instead(b"zq. Xy", 600), SMALLEST_FAMILY, NEVER, id="a token that is never merged"),
    ],
)
def test_a_defect_is_told_by_its_name_and_nothing_else_is(
    edited, told_of, scheme, edit, family, expected
):
    assert names(told_of(edited(edit), scheme, family)) == [expected]


@SCHEMES
def test_digits_merged_otherwise_than_the_side_file_says_are_told(edited, told_of, scheme):
    path = edited(trained_with=MERGED_DIGITS, pattern=O200K)
    assert names(told_of(path, scheme, "digits")) == [MERGED]


@SCHEMES
def test_digits_merged_some_ways_and_not_others_are_told(edited, told_of, scheme):
    (found,) = told_of(edited(trained_with=MERGED_DIGITS), scheme, "digits")
    assert found.startswith(SAME_LENGTH)


@SCHEMES
@pytest.mark.parametrize(
    ("token", "code", "also"), [(b"e t", "TOK407", [NEVER]), (b" the", "TOK103", [TWICE])]
)
def test_a_line_with_the_id_of_a_special_token_is_told(edited, told_of, scheme, token, code, also):
    found = names(told_of(edited(more(token, SIZE)), scheme, SMALLEST_FAMILY))
    assert found == [f"{code} {SHARED}", *also]


@SCHEMES
def test_two_special_tokens_with_one_id_are_told(edited, told_of, scheme):
    path = edited(special_tokens={FIRST: SIZE, SECOND: SIZE})
    expected = "TOK407 shared special id: another special token"
    assert names(told_of(path, scheme, SMALLEST_FAMILY)) == [expected]


@SCHEMES
def test_a_byte_of_most_words_is_one_finding_too(edited, told_of, scheme):
    assert names(told_of(edited(without(ord("e"))), scheme, SMALLEST_FAMILY, "code")) == [f"{BYTE}65"]


@SCHEMES
def test_a_missing_byte_is_one_finding_in_a_run_of_all_families(edited, told_of, scheme):
    assert names(told_of(edited(without(0xE4)), scheme)) == [f"{BYTE}E4"]


def test_what_a_file_says_twice_is_known_of_a_target_in_a_process_of_its_own(edited):
    target = guarded_target(f"tiktoken:{edited(more(b' the'))}")
    try:
        assert list(target.contested.values()) == [b" the"]
    finally:
        target.close()


@pytest.mark.parametrize(
    ("edit", "fail_on", "code"),
    [
        pytest.param(more(b"zqx"), "bug", 0, id="a healthy one"),
        pytest.param(without(0x01), "bug", 1, id="a missing byte"),
        pytest.param(more(b" the"), "bug", 1, id="a token twice"),
        pytest.param(more(b"e t"), "bug", 0, id="a token that no text gives"),
        pytest.param(more(b"e t"), "risk", 1, id="a token that no text gives is a risk"),
        pytest.param(lambda lines: lines[:300], "never", 2, id="cut off"),
    ],
)
def test_the_command_exits_with_what_was_found(edited, monkeypatch, capsys, edit, fail_on, code):
    words = ("--family", "controls", "--profile", "quick", "--examples", "0", "--jobs", "0")
    chosen = ("--fail-on", fail_on, "--ignore", ",".join((*LEFT_OUT, "TOK302")))
    argv = ["tokharness", "check", f"tiktoken:{edited(edit)}", *words, *chosen]
    monkeypatch.setattr("sys.argv", argv)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert (ended.value.code or 0) == code
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        pytest.param(lambda lines: lines[:300], "seems to be cut off", id="the end is cut off"),
        pytest.param(lambda lines: lines[:100], "seems to be cut off", id="most is cut off"),
        pytest.param(lambda _: [], "is empty", id="empty"),
        pytest.param(more(b"zq", 5), "rank 5 is on line 6 too", id="two tokens with one id"),
        pytest.param(more(b"zq", 10**6), "a rank must be wrong", id="an id far away"),
        pytest.param(more(b"zq", 2**32), "not a whole number from 0", id="an id of 33 bits"),
    ],
)
@pytest.mark.parametrize("adapter", [tiktoken_engine, reference_target])
def test_a_damaged_file_is_an_error_of_one_sentence(edited, adapter, edit, message):
    path = edited(edit)
    with pytest.raises(VocabularyError, match=message) as caught:
        adapter.load(str(path))
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
