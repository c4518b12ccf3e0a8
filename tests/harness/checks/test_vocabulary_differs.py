from dataclasses import replace
from types import SimpleNamespace

from planted._tokenizer_files import healthy, record_of

from tokharness import plugins
from tokharness.checks.vocabulary_differs import audit
from tokharness.config import Options
from tokharness.engine.run.selection import reason_to_skip
from tokharness.model import target_of
from tokharness.targets.loading import LoadedSubject
from tokharness.targets.subject import Subject
from tokharness_tokenizers.reference.tokenizer_json import read

FILE = healthy("added")


def kinds(tokenizer, reference):
    subject = Subject(target_of("target", tokenizer), target_of("reference", reference))
    return [str(failure.cause) for failure in audit(subject)]


def test_a_vocabulary_that_is_that_of_the_file_has_no_failure():
    assert kinds(FILE, FILE) == []


def test_ids_with_another_token_are_one_failure():
    texts = {**FILE.texts, 5: FILE.texts[6], 6: FILE.texts[5]}
    assert kinds(replace(FILE, texts=texts), FILE) == ["loaded vocabulary: other tokens"]


def test_a_named_reference_is_not_called_the_file_of_the_target():
    texts = {**FILE.texts, 5: FILE.texts[6], 6: FILE.texts[5]}
    sides = target_of("target", replace(FILE, texts=texts)), target_of("reference", FILE)
    for claims, name in ((False, "the file"), (True, "the reference")):
        (failure,) = audit(Subject(*sides, claims_parity=claims))
        assert f"is not the vocabulary of {name}; other tokens: 2" in failure.cause.message


def test_a_special_token_with_another_id_is_one_failure_and_no_missing_id():
    record = record_of("added")
    token = next(one for one in record["added_tokens"] if one["special"])
    token["id"] += 700
    assert kinds(read(record, "moved"), FILE) == ["loaded vocabulary: other special tokens"]


def test_a_side_without_texts_of_tokens_is_a_skip():
    tokenizer = SimpleNamespace(encode=FILE.encode_ordinary, decode=FILE.decode)
    with_texts, without = target_of("with", FILE), target_of("without", tokenizer)
    check = plugins.checks()["TOK203"]

    def reason(target, reference):
        return reason_to_skip(check, LoadedSubject(Subject(target, reference)), Options())

    assert reason(with_texts, with_texts) == ""
    assert reason(without, with_texts) == "the target has no token_text"
    assert reason(with_texts, without) == "the reference has no token_text"
    assert "no reference" in reason(with_texts, None)
