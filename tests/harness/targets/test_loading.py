"""Load a target and its reference."""

import pytest

from tokharness.errors import TargetError, UnknownNameError, VocabularyError
from tokharness.targets.loading import load_subject, load_target
from tokharness_tokenizers.file_errors import named_file_errors
from tokharness_tokenizers.vocabularies.locate import healthy_files


def test_a_spec_is_a_scheme_and_the_rest(faulty):
    spec = faulty("plain")
    assert load_target(spec).spec == spec


@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        ("tiktokn:embedded", UnknownNameError, "did you mean 'tiktoken'"),
        ("", UnknownNameError, "no target scheme is called ''"),
        ("embedded", UnknownNameError, "no target has this name: try `tiktoken:embedded`"),
        ("reference:embeded", UnknownNameError, "did you mean 'embedded'"),
        ("reference:no/such.tiktoken", VocabularyError, "such.tiktoken"),
        ("python:no_such.py:make", TargetError, "no file no_such.py"),
    ],
)
def test_an_invalid_spec_is_an_error_of_one_sentence(spec, error, message):
    with pytest.raises(error) as caught:
        load_target(spec)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_explicit_reference_is_loaded(faulty):
    loaded = load_subject(faulty("plain"), "tiktoken:embedded")
    assert loaded.subject.reference.spec == "tiktoken:embedded"


def test_against_none_loads_no_reference():
    assert load_subject("reference:embedded", "none").subject.reference is None


@pytest.mark.parametrize(
    ("spec", "reference"),
    [
        ("tiktoken:embedded", "reference:embedded"),
        ("reference:embedded", "tiktoken:embedded"),
        ("reference", "tiktoken:embedded"),
    ],
)
def test_a_built_in_target_has_an_automatic_reference(spec, reference):
    assert load_subject(spec, None).subject.reference.spec == reference


def test_a_python_target_has_no_automatic_reference_and_the_reason_says_what_to_do(faulty):
    loaded = load_subject(faulty("plain"), None)
    assert loaded.subject.reference is None
    assert "--against" in loaded.no_reference


@pytest.mark.parametrize(("error", "short"), [(MemoryError(), True), (ValueError("x"), False)])
def test_a_reference_for_which_memory_does_not_suffice_is_named(monkeypatch, error, short):
    def load(spec):
        if spec.startswith("reference:"):
            with named_file_errors("file"):
                raise error
        return load_target(spec)

    loaded = load_subject("tiktoken:embedded", None, load)
    assert loaded.subject.reference is None
    assert loaded.is_short_of_memory is short


def test_a_reference_that_does_not_load_is_replaced_by_the_one_that_stands_in(faulty):
    def load(spec):
        if spec == "tiktoken:embedded":
            raise TargetError("refuses the file")
        return load_target(spec)

    stand_in = faulty("plain")
    loaded = load_subject("reference:embedded", None, load, reference=stand_in)
    assert loaded.subject.reference.spec == stand_in
    assert load_subject("reference:embedded", None, load).no_reference == "refuses the file"


def test_an_explicit_reference_that_cannot_be_loaded_is_an_error(faulty):
    with pytest.raises(UnknownNameError):
        load_subject(faulty("plain"), "reference:embeded")


@pytest.mark.parametrize("spec", ["tiktoken:embedded", "reference:embedded"])
def test_with_an_automatic_reference_both_sides_have_the_same_version(spec):
    subject = load_subject(spec, None).subject
    ours = subject.target if spec.startswith("reference") else subject.reference
    assert ours.unicode_version == subject.unicode_version
    for text in ("\U0001e6c0.a", "\U00010d6f's", "\U00011de0\\u"):
        assert subject.encode(text) == subject.reference_ids(text)


def test_an_explicit_reference_keeps_its_version(tmp_path):
    subject = load_subject("tiktoken:embedded", "reference:embedded").subject
    assert subject.reference.unicode_version == load_target("reference:embedded").unicode_version


def test_the_explainer_of_an_explicit_tiktoken_is_our_reference(faulty):
    subject = load_subject(faulty("plain"), "tiktoken:embedded").subject
    assert subject.explainer.spec == "reference:embedded"
    assert subject.explainer.can("pretokens")


@pytest.mark.needs("sentencepiece")
def test_the_explainer_of_an_explicit_sentencepiece_can_be_altered(faulty):
    (file,) = healthy_files("bpe.model")
    subject = load_subject(faulty("plain"), f"sentencepiece:{file}").subject
    assert subject.explainer.spec == f"reference:{file}"
    assert subject.explainer.can("encode_altered")


@pytest.mark.slow
@pytest.mark.needs("tokenizers")
def test_the_unicode_versions_of_a_target_are_the_same_with_every_reference(tmp_path):
    path = tmp_path / "vocab.txt"
    tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "##a"]
    path.write_text("".join(f"{token}\n" for token in tokens), "utf-8")
    specs = (None, f"reference:{path}", f"hf:{path}")
    alone, *others = (load_subject(f"hf:{path}", spec).subject.stage_versions for spec in specs)
    assert "split, punctuation" in alone
    assert others == [alone, alone]


def test_a_python_reference_has_no_explainer(faulty):
    subject = load_subject("tiktoken:embedded", faulty("plain")).subject
    assert subject.explainer is None


def test_the_version_of_a_declared_normal_form_is_detected(faulty):
    subject = load_subject(faulty("declares_nfc"), "reference:embedded").subject
    assert subject.expected_text("e\u0301") == "\u00e9"
    assert subject.normalizer_version is not None


def test_a_property_that_raises_is_a_target_error(tmp_path):
    path = tmp_path / "raises.py"
    path.write_text(
        "class T:\n"
        "    def encode(self, text): return []\n"
        "    def decode(self, ids): return ''\n"
        "    @property\n"
        "    def n_vocab(self): raise ValueError('no model')\n"
    )
    with pytest.raises(
        TargetError, match=r"cannot read the attributes of .*: ValueError: no model"
    ):
        load_target(f"python:{path}:T")
