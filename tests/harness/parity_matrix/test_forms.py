"""Forms that fail have a column that says so, and nothing unseen is green."""

from collections import Counter
from hashlib import sha256
from types import SimpleNamespace

import pytest
from parity_conversions import bpe

from tokharness.errors import TargetError, UsageError
from tokharness.parity_matrix import files
from tokharness.parity_matrix.model import exit_code
from tokharness.parity_matrix.special import of_plain_parts
from tokharness.parity_matrix.stages import stage_of
from tokharness.parity_matrix.texts import WIDTH, differs, pattern_of
from tokharness_tokenizers.vocabularies.locate import healthy_files

PROGRAM = """
from types import SimpleNamespace

def plain():
    return SimpleNamespace(encode=lambda text: list(text.encode("utf-8", "replace")),
                           decode=lambda ids: bytes(ids).decode("utf-8", "replace"))

def refuses():
    def encode(text):
        raise ValueError("no")
    return SimpleNamespace(encode=encode, decode=str)

def broken():
    raise RuntimeError("broken")

def table(mark=b" "):
    def token(number):
        return mark if number == 32 else bytes([number])
    return SimpleNamespace(**vars(plain()), decode_single_token_bytes=token, n_vocab=256)

def marked():
    return table(b"_")

def lossy():
    texts = {0: "##", 1: "####", 2: chr(0xFFFD), 3: "", 4: "a"}
    return SimpleNamespace(**vars(plain()), token_text=texts.__getitem__, n_vocab=5)

def whole():
    rows = [b"##", b"####", bytes([0xC3]), chr(0xFEFF).encode(), chr(0xFEFF).encode() + b"a"]
    return SimpleNamespace(**vars(plain()), decode_single_token_bytes=rows.__getitem__, n_vocab=5)

def written():
    texts = {0: "##", 1: "\u2581a", 2: "<0xC3>", 3: "\u0120b", 4: "\u00c3\u00a9"}
    return SimpleNamespace(**vars(plain()), token_text=texts.__getitem__, n_vocab=5)

def decoded():
    texts = {0: "##", 1: " a", 2: chr(0xFFFD), 3: " b", 4: "\u00e9"}
    return SimpleNamespace(**vars(plain()), token_text=texts.__getitem__, n_vocab=5)

def other_text():
    texts = {0: "##", 1: " a", 2: chr(0xFFFD), 3: " c", 4: "\u00e9"}
    return SimpleNamespace(**vars(plain()), token_text=texts.__getitem__, n_vocab=5)

def in_bytes():
    rows = [b"##", b" a", bytes([0xC3]), b" b", bytes([0xC3, 0xA9])]
    return SimpleNamespace(**vars(plain()), decode_single_token_bytes=rows.__getitem__, n_vocab=5)

def by_bytes():
    def spans(text):
        ids = text.encode("utf-8", "replace")
        return list(ids), [(at, at + 1) for at in range(len(ids))]
    return SimpleNamespace(**vars(plain()), encode_with_offsets=spans)

def by_code_points():
    def spans(text):
        rows = [(byte, (at, at + 1)) for at, one in enumerate(text)
                for byte in one.encode("utf-8", "replace")]
        return [byte for byte, _ in rows], [span for _, span in rows]
    return SimpleNamespace(**vars(plain()), encode_with_offsets=spans)
"""


@pytest.fixture
def programs(tmp_path):
    path = tmp_path / "programs.py"
    path.write_text(PROGRAM)
    return lambda *names: [f"python:{path}:{name}" for name in names]


def test_a_form_that_does_not_load_leaves_the_others(programs, compared, tmp_path):
    plain, broken = programs("plain", "broken")
    result = compared(plain, broken, f"hf:{tmp_path / 'missing.json'}", families=("digits",))
    assert [one.is_loaded for one in result.forms] == [True, False, False]
    assert "RuntimeError: broken" in result.forms[1].problem
    assert "missing.json" in result.forms[2].problem
    assert {one.state for one in result.cells} == {"not comparable"}
    assert exit_code(result, "bug") == 2


