"""Each defect of a vocabulary is reported once, by its name.

The defects are edited into the rank file or the side file of a small trained vocabulary, which is
then checked with tiktoken's engine and with our reference.
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
from tokharness_tokenizers.reference.ranks_file import side_path
from tokharness_tokenizers.vocabularies.make_small import standard_library

pytestmark = pytest.mark.slow

SIZE = 700
FIRST, SECOND = "<|first|>", "<|second|>"
MERGED_DIGITS = O200K.replace(r"[\p{N}]{1,3}", r"[\p{N}]+")
NUMBERS = "20240101 20240102 10000000 65536\n" * 20
SCHEMES = pytest.mark.parametrize("scheme", ["tiktoken", "reference"])
IGNORED = ("TOK109", "TOK303")
"""Slow checks, and one that reports the high costs of texts in any small vocabulary."""

BYTE = "TOK403 byte without a token: "
TWICE = "TOK406 duplicate tokens"
NEVER = "TOK401 unreachable tokens"
SHARED = "shared special id: an ordinary token"
MERGED = "TOK302 tokens of merged digits"
SAME_LENGTH = "TOK302 same length, other tokens"
"""Reported for any trained vocabulary, since only some numbers of a length are frequent."""


@pytest.fixture(scope="session")
def trained_paths(tmp_path_factory):
    """Train a small vocabulary, and one with merged digits; return their paths by pattern."""
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
def edited(trained_paths, tmp_path):
    """Write a copy of the vocabulary with an edited list of tokens and ids, and side file."""

    def write(edit=lambda lines: lines, trained_with=O200K, **side):
        path = trained_paths[trained_with]
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
def problems(events, summarize):
    """Return the bugs and risks of a file, each as the code of its check and its cause."""

    def findings(path, scheme, *families):
        options = {"families": families, "ignore": IGNORED, "against": None, "examples": 0}
        run_events = events(f"{scheme}:{path}", **options)
        reported = [event.finding for event in run_events if isinstance(event, FindingReported)]
        of_file = [item for item in reported if not item.library]
        return summarize(item for item in of_file if item.verdict is not Verdict.FACT)

    return findings


def remove(byte):
    """Remove the line of a byte, so that its id is a hole."""
    return lambda lines: [line for line in lines if line[0] != bytes([byte])]


def remove_and_renumber(byte):
    """Remove the line of a byte, and renumber the others."""
    return lambda lines: [(token, n) for n, (token, _) in enumerate(remove(byte)(lines))]


def add(token, number=SIZE + 2):
    """Add a line."""
    return lambda lines: [*lines, (token, number)]


def replace(token, number):
    """Give an id to another token."""
    return lambda lines: [(token, n) if n == number else (old, n) for old, n in lines]


def apply_both(first, second):
    return lambda lines: second(first(lines))


def ignore_numbers(summaries):
    """Leave out the risk that only some numbers of a length are one token."""
    return [summary for summary in summaries if not summary.startswith(SAME_LENGTH)]


@SCHEMES
def test_only_the_numbers_of_a_healthy_vocabulary_are_reported(edited, problems, scheme):
    assert ignore_numbers(problems(edited(), scheme, SMALLEST_FAMILY, "digits", "controls")) == []


@pytest.mark.slow(every=4)
@SCHEMES
@pytest.mark.parametrize(
    ("edit", "family", "expected"),
    [
        pytest.param(remove(0x01), "controls", f"{BYTE}01", id="a byte is a hole"),
        pytest.param(
            remove_and_renumber(0x01),
            "controls",
            f"{BYTE}01",
            id="a byte is left out, and ids are renumbered",
        ),
        pytest.param(
            apply_both(remove(0x01), remove(0x7F)),
            "controls",
            f"{BYTE}01 7F",
            id="two bytes are left out",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            remove(0xF4),
            "new-code-points",
            f"{BYTE}F4",
            id="a byte of few characters",
            marks=pytest.mark.slow,
        ),
        pytest.param(add(b" the"), SMALLEST_FAMILY, TWICE, id="a token on a second line"),
        pytest.param(
            replace(b" the", 600),
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
        pytest.param(
            add(b"e t"), SMALLEST_FAMILY, NEVER, id="a token across the border of pre-tokens"
        ),
        pytest.param(add(b"\xff\xfe"), SMALLEST_FAMILY, NEVER, id="a token that is in no text"),
        pytest.param(
            replace(b"zq. Xy", 600), SMALLEST_FAMILY, NEVER, id="a token that is never merged"
        ),
    ],
)
def test_a_defect_is_the_only_finding(edited, problems, scheme, edit, family, expected):
    assert ignore_numbers(problems(edited(edit), scheme, family)) == [expected]


@SCHEMES
def test_digits_merged_against_the_pattern_of_the_side_file_are_reported(edited, problems, scheme):
    path = edited(trained_with=MERGED_DIGITS, pattern=O200K)
    assert ignore_numbers(problems(path, scheme, "digits")) == [MERGED]


@SCHEMES
def test_digits_merged_in_some_numbers_only_are_reported(edited, problems, scheme):
    (summary,) = problems(edited(trained_with=MERGED_DIGITS), scheme, "digits")
    assert summary == "TOK302 no digit policy"


@SCHEMES
@pytest.mark.parametrize(
    ("token", "code", "also"), [(b"e t", "TOK407", [NEVER]), (b" the", "TOK103", [TWICE])]
)
def test_a_line_with_the_id_of_a_special_token_is_reported(
    edited, problems, scheme, token, code, also
):
    reported = ignore_numbers(problems(edited(add(token, SIZE)), scheme, SMALLEST_FAMILY))
    assert reported == [f"{code} {SHARED}", *also]


@SCHEMES
def test_two_special_tokens_with_one_id_are_reported(edited, problems, scheme):
    path = edited(special_tokens={FIRST: SIZE, SECOND: SIZE})
    expected = "TOK407 shared special id: another special token"
    assert ignore_numbers(problems(path, scheme, SMALLEST_FAMILY)) == [expected]


@SCHEMES
def test_a_missing_byte_of_most_words_is_one_finding(edited, problems, scheme):
    assert ignore_numbers(problems(edited(remove(ord("e"))), scheme, SMALLEST_FAMILY, "code")) == [
        f"{BYTE}65"
    ]


def test_a_missing_byte_is_one_finding_in_a_run_of_many_families(edited, problems):
    families = ("class-ngrams", "hangul", "invalid-utf8", "normal-forms")
    assert ignore_numbers(problems(edited(remove(0xE4)), "tiktoken", *families)) == [f"{BYTE}E4"]


def test_a_target_in_a_separate_process_has_conflicting_tokens(edited):
    target = guarded_target(f"tiktoken:{edited(add(b' the'))}")
    try:
        assert list(target.conflicting_tokens.values()) == [b" the"]
    finally:
        target.close()


@pytest.mark.parametrize(
    ("edit", "fail_on", "code"),
    [
        pytest.param(add(b"zqx"), "bug", 0, id="a healthy one"),
        pytest.param(remove(0x01), "bug", 1, id="a missing byte"),
        pytest.param(add(b" the"), "bug", 1, id="a token twice"),
        pytest.param(add(b"e t"), "bug", 0, id="an unreachable token"),
        pytest.param(add(b"e t"), "risk", 1, id="an unreachable token is a risk"),
        pytest.param(lambda lines: lines[:300], "never", 2, id="truncated"),
    ],
)
def test_the_exit_code_of_the_command(edited, monkeypatch, capsys, edit, fail_on, code):
    run_options = ("--family", "controls", "--profile", "quick", "--examples", "0", "--jobs", "0")
    gate_options = ("--fail-on", fail_on, "--ignore", ",".join((*IGNORED, "TOK302")))
    argv = ["tokharness", "check", f"tiktoken:{edited(edit)}", *run_options, *gate_options]
    monkeypatch.setattr("sys.argv", argv)
    with pytest.raises(SystemExit) as exit_info:
        cli.main()
    assert (exit_info.value.code or 0) == code
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        pytest.param(lambda lines: lines[:300], "seems to be truncated", id="the end is missing"),
        pytest.param(
            lambda lines: lines[:100], "seems to be truncated", id="most lines are missing"
        ),
        pytest.param(lambda _: [], "is empty", id="empty"),
        pytest.param(add(b"zq", 5), "rank 5 is already on line 6", id="two tokens with one id"),
        pytest.param(add(b"zq", 10**6), "a rank must be wrong", id="an id far away"),
        pytest.param(add(b"zq", 2**32), "not a whole number from 0", id="an id of 33 bits"),
    ],
)
@pytest.mark.parametrize("adapter", [tiktoken_engine, reference_target])
def test_a_damaged_file_is_an_error_of_one_sentence(edited, adapter, edit, message):
    path = edited(edit)
    with pytest.raises(VocabularyError, match=message) as caught:
        adapter.load(str(path))
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
