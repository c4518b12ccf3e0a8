from planted._tokenizer_files import altered, healthy

from tokharness.cli._token_table import stage_table
from tokharness.model import target_of


def lines(*targets, text="A b", width=100):
    return stage_table(text, targets, width=width, color=False).splitlines()


def test_each_stage_is_a_row_with_the_text_after_it():
    (row,) = [
        line for line in lines(target_of("one", healthy("lowercase"))) if "normalizer" in line
    ]
    assert "a b" in row


def test_the_first_stage_that_differs_is_marked():
    record = {"type": "Strip", "strip_left": True, "strip_right": True}
    targets = (
        target_of("one", healthy("lowercase")),
        target_of("two", altered("lowercase", "normalizer", to=record)),
    )
    assert [line.split()[0] for line in lines(*targets) if "differs" in line] == ["normalizer"]


def test_a_narrow_table_has_a_row_for_each_target_with_its_number():
    record = {"type": "Strip", "strip_left": True, "strip_right": True}
    targets = (
        target_of("one", healthy("lowercase")),
        target_of("two", altered("lowercase", "normalizer", to=record)),
    )
    drawn = lines(*targets, width=40)
    at = next(at for at, line in enumerate(drawn) if line.split()[:1] == ["normalizer"])
    assert [line.split() for line in drawn[at : at + 2]] == [
        ["normalizer", "1", "a", "b"],
        ["differs", "2", "A", "b"],
    ]
    assert max(map(len, drawn)) <= 40


def test_equal_stages_are_not_marked():
    target = target_of("one", healthy("lowercase"))
    assert not any("differs" in line for line in lines(target, target))


def test_a_target_without_stages_has_no_table():
    class Plain:
        def encode(self, text):
            return list(text.encode())

        def decode(self, ids):
            return bytes(ids)

    assert lines(target_of("plain", Plain())) == []


def test_a_surrogate_for_a_byte_is_shown_as_what_the_bytes_spell():
    class Bytes:
        def encode(self, text):
            return list(text.encode())

        def decode(self, ids):
            return bytes(ids)

        def stages(self, text):
            return [("model", [" caf\udcc3\udca9", "\udcc3", "\ud800"])]

    (row,) = [line for line in lines(target_of("bytes", Bytes())) if "model" in line]
    assert row.split("model")[1].strip() == "caf\u00e9 | \\xc3 | \\u{d800}"