def test_what_a_form_cannot_show_is_not_comparable(programs, compared):
    plain, refuses, other = programs("plain", "refuses", "by_bytes")
    result = compared(plain, refuses, other, families=("digits",))
    assert result.cell(0, 2, "ids").state == "same"
    assert result.cell(0, 1, "ids").state == "not comparable"
    assert "refuses every text" in result.cell(0, 1, "ids").reason
    assert result.cell(0, 2, "offsets").reason.endswith("it has no encode_with_offsets")
    assert result.cell(0, 2, "token bytes").reason.endswith("it shows no tokens")
    assert exit_code(result, "bug") == 0


@pytest.mark.slow
def test_offsets_are_compared_where_the_ids_are_the_same(programs, compared):
    result = compared(*programs("by_code_points", "by_bytes"), families=("plain-words",))
    assert result.cell(0, 1, "ids").state == "same"
    (cause,) = result.causes
    assert (cause.aspect, cause.name, cause.forms) == ("offsets", "offsets: bytes of UTF-8", (1,))


@pytest.mark.slow
def test_tables_are_compared_id_by_id(programs, compared):
    result = compared(*programs("table", "marked", "table"), families=("digits",))
    (cause,) = result.causes
    assert (cause.aspect, cause.name) == ("token bytes", "ids with other tokens")
    assert cause.message == "1 id stands for other tokens: 32 (' ', here '_')"
    assert result.cell(0, 1, "ids").state == "same"


def test_a_table_of_decoded_texts_is_compared_with_bytes_as_far_as_it_shows_them(
    programs, compared
):
    result = compared(*programs("lossy", "whole"))
    assert result.cell(0, 1, "token bytes").state == "same"


def test_ways_of_writing_a_token_are_no_difference(programs, compared):
    result = compared(*programs("written", "decoded", "in_bytes"))
    assert {result.cell(*pair, "token bytes").state for pair in result.pairs()} == {"same"}


def test_another_token_is_one_in_any_way_of_writing(programs, compared):
    (cause,) = compared(*programs("other_text", "written", "in_bytes")).causes
    assert cause.message == "1 id stands for other tokens: 3 (' b', here ' c')"


@pytest.mark.slow
def test_other_vocabularies_are_found_before_any_text(written, compared):
    other = bpe()
    pieces = dict(other["model"]["vocab"])
    other["model"]["vocab"] = {
        text if number < 256 else f"{text}#{number}": number for text, number in pieces.items()
    }
    other["model"]["merges"] = []
    result = compared(written("a", bpe()), written("b", other), families=("digits",))
    assert [one.name for one in result.causes] == ["another vocabulary"]
    assert result.cell(0, 1, "ids").causes == (0,)
    assert "tokens of the smaller one" in result.causes[0].message


@pytest.mark.parametrize("specs", [(), ("reference",), ("reference", "reference")])
def test_fewer_than_two_forms_are_a_mistake(specs, compared):
    with pytest.raises(UsageError, match="at least two different targets"):
        compared(*specs)


def test_a_pattern_groups_equal_results():
    raised, unasked = "0" * 16, "f" * 16
    assert pattern_of(["a", "b", "a", raised, unasked]) == (2, 3, 2, -1, -2)
    assert differs(pattern_of(["a", "b"]))
    assert differs(pattern_of(["a", raised]))
    assert not differs(pattern_of(["a", "a", unasked]))


def test_an_unfinished_run_is_not_green(programs, compared):
    result = compared(*programs("plain", "by_bytes"), families=("digits",), run_limit=1e-6)
    assert result.unfinished
    assert exit_code(result, "bug") == 2


@pytest.mark.parametrize(
    ("kind", "stage"),
    [
        ("pre-tokenizer", "pre-tokenizer"),
        ("merge order", "model"),
        ("pre-token split", "pre-tokenizer"),
        ("Unicode version", "Unicode version"),
    ],
)
def test_a_kind_of_cause_is_of_a_stage(kind, stage):
    assert stage_of(kind) == stage


