"""What the checks say about a single text, for ``tokharness show``."""

from tokharness.engine.worker.checks_of_text import results_of_checks
from tokharness.model import target_of
from tokharness.targets.loading import LoadedSubject
from tokharness.targets.subject import Subject


def test_what_a_check_asks_of_special_tokens_is_asked_of_the_text(byte_tokenizer):
    tokenizer = byte_tokenizer(added_tokens={"<tool>": 256}, n_vocab=257)
    plain, decode = tokenizer.encode, tokenizer.decode
    tokenizer.encode = lambda text: [256] if text == "<tool>" else plain(text)
    tokenizer.decode = lambda ids: "<tool>" if ids == [256] else decode(ids)
    loaded = LoadedSubject(Subject(target_of("target", tokenizer)), "--against is none")
    for text, codes in (("<tool>", ["TOK103"]), ("a", [])):
        assert [result.check.code for result in results_of_checks(text, loaded)] == codes
