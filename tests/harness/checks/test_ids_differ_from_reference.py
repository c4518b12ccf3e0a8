"""TOK201: ids that differ from the reference's, each with its cause."""

import re
from types import SimpleNamespace

import pytest
from planted._tokenizer_files import healthy
from planted.dropped_characters import drops_unassigned_code_points_as_controls
from planted.json_model_engines import counts_characters_of_unknown_words

from tokharness import plugins
from tokharness.model import target_of
from tokharness.targets.fingerprint import detect_unicode_version
from tokharness.targets.loading import tokenizer_of
from tokharness_tokenizers.adapters import python_object, reference_target, tiktoken_engine

CODE = "TOK201"
EMBEDDED = "reference:embedded"
FEW = ("digits", "contractions", "zero-width", "plain-words")


@pytest.fixture(scope="module")
def reference():
    return target_of(EMBEDDED, reference_target.load("embedded"))


def causes(findings):
    return [finding.cause.kind for finding in findings]


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["tiktoken:embedded", "reference:embedded"])
def test_two_implementations_of_one_vocabulary_pass(check_spec, spec):
    families = (*FEW, "new-code-points", "surrogates", "special-tokens")
    findings = check_spec(spec, select=(CODE,), families=families)
    assert causes(findings) == ["Unicode version of the split"]
    assert findings.bugs == []


@pytest.mark.slow(every=3)
@pytest.mark.parametrize(
    ("factory", "family", "cause", "smallest"),
    [
        ("numbers_in_fours", "digits", "pre-tokenizer: numbers are split into fours", "0000"),
        (
            "case_sensitive_contractions",
            "contractions",
            "pre-tokenizer: the pattern has case",
            None,
        ),
        pytest.param(
            "longest_match",
            "digits",
            "model: the longest token counts",
            None,
            marks=pytest.mark.slow,
        ),
        ("two_ids_swapped", "contractions", "vocabulary", None),
        ("drops_zero_width_space", "zero-width", "dropped characters: U+200B", "\u200b"),
        ("composes_to_nfc", "normal-forms", "normalizer: NFC", "\u0340"),
        ("special_id_from_plain_text", "special-tokens", "special token: exact text", None),
    ],
)
def test_a_planted_fault_is_one_bug_with_its_cause(
    check_spec, faulty, factory, family, cause, smallest
):
    families = (family, "plain-words")
    (bug,) = check_spec(faulty(factory), select=(CODE,), families=families, against=EMBEDDED).bugs
    assert str(bug.cause).startswith(cause)
    assert smallest in (None, bug.text)
    assert bug.count > 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("factory", "kinds"),
    [
        ("drops_and_fours", {"dropped characters", "pre-tokenizer"}),
        ("special_and_case_sensitive", {"special token", "pre-tokenizer"}),
    ],
)
def test_two_faults_are_two_bugs_and_no_third(check_spec, faulty, factory, kinds):
    families = (*FEW, "special-tokens")
    findings = check_spec(faulty(factory), select=(CODE,), families=families, against=EMBEDDED)
    assert {*causes(findings.bugs)} == kinds
    assert len(findings.bugs) == 2


@pytest.mark.slow
def test_a_contraction_is_shrunk_to_a_few_characters(check_spec, faulty):
    (bug,) = check_spec(
        faulty("case_sensitive_contractions"),
        select=(CODE,),
        families=("contractions",),
        against=EMBEDDED,
    ).bugs
    assert "'" in bug.text
    assert len(bug.text) <= 4


def test_a_target_that_contradicts_itself_has_state(check_spec, faulty):
    findings = check_spec(
        faulty("forgets_every_seventh"), select=(CODE,), families=FEW, against=EMBEDDED
    )
    assert causes(findings.bugs) == ["state"]


def old_and_new(reference, version):
    cases = plugins.families()["new-code-points"].cases
    texts = [case.text for case in cases()]
    return tokenizer_of(reference.at_unicode_version(version)), texts


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("version", ["13.0", "14.0", "15.0"])
def test_an_old_unicode_version_is_the_only_cause(check_texts, reference, version):
    old, texts = old_and_new(reference, version)
    newest = reference.at_unicode_version("16.0")
    findings = check_texts(
        CODE, old, texts, reference=tokenizer_of(newest), explainer=newest, unicode_version=version
    )
    assert [str(finding.cause) for finding in findings.bugs] == [f"Unicode version: {version}"]


def test_at_the_same_unicode_version_nothing_differs(check_texts, reference):
    old, texts = old_and_new(reference, "14.0")
    same = reference.at_unicode_version("14.0")
    assert check_texts(CODE, old, texts, reference=tokenizer_of(same), explainer=same).bugs == []


def test_the_unicode_version_is_reported_as_a_fact(check_texts, reference):
    (fact,) = check_texts(
        CODE, tokenizer_of(reference), reference=tokenizer_of(reference), unicode_version="16.0"
    )
    assert str(fact.cause) == "Unicode version of the split: 16.0"
    assert fact.verdict == "fact"


