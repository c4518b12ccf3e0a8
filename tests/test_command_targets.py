"""Programs that serve every operation: healthy ones have no bug, and faults in one are found."""

import shlex
import sys
from pathlib import Path

import pytest

from tokharness.engine.events import FindingReported
from tokharness.model import Verdict

FOLDER = Path(__file__).parent
FAMILIES = ("special-tokens", "surrogates", "invalid-utf8")
SELECT = ("TOK101", "TOK102", "TOK107", "TOK108", "TOK11", "TOK2")

FAULTY = """
import sys
sys.path.insert(0, {folder!r})
import healthy_program
class Faulty(healthy_program.Operations):
{fault}
healthy_program.Operations = Faulty
healthy_program.main()
"""


@pytest.fixture
def bugs(events, summarize):
    """Return the bugs of a program, by default compared with our reference."""

    def run(arguments, **options):
        spec = "command:" + shlex.join([sys.executable, *map(str, arguments)])
        options = {"families": FAMILIES, "select": SELECT, "against": "reference", **options}
        reported = events(spec, examples=0, **options)
        findings = [event.finding for event in reported if isinstance(event, FindingReported)]
        return summarize([one for one in findings if one.verdict is Verdict.BUG])

    return run


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tokenizer", "against"),
    [
        (("reference",), "reference"),
        (("reference", "NFKD"), "reference"),
        (("embedded",), "reference"),
    ],
    ids=str,
)
def test_a_healthy_program_has_no_bug(bugs, tokenizer, against):
    assert bugs([FOLDER / "healthy_program.py", *tokenizer], against=against) == []


DROPS = 'text.replace("\\u200b", "")'


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        # Plain text goes to encode_ordinary, in a batch and alone.
        (
            f"    def encode_ordinary(self, text): return super().encode_ordinary({DROPS})",
            ["TOK101 dropped characters: U+200B ZERO WIDTH SPACE"],
        ),
        (
            f"    def encode(self, text): return super().encode({DROPS})",
            ["TOK110 entry points: encode"],
        ),
        # An exception in the rows of a batch is an exception.
        (
            "    def encode_batch(self, text): return super().encode_batch(text.encode('latin-1'))",
            ["TOK110 entry points: encode_batch"],
        ),
    ],
    ids=["encode_ordinary", "encode", "encode_batch"],
)
def test_a_fault_of_one_operation_is_found(bugs, tmp_path, fault, expected):
    program = tmp_path / "faulty.py"
    program.write_text(FAULTY.format(folder=str(FOLDER), fault=fault))
    select = ("TOK101", "TOK110")
    found = bugs([program, "reference"], families=("zero-width",), select=select, against="none")
    assert [one for one in found if one in expected] == expected


def refusing(operations):
    check = "        text.encode()\n"
    return "\n".join(
        f"    def {name}(self, text):\n{check}        return super().{name}(text)"
        for name in operations
    )


ENCODE = ("encode", "encode_ordinary", "encode_special", "encode_batch", "count")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("operations", "expected"),
    [
        ((*ENCODE, "encode_with_offsets"), []),
        (
            (*set(ENCODE) - {"encode_batch"}, "encode_with_offsets"),
            ["TOK110 lone surrogates: encode_batch"],
        ),
        (("encode_batch",), ["TOK110 lone surrogates: encode_batch"]),
    ],
    ids=["everywhere", "but not in batches", "in batches only"],
)
def test_lone_surrogates_are_refused_everywhere_or_nowhere(bugs, tmp_path, operations, expected):
    program = tmp_path / "refusing.py"
    program.write_text(FAULTY.format(folder=str(FOLDER), fault=refusing(operations)))
    found = bugs([program, "reference"], families=("surrogates",), select=("TOK102", "TOK110"))
    assert found == expected
