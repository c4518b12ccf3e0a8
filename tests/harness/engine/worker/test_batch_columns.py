"""A batch is run_batch as columns, including errors."""

import pytest

from tokharness.engine.worker.batch_columns import observe
from tokharness.model import target_of
from tokharness.targets.subject import Subject


class PanicError(BaseException):
    """Like a panic of native code: not an Exception."""


def raising(error, on="b"):
    def change(text):
        if on in text:
            raise error
        return text

    return change


@pytest.fixture
def run_batch(byte_tokenizer):
    def run(texts, reference=None, **tokenizer):
        target = target_of("x", byte_tokenizer(**tokenizer))
        if reference is not None:
            reference = target_of("y", byte_tokenizer(**reference))
        return observe(Subject(target, reference), "digits", texts)

    return run


def test_columns_have_a_row_per_text(run_batch):
    batch = run_batch(["a", "\u00e9"], reference={})
    assert batch.family == "digits"
    assert batch.ids == [[0x61], [0xC3, 0xA9]]
    assert batch.decoded == ["a", "\u00e9"]
    assert batch.reference_ids == batch.ids
    assert batch.errors == {}


def test_without_a_reference_its_column_is_none(run_batch):
    assert run_batch(["a"]).reference_ids is None


@pytest.mark.parametrize(
    "error", [ValueError("no"), PanicError("no"), GeneratorExit(), MemoryError()]
)
def test_an_error_of_encode_is_recorded(run_batch, error):
    batch = run_batch(["a", "b", "c"], before=raising(error))
    assert [(row, type(raised).__name__, str(raised)) for row, raised in batch.errors.items()] == [
        (1, type(error).__name__, str(error))
    ]
    assert batch.ids == [[0x61], None, [0x63]]
    assert batch.decoded == ["a", None, "c"]


@pytest.mark.parametrize("error", [ValueError("no"), PanicError("no")])
def test_an_error_of_decode_is_recorded_with_the_ids(run_batch, error):
    batch = run_batch(["a", "b", "c"], after=raising(error))
    assert [(row, type(raised).__name__, str(raised)) for row, raised in batch.errors.items()] == [
        (1, type(error).__name__, str(error))
    ]
    assert batch.ids == [[0x61], [0x62], [0x63]]
    assert batch.decoded == ["a", None, "c"]


def test_an_error_of_the_reference_is_not_an_error_of_the_target(run_batch):
    batch = run_batch(["a", "b"], reference={"before": raising(ValueError("no"))})
    assert batch.errors == {}
    assert batch.reference_ids == [[0x61], None]


@pytest.mark.parametrize("error", [KeyboardInterrupt])
@pytest.mark.parametrize("where", ["before", "after"])
def test_a_keyboard_interrupt_is_raised(run_batch, error, where):
    with pytest.raises(error):
        run_batch(["a", "b"], **{where: raising(error())})


def test_ids_in_any_sequence_become_a_list(byte_tokenizer):
    tokenizer = byte_tokenizer()
    tokenizer.encode = lambda text: tuple(text.encode())
    batch = observe(Subject(target_of("x", tokenizer)), "digits", ["ab"])
    assert batch.ids == [[0x61, 0x62]]


def test_none_instead_of_ids_is_an_error_of_the_target(byte_tokenizer):
    tokenizer = byte_tokenizer()
    tokenizer.encode = lambda _: None
    batch = observe(Subject(target_of("x", tokenizer)), "digits", ["ab"])
    assert isinstance(batch.errors[0], TypeError)


def test_the_reference_encodes_the_normalized_text(run_batch):
    batch = run_batch(["e\u0301"], reference={}, normalizer="NFC")
    assert batch.reference_ids == [[0xC3, 0xA9]]
    assert batch.ids == [[0x65, 0xCC, 0x81]]


@pytest.mark.parametrize("texts", [["b"], ["b", "a"], ["a", "b", "c"], ["b", "b"], ["a", "b", "b"]])
def test_rows_stay_in_place_after_errors(run_batch, texts):
    batch = run_batch(texts, before=raising(ValueError("no")))
    expected = [None if text == "b" else [ord(text)] for text in texts]
    assert batch.ids == expected
    assert sorted(batch.errors) == [row for row, ids in enumerate(expected) if ids is None]


def test_stop_iteration_of_a_target_loses_no_row(run_batch):
    batch = run_batch(["a", "b", "c"], before=raising(StopIteration()))
    assert batch.ids == [[0x61], None, [0x63]]
    assert type(batch.errors[1]).__name__ == "StopIteration"


def test_system_exit_of_a_target_is_its_error(run_batch):
    batch = run_batch(["b"], before=raising(SystemExit(3)))
    assert isinstance(batch.errors[0], SystemExit)