@pytest.mark.slow
def test_an_old_version_and_another_split_are_two_bugs(check_texts, reference, faulty):
    path = faulty("numbers_in_fours").removeprefix("python:")
    fours = target_of("fours", python_object.load(path))
    newest = reference.at_unicode_version("18.0")
    version = detect_unicode_version(fours, newest)
    _, texts = old_and_new(reference, version)
    texts += ["1", "12", "123", "1234", "12345", "a1234", "99999999"]
    findings = check_texts(
        CODE,
        tokenizer_of(fours),
        texts,
        reference=tokenizer_of(newest),
        explainer=newest,
        unicode_version=version,
    )
    assert [str(finding.cause) for finding in findings.bugs] == [
        f"Unicode version: {version}",
        "pre-tokenizer: numbers are split into fours",
    ]


def test_without_an_explainer_a_difference_is_unexplained(check_texts, faulty):
    path = faulty("numbers_in_fours").removeprefix("python:")
    (bug,) = check_texts(
        CODE, python_object.load(path), ("12345",), reference=tiktoken_engine.load("embedded")
    ).bugs
    assert str(bug.cause) == "unexplained"


@pytest.mark.slow
def test_ids_of_a_declared_normalizer_are_compared_after_it(check_spec, faulty):
    findings = check_spec(
        faulty("declares_nfc"), select=(CODE,), families=("normal-forms",), against=EMBEDDED
    )
    assert findings.bugs == []


@pytest.mark.slow
def test_a_target_that_raises_at_times_does_not_end_the_run(check_texts, reference, byte_tokenizer):
    calls = []

    def every_third(text):
        calls.append(text)
        if len(calls) % 3 == 0:
            raise ValueError("third")
        return text

    findings = check_texts(
        CODE, byte_tokenizer(every_third), families=("digits",), reference=byte_tokenizer(str.lower)
    )
    assert "state" in causes(findings)


@pytest.mark.parametrize(("checks", "kinds"), [({CODE}, ["raises"]), ({CODE, "TOK102"}, [])])
def test_a_text_that_raises_is_reported_if_the_check_of_exceptions_does_not_run(
    check_texts, byte_tokenizer, checks, kinds
):
    def refuse(text):
        if "q" in text:
            raise ValueError("no q")
        return text

    texts, reference = ("a", "q", "aq", "b"), byte_tokenizer()
    found = check_texts(
        CODE, byte_tokenizer(refuse), texts, reference=reference, checks=frozenset(checks)
    )
    assert [bug.cause.kind for bug in found.bugs] == kinds
    assert not check_texts(CODE, byte_tokenizer(), texts, reference=reference).bugs


@pytest.mark.slow
def test_unassigned_code_points_that_only_the_target_drops_are_named(check_texts):
    target, name = drops_unassigned_code_points_as_controls(), "wordpiece_list"
    texts = ["\u0378", "a\u1c89b", "\U000113c5 a"]
    (bug,) = check_texts(CODE, target, texts, reference=healthy(name), claims_parity=True).bugs
    cause = "dropped characters: unassigned code points (Cn) as of Unicode 14.0"
    assert (str(bug.cause), bug.cause.weak, bug.count) == (cause, False, len(texts))
    assert not check_texts(CODE, healthy(name), texts, reference=healthy(name)).bugs


def test_the_text_of_the_unknown_token_is_read_as_other_special_tokens_are(check_texts):
    name = "wordpiece_list"
    target = healthy(name)
    special = target.special_tokens
    reading = SimpleNamespace(
        encode=lambda text: target.encode(text)[1:-1], decode=target.decode, special_tokens=special
    )
    texts = ["[UNK]", "[CLS]", "a [UNK] [SEP]"]
    (bug,) = check_texts(CODE, reading, texts, reference=healthy(name)).bugs
    assert str(bug.cause) == "special token: exact text"


def test_a_special_id_that_the_reference_gives_too_is_no_cause(check_texts, byte_tokenizer):
    def reading(change):
        def encode(text):
            parts = change(text).split("<s>")
            rows = [[*part.encode()] for part in parts]
            return [*rows[0], *(i for row in rows[1:] for i in (0, *row))]

        return byte_tokenizer(encode=encode, special_tokens={"<s>": 0})

    target = reading(lambda text: text.replace("\ufeff", ""))
    texts = ["<s>\ufeffa", "\ufeffb", "<s>"]
    (bug,) = check_texts(CODE, target, texts, reference=reading(str)).bugs
    assert bug.cause.kind == "dropped characters"
    assert bug.count == 2


def test_a_special_id_around_every_text_hides_no_typed_one(check_texts, byte_tokenizer):
    def framed(encode):
        return byte_tokenizer(encode=lambda text: [0, *encode(text)], special_tokens={"<s>": 0})

    target = framed(lambda text: [*text.replace("<s>", "\0").encode()])
    (bug,) = check_texts(CODE, target, ["<s>a"], reference=framed(lambda t: [*t.encode()])).bugs
    assert str(bug.cause) == "special token: exact text"


