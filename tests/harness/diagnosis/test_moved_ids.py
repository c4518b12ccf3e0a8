"""TOK201, TOK101, TOK202: ids that are those of the reference, moved by a number."""

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


class Table(Characters):
    """A tokenizer that refuses ids without a token; ``change`` moves the ids that it decodes."""

    def __init__(self, change=lambda number: number, *, encodes=True, gaps=()):
        super().__init__(change if encodes else lambda number: number)
        self.table = {change(number): chr(number) for number in range(SIZE)}
        self.table |= dict.fromkeys(gaps, chr(200))
        self.n_vocab = max(self.table) + 1

    def decode(self, ids):
        return "".join(map(self.table.__getitem__, ids))


PLUS, MINUS = (lambda n: n + (n >= 200)), (lambda n: n - (n >= 200))


@pytest.mark.parametrize(
    ("change", "by", "gaps"),
    [(PLUS, "+1 from 200", ()), (PLUS, "+1 from 200", (200,)), (MINUS, "-1 from 200", ())],
)
@pytest.mark.parametrize("encodes", [False, True])
def test_ids_that_are_moved_where_they_decode_are_one_bug(check_texts, change, by, gaps, encodes):
    target = Table(change, encodes=encodes, gaps=gaps)
    found = check_texts("TOK202", target, TEXTS, reference=Table(), claims_parity=True)
    assert [(str(bug.cause), bug.cause.weak) for bug in found.bugs] == [(f"moved ids: {by}", False)]


def test_ids_that_are_moved_only_where_they_decode_are_one_bug_of_texts(check_texts):
    target, texts = Table(PLUS, encodes=False, gaps=(200,)), (*TEXTS[2:], "\xc8a\xc9")
    (bug,) = check_texts("TOK101", target, texts, reference=Table()).bugs
    assert (str(bug.cause), bug.cause.weak) == ("moved ids: +1 from 200", False)


def test_texts_of_ids_that_are_exchanged_are_not_moved(check_texts):
    target = Table(lambda number: number ^ 1, encodes=False)
    found = check_texts("TOK202", target, TEXTS, reference=Table(), claims_parity=True)
    assert found.bugs
    assert "moved ids" not in {bug.cause.kind for bug in found.bugs}
