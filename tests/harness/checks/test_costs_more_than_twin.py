"""TOK303: cases that cost three or more times the tokens of their twin."""

from tokharness.model import Case

CODE = "TOK303"


def family(*pairs):
    return lambda: iter([Case(text, "why", twin) for text, twin in pairs])


def test_cases_that_cost_as_much_as_their_twins_pass(check_texts, byte_tokenizer):
    cases = {"plain": family(("ab", "cd"), ("a\u00e9", "ae"), ("word", None))}
    assert check_texts(CODE, byte_tokenizer(), cases=cases) == []


def test_families_without_twins_pass(check_texts, byte_tokenizer):
    assert check_texts(CODE, byte_tokenizer(), cases={"plain": family(("a", None))}) == []


def test_each_family_with_inflation_is_one_risk_with_share_and_worst(check_texts, byte_tokenizer):
    cases = {
        "han": family(("\u4e2d", "a"), ("\u4e2d\u6587", "ab"), ("\u00e9", "e"), ("ok", "of")),
        "tags": family(("\U000e0061", "a")),
    }
    han, tags = check_texts(CODE, byte_tokenizer(), cases=cases).risks
    assert [str(finding.cause) for finding in (han, tags)] == ["inflation: han", "inflation: tags"]
    assert (han.count, han.text) == (2, "\u4e2d")
    assert "50.0% of 4 cases" in han.message
    assert "the worst costs 3.0 times" in han.message
    assert tags.evidence == {"twin": "a"}


def test_ids_that_every_text_gets_are_left_out(check_texts, byte_tokenizer):
    target = byte_tokenizer()
    plain = target.encode
    target.encode = lambda text: [1, 2, 3, *plain(text), 4]
    (risk,) = check_texts(CODE, target, cases={"han": family(("\u4e2d", "a"))})
    assert "the worst costs 3.0 times" in risk.message


def test_the_id_of_unknown_text_is_not_an_affix(check_texts, byte_tokenizer):
    target = byte_tokenizer()
    target.encode = lambda text: [0] * len(text)
    (risk,) = check_texts(CODE, target, cases={"long": family(("abcabc", "ab"))})
    assert "the worst" in risk.message


def test_texts_that_raise_are_left_out(check_texts, byte_tokenizer):
    def encode(text):
        if "x" in text:
            raise ValueError(text)
        return list(text.encode())

    target = byte_tokenizer()
    target.encode = encode
    cases = {"some": family(("\u4e2d", "x"), ("xxxx", "a"), ("\u4e2d", "a"))}
    (risk,) = check_texts(CODE, target, cases=cases)
    assert "of 1 cases" in risk.message