@pytest.mark.slow
def test_a_token_of_another_text_is_one_cause_where_the_text_is_lost_too(check_texts, reference):
    (renamed,) = reference.encode(" read")

    def encode(text):
        parts = text.partition("read")
        ids = [*map(reference.encode, (parts[0], parts[2]))]
        return [*ids[0], renamed, *ids[1]] if parts[1] else ids[0]

    def decode(ids):
        own = "".join("read" if i == renamed else reference.decode([i]) for i in ids)
        return own.replace("\n", "")

    faulty = SimpleNamespace(encode=encode, decode=decode)
    texts = ("read", "read\n", "a\nread\n", "\nread", "in")
    (bug,) = check_texts(CODE, faulty, texts, reference=reference).bugs
    assert (str(bug.cause), bug.count) == ("vocabulary", 4)


def test_a_decoder_that_strips_a_space_renames_no_token(check_texts, reference):
    """The id of " read" decodes to the text alone."""
    faulty = SimpleNamespace(
        encode=lambda text: reference.encode(f" {text}"),
        decode=lambda ids: reference.decode(ids).removeprefix(" "),
    )
    texts = ("read", "in", "7", "a read")
    (bug,) = check_texts(CODE, faulty, texts, reference=reference).bugs
    assert (str(bug.cause), bug.count) == ("added before every text: U+0020 SPACE", 4)


@pytest.mark.slow
def test_a_text_that_ends_at_null_is_named_where_an_unknown_token_hides_it(check_texts):
    reference = healthy("unknown_unigram")
    faulty = SimpleNamespace(
        encode=lambda text: reference.encode_ordinary(text.partition("\0")[0]),
        decode=reference.decode,
    )
    texts = ("\0", "a\0b", "b\0\u4e2d", "\0a", "ab", "\u4e2d", "a\0")
    findings = check_texts(CODE, faulty, texts, reference=reference, claims_parity=True)
    assert [str(bug.cause) for bug in findings.bugs] == ["truncated: U+0000"]


@pytest.mark.slow
def test_versions_of_two_stages_are_the_causes_of_a_text_that_needs_both(check_texts):
    reference, versions = healthy("clip_merges"), {"case mapping": "15.1", "split": "15.0"}
    faulty = reference.with_stage_versions(versions)
    # A small letter of Unicode 16.0, and a capital letter of 16.0 next to one.
    texts = ("\u1c89", "a\u1c8a", "a\u1c89", "\u1c89\u1c8a", "\u1c8a.b", "\ua7cb", "a\ua7cb")
    subject = {"stage_versions": versions, "explainer": target_of("clip", reference)}
    findings = check_texts(CODE, faulty, texts, reference=reference, claims_parity=True, **subject)
    causes = {str(bug.cause) for bug in findings.bugs}
    assert causes == {"Unicode version: 15.1, case mapping", "Unicode version: 15.0, split"}
    assert not any(bug.cause.weak for bug in findings.bugs)


@pytest.mark.slow
def test_a_normal_form_that_other_forms_of_the_texts_refute_is_a_symptom(check_texts):
    reference = healthy("strip_accents")

    def encode(text):
        parts = re.split("([\uac00-\ud7a3]+)", text)
        return [
            number
            for at, part in enumerate(parts)
            for number in (part.encode() if at % 2 else reference.encode_ordinary(part))
        ]

    faulty = SimpleNamespace(encode=encode, decode=reference.decode)
    texts = ("\uac00", "\uac00\ub098", "\ud55c", "e\u0301", "\u00e9", "\u1100\u1161")
    (bug,) = check_texts(CODE, faulty, texts, reference=reference, claims_parity=True).bugs
    assert bug.cause.weak


@pytest.mark.slow
def test_a_version_explains_a_text_that_it_changes_with_another_one_alone(check_texts):
    versions = {"normalizer, categories": "8.0", "split, punctuation": "8.0"}
    reference = healthy("wordpiece")
    faulty = reference.with_stage_versions(versions)
    # Punctuation of Unicode 8.0 that is a mark since 11.0: a later normalizer drops it.
    texts = ("\U000111c9\U00011183", "a\u2e43", "\u05c8")
    subject = {"stage_versions": versions, "explainer": target_of("wordpiece", reference)}
    findings = check_texts(CODE, faulty, texts, reference=reference, claims_parity=True, **subject)
    assert {bug.cause.kind for bug in findings.bugs} == {"Unicode version"}


def test_a_long_text_whose_end_is_wrong_alone_is_not_cut(check_texts):
    """A word of unknown characters behind words that are cut nowhere has two tokens, not one."""
    text = "the quick " * 150 + "\u16a6\u16a6"
    found = check_texts(
        CODE, counts_characters_of_unknown_words(), [text], reference=healthy("wordpiece")
    )
    assert "cuts long texts" not in {str(bug.cause) for bug in found.bugs}
    assert found.bugs