@pytest.mark.slow
@pytest.mark.parametrize("has_table", [False, True], ids=["alone", "with a grammar's table"])
def test_a_form_that_only_decodes_ids_has_no_other_vocabulary_for_dropped_spaces(
    compared, tmp_path, has_table
):
    (file,) = healthy_files("byte-fallback-unigram/tokenizer.json")
    path = tmp_path / "decoding.py"
    path.write_text(f"""
from types import SimpleNamespace
from tokharness_tokenizers.adapters import reference_target

def decoding():
    of = reference_target.load({file!r})
    return SimpleNamespace(encode=of.encode, decode=of.decode, n_vocab=of.n_vocab)

def table():
    of = reference_target.load({file!r})
    def inside(number):
        return of.bytes_inside([number])[0]
    special = of.special_tokens
    return SimpleNamespace(tokens_alone=True, special_tokens=special, n_vocab=of.n_vocab,
                           decode_single_token_bytes=inside, encode=inside, decode=inside)
""")
    result = compared(
        f"reference:{file}", f"python:{path}:decoding", *[f"python:{path}:table"] * has_table
    )
    assert not any(form.problem for form in result.forms)
    assert [cause for cause in result.causes if 1 in cause.forms] == []
    assert result.cell(0, 1, "token bytes").state == "same"


@pytest.mark.slow
def test_a_form_that_refuses_to_decode_some_ids_differs_and_fails(compared, tmp_path):
    (file,) = healthy_files("byte-fallback-unigram/tokenizer.json")
    path = tmp_path / "refusing.py"
    path.write_text(f"""
from types import SimpleNamespace
from tokharness_tokenizers.adapters import reference_target

def refusing():
    of = reference_target.load({file!r})

    def decode(ids):
        text = of.decode(ids)
        if len(text) > 2:
            raise ValueError("no")
        return text

    return SimpleNamespace(encode=of.encode, decode=decode, n_vocab=of.n_vocab)
""")
    result = compared(f"reference:{file}", f"python:{path}:refusing")
    causes = [one for one in result.causes if one.aspect == "decoded text"]
    assert causes
    assert not any("failed" in one.message for one in causes)
    assert exit_code(result, "bug") == 1


@pytest.mark.slow
def test_files_that_are_too_slow_to_compare_are_not_shown_as_the_same(
    written, compared, monkeypatch
):
    def takes_too_long(*_):
        raise TargetError("our own code takes more than 60 seconds")

    monkeypatch.setattr(files, "isolated", takes_too_long)
    result = compared(written("one", bpe()), written("other", bpe()))
    assert exit_code(result, "bug") == 2
    assert "more than 60 seconds" in str(result.error)


def test_a_file_that_changes_while_it_is_read_is_not_shown_as_the_same(written, monkeypatch):
    specs = [written("one", bpe()), written("other", bpe() | {"normalizer": None})]
    descriptions = [files._described(spec) for spec in specs]
    readings = iter([*descriptions, descriptions[0], None])
    monkeypatch.setattr(files, "_described", lambda _: next(readings))
    with pytest.raises(TargetError, match=r"other.json has changed while it was read"):
        files._groups(specs, Counter())


def test_a_text_with_special_tokens_has_the_cause_of_its_plain_parts():
    def form(read):
        def call(request):
            digests = (sha256(read(text).encode()).hexdigest() for text in request.texts)
            column = "".join(one[:WIDTH] for one in digests)
            return {"texts": len(request.texts), "columns": dict.fromkeys(request.columns, column)}

        return SimpleNamespace(outline={"special": {"<s>": 1}}, call=call, crashers=())

    forms = (form(lambda text: text), form(lambda text: text.replace("'s", "'t")))
    assert of_plain_parts(["'<s>'s", "<s>a", "<s>"], *forms) == {"'<s>'s": "'s"}
