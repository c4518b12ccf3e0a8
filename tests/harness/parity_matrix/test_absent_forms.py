"""What a form does not do is said, fails the run, or is a finding; nothing found is lost."""

from types import SimpleNamespace

import pytest

from tokharness.config import Options
from tokharness.errors import PluginError
from tokharness.model import TokenRow
from tokharness.parity_matrix import cells, opened, running
from tokharness.parity_matrix.causes import Explainer
from tokharness.parity_matrix.model import exit_code
from tokharness.parity_matrix.running import parity
from tokharness.parity_matrix.vocabularies import compare_vocabularies
from tokharness_tokenizers.programs import starting
from tokharness_tokenizers.reference import ranks_file
from tokharness_tokenizers.reference.byte_bpe_training import train

RUNNING = SimpleNamespace(pool=SimpleNamespace(changed_file=lambda: None))
"""Workers of a form whose file stays as it is."""

PROGRAM = """
import os
from types import SimpleNamespace

def encode(text):
    return list(text.encode("utf-8", "replace"))

def decode(ids):
    return bytes(ids).decode("utf-8", "replace")

def plain():
    return SimpleNamespace(encode=encode, decode=decode)

same = plain

def other():
    return SimpleNamespace(encode=lambda text: encode(text.replace("7", "8")), decode=decode)

def refuses_sevens():
    def guarded(text):
        if "7" in text:
            raise ValueError("no")
        return encode(text)
    return SimpleNamespace(encode=guarded, decode=decode)

def ends_on_sevens():
    def guarded(text):
        if "7" in text:
            os._exit(3)
        return encode(text)
    return SimpleNamespace(encode=guarded, decode=decode)

def never_answers():
    return SimpleNamespace(encode=lambda text: os._exit(3), decode=decode)

def refuses_to_decode():
    def raising(ids):
        raise ValueError("no")
    return SimpleNamespace(encode=encode, decode=raising)

def broken():
    raise RuntimeError("broken")
"""


@pytest.fixture
def specs(tmp_path):
    path = tmp_path / "programs.py"
    path.write_text(PROGRAM)
    return lambda *names: [f"python:{path}:{name}" for name in names]


@pytest.mark.slow
def test_a_form_that_refuses_some_texts_alone_has_a_cause(specs, compared):
    result = compared(*specs("plain", "same", "refuses_sevens"))
    (cause,) = result.causes
    assert (cause.forms, cause.against, cause.text) == ((2,), (0, 1), "7")
    assert result.cell(0, 2, "ids").causes == (0,)
    assert exit_code(result, "bug") == 1


@pytest.mark.slow
def test_a_form_that_decodes_nothing_has_a_cause(specs, compared):
    result = compared(*specs("plain", "refuses_to_decode"))
    assert [one.aspect for one in result.causes] == ["decoded text"]
    assert exit_code(result, "bug") == 1


@pytest.mark.parametrize(("others", "found"), [(("same",), 0), (("other",), 1)])
def test_a_named_form_that_does_not_load_is_not_green(specs, compared, others, found):
    result = compared(*specs("plain", *others, "broken"))
    assert len(result.causes) == found
    (skip,) = result.unfinished
    assert "RuntimeError: broken" in skip.reason
    assert exit_code(result, "never") == 2


def test_an_engine_that_is_not_installed_is_only_said(specs, compared, monkeypatch, tmp_path):
    monkeypatch.setattr(starting, "find_node", lambda: None)
    (tmp_path / "a.tiktoken").write_bytes(b"YQ== 0\n")
    engine = f"engine:js-tiktoken:{tmp_path / 'a.tiktoken'}"
    result = compared(*specs("plain", "same"), engine)
    assert "needs Node.js, which is not installed" in result.forms[2].problem
    assert not result.forms[2].is_installed
    assert exit_code(result, "bug") == 0


@pytest.mark.needs("tiktoken")
def test_a_library_that_does_not_load_what_its_reference_reads_is_a_finding(compared, tmp_path):
    words = ["hello world " * 50]
    vocabulary = train(words, vocab_size=270, pattern=r"\X|\w+|\s+", unicode_version="16.0")
    ranks_file.save(tmp_path / "refused.tiktoken", vocabulary)
    path = tmp_path / "refused.tiktoken"
    result = compared(f"tiktoken:{path}", f"reference:{path}")
    assert [one.name for one in result.causes] == ["does not load: ValueError"]
    assert not result.unfinished
    assert exit_code(result, "bug") == 1


def test_a_reference_of_ours_that_does_not_read_a_file_of_a_folder_is_only_said(specs, monkeypatch):
    forms = [
        opened.Opened("hf:a.json", workers=RUNNING),
        opened.Opened("reference:a.json", problem="it has a component that is not read"),
    ]
    monkeypatch.setattr(
        opened.Opened, "reference", property(lambda form: "reference:" + form.spec[-6:])
    )
    assert [len(list(cells.unfinished(forms, [], named=named))) for named in (True, False)] == [
        1,
        0,
    ]


@pytest.mark.parametrize(("named", "found"), [(True, 1), (False, 0)])
def test_an_engine_that_reads_a_part_of_a_format_fails_only_where_it_is_named(
    named, found, monkeypatch
):
    monkeypatch.setattr(opened, "counterpart", lambda _: "reference:a.json")
    monkeypatch.setattr(cells, "counterpart", lambda _: "hf:a.json")
    forms = [
        opened.Opened("reference:a.json", workers=RUNNING),
        opened.Opened("engine:partial:a.json", problem="it refuses it", failure="Error"),
    ]
    causes = list(cells.failing_forms(forms, named=named))
    assert len(causes) == found
    assert not list(cells.unfinished(forms, causes, named=named))


def test_an_id_of_which_a_form_shows_nothing_is_no_other_token():
    whole = [TokenRow(number, bytes=bytes([number])) for number in range(256)]
    rows = [*whole[:77], TokenRow(77), *whole[78:]]
    forms = [
        opened.Opened(name, workers=RUNNING, rows=of) for name, of in (("a", whole), ("b", rows))
    ]
    tables = compare_vocabularies(forms, str)
    assert not tables.causes
    (skip,) = cells.unfinished(forms, [], named=True)
    assert (skip.spec, skip.what, skip.unfinished) == ("b", "1 id", False)


def _raise(error):
    def raising(*_, **__):
        raise error

    return raising


@pytest.mark.parametrize("error", [PluginError("a family fails"), KeyboardInterrupt()])
@pytest.mark.parametrize(
    "place", [(Explainer, "explain"), (running, "_with_tokens"), (running._References, "judge")]
)
def test_what_was_found_is_kept(specs, compared, monkeypatch, error, place):
    monkeypatch.setattr(*place, _raise(error))
    result = compared(*specs("plain", "other"))
    assert result.cell(0, 1, "ids").state == "differs"
    assert len(result.causes) == (place[1] != "explain")
    is_error = isinstance(error, PluginError)
    assert exit_code(result, "bug") == (2 if is_error else 130)


@pytest.mark.slow
def test_forms_that_end_their_process_have_causes(specs):
    options = Options(profile="quick", examples=0, families=("digits",), time_limit=5)
    result = parity(specs("plain", "ends_on_sevens", "never_answers"), options, jobs=1)
    names = [(one.name, one.forms) for one in result.causes]
    assert names == [("ends or hangs its process", (1,)), ("no answer: exit code 3", (2,))]
    assert any("resemble" in one.reason for one in result.skips)
    assert exit_code(result, "bug") == 1
