"""Results of a target as exact built-in values."""

import itertools

import pytest

from tokharness.boundary.exceptions import (
    Opaque,
    ResultTooLongError,
    exception_of,
    named_exception,
    type_name,
)
from tokharness.boundary.tokenizer import ExactTokenizer
from tokharness.boundary.values import exact_ids, exact_text, plain
from tokharness.errors import SkippedTextError, TargetDeath, TargetError
from tokharness.model import target_of
from tokharness.targets.loading import tokenizer_of


def kind_of(value):
    return type(value).__name__


class Text(str):
    __slots__ = ()

    def __eq__(self, other):
        return True

    __hash__ = str.__hash__

    def __str__(self):
        return "lies"


class Number(int):
    def __index__(self):
        return 9


class Index:
    def __index__(self):
        return 5


class Floating(float):
    pass


@pytest.mark.parametrize(
    "ids", [[Number(5)], (5,), iter([5]), [Index()], range(5, 6), {5: "x"}, b"\x05"], ids=kind_of
)
def test_ids_of_any_kind_become_a_list_of_exact_integers(ids):
    exact = exact_ids(ids, 1)
    assert exact == [5]
    assert [type(exact), *map(type, exact)] == [list, int]


@pytest.mark.parametrize("item", [1.5, None, True, "5", b"5"], ids=kind_of)
def test_a_built_in_value_of_another_type_stays(item):
    (exact,) = exact_ids([item], 1)
    assert exact is item


@pytest.mark.parametrize(
    "item", [Floating(1.5), Text("a"), [1], {}, object(), 1 << 2000], ids=kind_of
)
def test_an_object_of_another_type_is_put_in_a_box(item):
    (box,) = exact_ids([item], 1)
    assert box.raw is item
    assert type_name(box) == type(item).__name__
    assert box == exact_ids([item], 1)[0]
    assert hash(box) == hash(exact_ids([item], 1)[0])


def test_the_target_gets_what_is_in_the_box():
    class Nested:
        def encode(self, text):
            return [[ord(character)] for character in text]

        def decode(self, ids):
            return "".join(chr(number) for [number] in ids)

    target = target_of("t", Nested())
    assert target.decode(target.encode("ab")) == "ab"
    encoded = tokenizer_of(target).encode_column(["ab", "c"])
    assert tokenizer_of(target).decode_column(encoded) == (["ab", "c"], {})
    assert encoded.errors == {}


def test_an_exact_list_stays_the_same_list():
    ids = [1, 2]
    assert exact_ids(ids, 2) is ids


@pytest.mark.parametrize("ids", [itertools.count(), [0] * 1_000_000], ids=["endless", "long"])
def test_ids_have_a_bound(ids):
    with pytest.raises(ResultTooLongError):
        exact_ids(ids, 1)


def test_a_bound_grows_with_the_text():
    assert len(exact_ids([0] * 1_000_000, 100_000)) == 1_000_000
    assert len(exact_text("a" * 1_000_000, 1_000)) == 1_000_000


@pytest.mark.parametrize("text", [Text("abc"), b"abc", bytearray(b"abc"), "abc"], ids=kind_of)
def test_a_text_is_exact(text):
    exact = exact_text(text, 1)
    assert type(exact) in (str, bytes)
    assert exact in ("abc", b"abc")


@pytest.mark.parametrize("value", [None, 5, ["a"], memoryview(b"a")], ids=kind_of)
def test_another_type_than_a_text_is_refused(value):
    with pytest.raises(TypeError, match=f"decode returned {type(value).__name__}, not str"):
        exact_text(value, 1)


@pytest.mark.parametrize(
    ("value", "exact"),
    [
        (Text("a"), "a"),
        (Number(5), 5),
        (Index(), 5),
        ([Number(5), (Text("a"),)], [5, ["a"]]),
        (iter([1, None]), [1, None]),
        (True, True),
    ],
    ids=kind_of,
)
def test_a_plain_value_is_exact(value, exact):
    assert repr(plain(value)) == repr(exact)


def test_an_object_without_items_is_put_in_a_box():
    assert isinstance(plain(object()), Opaque)


@pytest.mark.parametrize(
    ("error", "name", "message"),
    [
        (ValueError("no"), "ValueError", "no"),
        (KeyError("a"), "KeyError", "'a'"),
        (SystemExit(3), "SystemExit", "3"),
        (StopIteration("x"), "StopIteration", "x"),
        (MemoryError(), "MemoryError", ""),
        (TargetDeath("SIGKILL"), "TargetDeath", "SIGKILL"),
        (SkippedTextError("x"), "SkippedTextError", "x"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"), "UnicodeDecodeError", None),
    ],
    ids=kind_of,
)
def test_an_exception_is_replaced_by_one_with_its_name_and_message(error, name, message):
    replaced = exception_of(error)
    assert type(replaced).__name__ == name
    assert str(replaced) == (str(error) if message is None else message)
    assert replaced is not error
    assert isinstance(replaced, Exception) == isinstance(error, Exception)
    assert not isinstance(replaced, TargetDeath | SkippedTextError)
    for base in (LookupError, UnicodeError, MemoryError):
        assert isinstance(replaced, base) == isinstance(error, base)


@pytest.mark.parametrize("name", ["", "a\0b", "\ud800", "x" * 10_000])
def test_an_exception_may_have_any_name(name):
    error = named_exception(name, "m" * 10_000)
    assert len(type(error).__name__) <= 100
    assert len(str(error)) < 2100


class Minimal:
    def encode(self, text):
        return list(text.encode())

    def decode(self, ids):
        return bytes(ids)


def test_a_target_has_the_methods_of_its_tokenizer_and_no_other():
    target = target_of("t", Minimal())
    assert target.capabilities == ()
    assert not hasattr(tokenizer_of(target), "encode_batch")
    assert target.decode(target.encode("a")) == "a"


@pytest.mark.parametrize("name", ["fresh", "call_each", "call_batch", "crashers"])
def test_a_target_cannot_look_like_one_in_a_process_of_its_own(name):
    tokenizer = Minimal()
    setattr(tokenizer, name, lambda *_: None)
    target = target_of("t", tokenizer)
    assert not target.has_own_process
    assert not hasattr(tokenizer_of(target), name)


def test_a_tokenizer_is_wrapped_once():
    target = target_of("t", Minimal())
    tokenizer = tokenizer_of(target)
    assert tokenizer_of(target_of("t", tokenizer)) is tokenizer
    assert type(tokenizer) is ExactTokenizer


def test_a_tokenizer_without_encode_is_refused():
    with pytest.raises(TargetError, match="has no encode"):
        target_of("t", object())


@pytest.mark.parametrize(
    ("name", "value", "used"),
    [
        ("n_vocab", 10**30, None),
        ("n_vocab", -(10**30), None),
        ("special_tokens", {"a" * 20_000: 1, "b": 2}, {"b": 2}),
    ],
)
def test_what_exceeds_a_bound_is_not_used_and_named(name, value, used):
    tokenizer = Minimal()
    setattr(tokenizer, name, value)
    target = target_of("t", tokenizer)
    assert getattr(target, name) == used
    assert [what for what, _ in target.beyond_bounds] == [name]
