"""A packed text that fails is replaced by those of its parts that fail the same check."""

from types import SimpleNamespace

import pytest

from tokharness import plugins
from tokharness.engine.worker.batches import BatchOptions, BatchRunner
from tokharness.engine.worker.operations.unit import MAX_PARTS, run_packed
from tokharness.engine.worker.time_limits import Timer
from tokharness.model import target_of
from tokharness.targets.processes.limits import Limits
from tokharness.targets.subject import Subject

LOSSY, RAISES, NOT_DETERMINISTIC = "TOK101", "TOK102", "TOK109"
PACK = "a,b,c,d,"


def unpack(text):
    return [part + "," for part in text.split(",")[:-1]] if text.count(",") > 1 else []


@pytest.fixture
def run():
    """Run packed texts over an encoder, a function of the text; return the texts that it gets."""

    def run_texts(encode, texts, codes=(LOSSY, RAISES), recheck_every=1, **limits):
        seen = []

        def encode_and_keep(text):
            seen.append(text)
            return list(encode(text).encode())

        tokenizer = SimpleNamespace(encode=encode_and_keep, decode=lambda ids: bytes(ids).decode())
        subject = Subject(target_of("target", tokenizer))
        checks = [plugins.checks()[code] for code in codes]
        runner = BatchRunner(subject, checks, Timer(Limits(), stopped=True), guarded=False)
        options = BatchOptions("packed", recheck_every=recheck_every)
        return run_packed(runner, texts, options, unpack, **limits), seen

    return run_texts


def drops(*characters):
    return lambda text: "".join(char for char in text if char not in characters)


def test_nothing_is_taken_apart_if_nothing_fails(run):
    result, seen = run(str, [PACK, "x"])
    assert list(dict.fromkeys(seen)) == [PACK, "x"]
    assert not any(result.failing.values())


def test_the_parts_that_fail_take_the_place_of_the_text(run):
    result, _ = run(drops("b", "d", "x"), [PACK, "x", "e,f,"])
    assert result.failing[LOSSY] == ["x", "b,", "d,"]
    assert result.cases == 3


def test_a_text_none_of_whose_parts_fails_stays(run):
    result, _ = run(lambda text: text.replace("a,b", "a"), [PACK])
    assert result.failing[LOSSY] == [PACK]


def test_a_part_that_raises_does_not_hide_another_that_is_lost(run):
    def encode(text):
        if "a" in text:
            raise ValueError
        return drops("c")(text)

    result, _ = run(encode, [PACK])
    assert result.failing == {LOSSY: ["c,"], RAISES: ["a,"]}


@pytest.mark.slow
def test_no_more_parts_run_than_a_unit_has_texts(run):
    texts = [f"{number}a,{number}b," for number in range(MAX_PARTS)]
    result, seen = run(drops("a"), texts, codes=[LOSSY])
    assert len(set(seen) - set(texts) - {""}) <= MAX_PARTS + 8  # and texts of the check itself
    taken_apart = [text for text in result.failing[LOSSY] if text.count(",") == 1]
    assert len(taken_apart) == MAX_PARTS // 2
    assert len(result.failing[LOSSY]) == len(texts)


def test_a_check_that_all_texts_fail_leaves_room_for_one_that_few_fail(run):
    def encode(text):
        if "199b" in text:
            raise ValueError
        return drops("a")(text)

    texts = [f"{number}a,{number}b," for number in range(200)]
    result, _ = run(encode, texts, max_parts=20)
    assert result.failing[RAISES] == ["199b,"]
    assert len(result.failing[LOSSY]) == 200


def test_a_check_that_calls_the_target_again_sees_all_parts(run):
    calls = {}

    def encode(text):
        calls[text] = calls.get(text, 0) + 1
        return text + "!" * calls[text] if "c" in text else text

    result, _ = run(encode, [PACK], codes=[NOT_DETERMINISTIC], recheck_every=4)
    assert result.failing == {NOT_DETERMINISTIC: ["c,"]}
