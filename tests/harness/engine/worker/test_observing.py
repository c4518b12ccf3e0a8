"""What a target does is kept in columns, whatever it raises."""

import pytest

from tokharness.engine.worker.observing import observe
from tokharness.model import target_of
from tokharness.targets.subject import Subject


class PanicError(BaseException):
    """As native code raises it: no Exception."""


def raising(error, on="b"):
    def change(text):
        if on in text:
            raise error
        return text

    return change


@pytest.fixture
def observed(byte_tokenizer):
    def run(texts, reference=None, **tokenizer):
        target = target_of("x", byte_tokenizer(**tokenizer))
        other = None if reference is None else target_of("y", byte_tokenizer(**reference))
        return observe(Subject(target, other), "digits", texts)

    return run


def test_columns_have_a_row_a_text(observed):
    batch = observed(["a", "\u00e9"], reference={})
    assert batch.family == "digits"
    assert batch.ids == [[0x61], [0xC3, 0xA9]]
    assert batch.decoded == ["a", "\u00e9"]
    assert batch.reference_ids == batch.ids
    assert batch.errors == {}


def test_without_a_reference_there_is_no_column_for_it(observed):
    assert observed(["a"]).reference_ids is None


@pytest.mark.parametrize(
    "error", [ValueError("no"), PanicError("no"), GeneratorExit(), MemoryError()]
)
def test_what_encoding_raises_is_kept_and_does_not_stop(observed, error):
    batch = observed(["a", "b", "c"], before=raising(error))
    assert batch.errors == {1: error}
    assert batch.ids == [[0x61], None, [0x63]]
    assert batch.decoded == ["a", None, "c"]


@pytest.mark.parametrize("error", [ValueError("no"), PanicError("no")])
def test_what_decoding_raises_is_kept_beside_the_ids(observed, error):
    batch = observed(["a", "b", "c"], after=raising(error))
    assert batch.errors == {1: error}
    assert batch.ids == [[0x61], [0x62], [0x63]]
    assert batch.decoded == ["a", None, "c"]


def test_what_the_reference_raises_is_no_error_of_the_target(observed):
    batch = observed(["a", "b"], reference={"before": raising(ValueError("no"))})
    assert batch.errors == {}
    assert batch.reference_ids == [[0x61], None]


@pytest.mark.parametrize("error", [KeyboardInterrupt])
@pytest.mark.parametrize("where", ["before", "after"])
def test_the_users_wish_to_stop_is_obeyed(observed, error, where):
    with pytest.raises(error):
        observed(["a", "b"], **{where: raising(error())})


def test_ids_of_any_sequence_become_a_list(byte_tokenizer):
    tokenizer = byte_tokenizer()
    tokenizer.encode = lambda text: tuple(text.encode())
    batch = observe(Subject(target_of("x", tokenizer)), "digits", ["ab"])
    assert batch.ids == [[0x61, 0x62]]


def test_ids_that_are_no_sequence_are_an_error_of_the_target(byte_tokenizer):
    tokenizer = byte_tokenizer()
    tokenizer.encode = lambda _: None
    batch = observe(Subject(target_of("x", tokenizer)), "digits", ["ab"])
    assert isinstance(batch.errors[0], TypeError)


def test_the_reference_encodes_what_the_target_declares(observed):
    batch = observed(["e\u0301"], reference={}, normalizer="NFC")
    assert batch.reference_ids == [[0xC3, 0xA9]]
    assert batch.ids == [[0x65, 0xCC, 0x81]]


@pytest.mark.parametrize("texts", [["b"], ["b", "a"], ["a", "b", "c"], ["b", "b"], ["a", "b", "b"]])
def test_every_row_stays_in_its_place_whatever_raises_before_it(observed, texts):
    batch = observed(texts, before=raising(ValueError("no")))
    wanted = [None if text == "b" else [ord(text)] for text in texts]
    assert batch.ids == wanted
    assert sorted(batch.errors) == [row for row, ids in enumerate(wanted) if ids is None]


def test_a_target_that_raises_stop_iteration_loses_no_row(observed):
    batch = observed(["a", "b", "c"], before=raising(StopIteration()))
    assert batch.ids == [[0x61], None, [0x63]]
    assert isinstance(batch.errors[1], StopIteration)


def test_a_target_that_wants_to_exit_is_an_error_of_the_target(observed):
    batch = observed(["b"], before=raising(SystemExit(3)))
    assert isinstance(batch.errors[0], SystemExit)
