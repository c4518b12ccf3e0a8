"""TOK114: time or memory grows faster than the text."""

import math
import time

import pytest

from tokharness.diagnosis.probes import growth as growth_module
from tokharness.diagnosis.probes.growth import Curve, measure_growth
from tokharness.outcome import Raised

CODE = "TOK114"


LETTERS = "U+0061 LATIN SMALL LETTER A"


@pytest.fixture(autouse=True)
def one_unit(monkeypatch):
    """Measure one unit only: all units take seconds."""
    monkeypatch.setattr("tokharness.checks.superlinear_growth.UNITS", {LETTERS: "a"})
    monkeypatch.setattr("tokharness.checks.superlinear_growth.FOR_MEMORY", (LETTERS,))


@pytest.fixture
def now(monkeypatch):
    """A clock that a test moves on, so that no test depends on the load of the machine."""
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


@pytest.mark.parametrize(
    ("seconds", "exponent"),
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
def test_only_a_high_exponent_is_reported(clock, seconds, exponent):
    curve = measure_growth(clock(lambda n, _: seconds(n)), time.process_time)
    assert (curve and curve.exponent) == (exponent and pytest.approx(exponent, abs=0.15))


def test_noise_of_single_measurements_is_ignored(clock):
    noisy = clock(lambda n, repeat: 1e-6 * n * (10 if (n // 500 + repeat) % 2 else 1))
    assert measure_growth(noisy, time.process_time) is None


@pytest.mark.parametrize("factor", [3, 40])
@pytest.mark.parametrize("size", [1024, 2048, 4096, 8192])
def test_a_single_slow_call_hides_no_growth(clock, size, factor):
    slow = clock(lambda n, repeat: 1e-9 * n**2 * (factor if (n, repeat) == (size, 0) else 1))
    assert measure_growth(slow, time.process_time).exponent == pytest.approx(1.9, abs=0.15)


@pytest.mark.parametrize("fixed", [2e-3, 5e-3])
def test_what_a_call_takes_for_any_length_hides_no_growth(clock, fixed):
    slow = clock(lambda n, _: fixed + 1e-9 * n**2)
    assert measure_growth(slow, time.process_time).exponent >= 1.6


def test_one_jump_is_no_growth(clock):
    assert (
        measure_growth(clock(lambda n, _: 1e-6 * n * (8 if n > 4000 else 1)), time.process_time)
        is None
    )


def test_superlinear_growth_up_to_some_length_passes(clock):
    assert measure_growth(clock(lambda n, _: 1e-8 * n * min(n, 1000)), time.process_time) is None


def test_a_measurement_stops_before_it_takes_too_long(clock):
    measured = []

    def seconds(n, _):
        measured.append(1e-7 * n**2)
        return measured[-1]

    measure_growth(clock(seconds), time.process_time)
    assert max(measured) < 10 * growth_module.TOO_LONG


def test_a_call_that_raises_has_no_curve():
    raised = Raised(ValueError())
    assert measure_growth(lambda *_: lambda: raised, time.process_time) is None


def test_too_few_sizes_have_no_exponent():
    assert Curve((10, 20, 40), (1.0, 4.0, 16.0)).exponent == 0


def test_waiting_counts_as_time(clock, monkeypatch):
    monkeypatch.setattr(growth_module.time, "process_time", lambda: 0.0)
    assert growth_module.seconds_of(clock(lambda *_: 0.02), 1, 0, time.process_time) == 0.02


def test_the_time_that_the_clock_takes_is_no_waiting(now):
    used = [0.0]

    def slow_clock():
        now[0] += 1.0
        return used[0]

    def call():
        now[0] += 0.01
        used[0] += 0.01

    measured = growth_module.seconds_of(lambda *_: call, 1, 0, slow_clock)
    assert measured == pytest.approx(0.01)


def test_a_linear_target_passes(check_texts, byte_tokenizer):
    assert check_texts(CODE, byte_tokenizer()).bugs == []


@pytest.fixture
def slow(now):
    """Make a function slow: it takes ``seconds(length)`` for a text, or ids, of a length."""

    def taking(function, seconds):
        def call(argument):
            now[0] += seconds(len(argument))
            return function(argument)

        return call

    return taking


@pytest.mark.parametrize("seconds", [lambda n: 1e-8 * n**2, lambda n: 1e-9 * n**2 + 1e-6 * n])
def test_a_quadratic_encoder_is_one_bug(check_texts, byte_tokenizer, slow, seconds):
    tokenizer = byte_tokenizer()
    tokenizer.encode = slow(tokenizer.encode, seconds)
    (bug,) = check_texts(CODE, tokenizer).bugs
    assert str(bug.cause) == "superlinear growth: time, encode"
    assert set(bug.text) == {"a"}


def test_a_quadratic_decoder_is_one_bug(check_texts, byte_tokenizer, slow):
    tokenizer = byte_tokenizer()
    tokenizer.decode = slow(tokenizer.decode, lambda n: 1e-8 * n**2)
    tokenizer.encode = slow(tokenizer.encode, lambda n: 1e-7 * n)
    (bug,) = check_texts(CODE, tokenizer).bugs
    assert str(bug.cause) == "superlinear growth: time, decode"


def test_memory_that_grows_with_the_square_is_a_bug(check_texts, byte_tokenizer, monkeypatch):
    tokenizer = byte_tokenizer()
    plain = tokenizer.encode

    def encode(text):
        table = bytearray(len(text) ** 2)
        return plain(text) if table is not None else []

    tokenizer.encode = encode
    monkeypatch.setattr("tokharness.checks.superlinear_growth._time_exponents", lambda *_: {})
    (bug,) = check_texts(CODE, tokenizer).bugs
    assert str(bug.cause) == "superlinear growth: memory, encode"
