"""TOK201, TOK101: ids that are those of the reference, moved by a number."""

import pytest

SIZE = 1024
TEXTS = ("a", "bc", "\u0141\u0142", "\u0100a", "\u0259b\u0391", "\u03a9")


class Characters:
    """One id for each character, from which ``change`` makes that of the target."""

    n_vocab = SIZE

    def __init__(self, change=lambda number: number):
        self.change = change

    def encode(self, text):
        return [self.change(ord(char)) for char in text]

    def decode(self, ids):
        return "".join(map(chr, ids))


@pytest.mark.parametrize(
    ("change", "by"),
    [
        (lambda n: n - 128 if n >= 512 else n, "-128 from 512"),
        (lambda n: n % 256, "modulo 256"),
        (lambda n: n + 4, "+4 from 0"),
    ],
)
@pytest.mark.parametrize("code", ["TOK101", "TOK201"])
def test_moved_ids_are_one_bug_with_the_number(check_texts, change, by, code):
    texts = [text for text in TEXTS if Characters(change).encode(text) != [*map(ord, text)]]
    (bug,) = check_texts(code, Characters(change), texts, reference=Characters()).bugs
    assert (str(bug.cause), bug.cause.weak) == (f"moved ids: {by}", False)


def test_ids_that_are_exchanged_are_not_moved(check_texts):
    def exchanged(number):
        return number ^ 1

    found = check_texts("TOK201", Characters(exchanged), TEXTS, reference=Characters())
    assert found.bugs
    assert "moved ids" not in {bug.cause.kind for bug in found.bugs}


def test_one_other_id_among_moved_ones_has_another_cause(check_texts):
    def change(number):
        return number + 4 if number != ord("b") else ord("z")

    found = check_texts("TOK201", Characters(change), ["a", "b"], reference=Characters())
    by_text = {bug.text: str(bug.cause) for bug in found.bugs}
    assert by_text["a"] == "moved ids: +4 from 0"
    assert by_text["b"] != by_text["a"]
