"""TOK114: what grows faster than the text."""

import math
import time

import pytest

from tokharness.diagnosis.probes import growth as growth_module
from tokharness.diagnosis.probes.growth import Curve, measure_growth

CODE = "TOK114"


LETTERS = "U+0061 LATIN SMALL LETTER A"


@pytest.fixture(autouse=True)
def one_unit(monkeypatch):
    """All units of a healthy target take seconds."""
    monkeypatch.setattr("tokharness.checks.superlinear_growth.UNITS", {LETTERS: "a"})
    monkeypatch.setattr("tokharness.checks.superlinear_growth.FOR_MEMORY", (LETTERS,))


@pytest.fixture
def now(monkeypatch):
    """A clock that is moved on by hand, so that no test depends on how busy the machine is."""
    now = [0.0]
    monkeypatch.setattr(growth_module.time, "perf_counter", lambda: now[0])
    monkeypatch.setattr(growth_module.time, "process_time", lambda: now[0])
    return now


@pytest.fixture
def clock(now):
    """Prepared calls that move the clock on."""

    def taking(seconds):
        def prepare(size, repeat):
            def call():
                now[0] += seconds(size, repeat)

            return call

        return prepare

    return taking


@pytest.mark.parametrize("wall", [True, False])
@pytest.mark.parametrize(
    ("seconds", "found"),
    [
        (lambda n: 1e-6 * n, None),
        (lambda n: 1e-3 + 1e-7 * n, None),
        (lambda n: 1e-7 * n * math.log2(n), None),
        (lambda n: 1e-7 * n**1.2, None),
        (lambda n: 1e-7 * n**1.45, 1.4),
        (lambda n: 1e-9 * n**2, 1.9),
        (lambda n: 1e-6 * n**2, 1.9),
        (lambda n: 1e-9 * n**2 + 1e-6 * n, 1.8),
        (lambda n: 1e-12 * n**3, 2.9),
    ],
)
def test_an_exponent_is_told_where_it_is_high(clock, wall, seconds, found):
    curve = measure_growth(clock(lambda n, _: seconds(n)), wall=wall)
    assert (curve and curve.exponent) == (found and pytest.approx(found, abs=0.15))


def test_noise_that_comes_now_and_then_is_left_out(clock):
    noisy = clock(lambda n, repeat: 1e-6 * n * (10 if (n // 500 + repeat) % 2 else 1))
    assert measure_growth(noisy, wall=True) is None


def test_one_jump_is_no_growth(clock):
    assert measure_growth(clock(lambda n, _: 1e-6 * n * (8 if n > 4000 else 1)), wall=True) is None


def test_what_grows_faster_up_to_a_length_only_is_not_told(clock):
    assert measure_growth(clock(lambda n, _: 1e-8 * n * min(n, 1000)), wall=True) is None


def test_what_is_soon_too_long_is_stopped(clock):
    asked = []

    def seconds(n, _):
        asked.append(1e-7 * n**2)
        return asked[-1]

    measure_growth(clock(seconds), wall=True)
    assert max(asked) < 10 * growth_module.TOO_LONG


def test_what_raises_is_not_told():
    assert measure_growth(lambda size, repeat: lambda: [][size + repeat], wall=True) is None


def test_too_few_sizes_tell_nothing():
    assert Curve((10, 20, 40), (1.0, 4.0, 16.0)).exponent == 0


def test_waiting_counts_as_time():
    seconds = growth_module._seconds(lambda *_: lambda: time.sleep(0.02), 1, 0, wall=False)
    assert seconds >= 0.02


def test_a_linear_target_is_not_accused(check_texts, byte_tokenizer):
    assert check_texts(CODE, byte_tokenizer()).bugs == []


@pytest.fixture
def slow(now):
    """A function that takes so many seconds for a text or ids of a length."""

    def taking(function, seconds):
        def call(given):
            now[0] += seconds(len(given))
            return function(given)

        return call

    return taking


@pytest.mark.parametrize("seconds", [lambda n: 1e-8 * n**2, lambda n: 1e-9 * n**2 + 1e-6 * n])
def test_a_quadratic_encoder_is_one_bug(check_texts, byte_tokenizer, slow, seconds):
    one = byte_tokenizer()
    one.encode = slow(one.encode, seconds)
    (bug,) = check_texts(CODE, one).bugs
    assert str(bug.cause) == "superlinear growth: time, encode"
    assert set(bug.text) == {"a"}


def test_a_quadratic_decoder_is_one_bug(check_texts, byte_tokenizer, slow):
    one = byte_tokenizer()
    one.decode = slow(one.decode, lambda n: 1e-8 * n**2)
    one.encode = slow(one.encode, lambda n: 1e-7 * n)
    (bug,) = check_texts(CODE, one).bugs
    assert str(bug.cause) == "superlinear growth: time, decode"


def test_memory_that_grows_with_the_square_is_a_bug(check_texts, byte_tokenizer, monkeypatch):
    one = byte_tokenizer()
    plain = one.encode

    def encode(text):
        table = bytearray(len(text) ** 2)
        return plain(text) if table is not None else []

    one.encode = encode
    monkeypatch.setattr("tokharness.checks.superlinear_growth._time_exponents", lambda *_: {})
    (bug,) = check_texts(CODE, one).bugs
    assert str(bug.cause) == "superlinear growth: memory, encode"
