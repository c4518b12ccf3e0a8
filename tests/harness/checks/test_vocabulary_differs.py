from dataclasses import replace
from types import SimpleNamespace

from tokharness.checks.vocabulary_differs import audit
from tokharness.model import target_of
from tokharness.targets.subject import Subject
from tokharness_tokenizers.adapters import reference_target
from tokharness_tokenizers.faulty._tokenizer_files import healthy

FILE = healthy("added")
EMBEDDED = reference_target.load_ranks("embedded")


def kinds(tokenizer, reference):
    subject = Subject(target_of("target", tokenizer), target_of("reference", reference))
    return [str(failure.cause) for failure in audit(subject)]


def test_a_vocabulary_that_is_that_of_the_file_has_no_failure():
    assert kinds(FILE, FILE) == []
    assert kinds(EMBEDDED, EMBEDDED) == []


def test_ids_with_another_token_are_one_failure():
    texts = {**FILE.texts, 5: FILE.texts[6], 6: FILE.texts[5]}
    assert kinds(replace(FILE, texts=texts), FILE) == ["loaded vocabulary: other tokens"]


def test_a_special_token_with_another_id_is_one_failure_and_no_missing_id():
    text, number = next(iter(EMBEDDED.special_tokens.items()))
    moved = replace(EMBEDDED, special_tokens={text: number + 7})
    assert kinds(moved, EMBEDDED) == ["loaded vocabulary: other special tokens"]


def test_a_target_need_not_declare_special_tokens():
    plain = replace(EMBEDDED, special_tokens={})
    assert kinds(plain, EMBEDDED) == []


def test_a_target_without_tokens_is_not_compared():
    tokenizer = SimpleNamespace(encode=EMBEDDED.encode_ordinary, decode=EMBEDDED.decode)
    assert kinds(tokenizer, EMBEDDED) == []
