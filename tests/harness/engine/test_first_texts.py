"""A target that answers none of the first texts is not run on."""

import pytest

from tokharness.engine.responses import FIRST_TEXTS, NoAnswerError, require_an_answer
from tokharness.model import target_of


def raising(byte_tokenizer, error, texts):
    tokenizer = byte_tokenizer()
    plain = tokenizer.encode

    def encode(text):
        if text in texts:
            raise error
        return plain(text)

    tokenizer.encode = encode
    return target_of("target", tokenizer)


def test_no_memory_for_any_of_them_is_no_answer(byte_tokenizer):
    with pytest.raises(NoAnswerError, match="memory limit") as raised:
        require_an_answer(raising(byte_tokenizer, MemoryError(), FIRST_TEXTS))
    assert [row[:3] for row in raised.value.rows] == [
        ["encode", text, "memory limit"] for text in FIRST_TEXTS
    ]


@pytest.mark.parametrize(
    ("error", "texts"), [(MemoryError(), FIRST_TEXTS[:2]), (ValueError("no"), FIRST_TEXTS)]
)
def test_memory_for_one_of_them_and_another_exception_are_answers(byte_tokenizer, error, texts):
    require_an_answer(raising(byte_tokenizer, error, texts))
