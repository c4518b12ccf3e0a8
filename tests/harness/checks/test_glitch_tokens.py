"""TOK401 to TOK405: what the vocabulary alone shows."""

import pytest

BYTES = [bytes([byte]) for byte in range(256)]
NEVER = [bytes([byte]) for byte in (0xC0, 0xC1, *range(0xF5, 0x100))]
USED = [piece for piece in BYTES if piece not in NEVER]


class Vocabulary:
    """A vocabulary, encoded by the longest match; None is a hole."""

    def __init__(self, tokens, unreachable=(), special=None):
        self.tokens = tokens
        self.n_vocab = len(tokens)
        self.special_tokens = special or {}
        self.unreachable = unreachable

    def encode(self, text):
        data, ids = text.encode("utf-8", "replace"), []
        while data:
            size = next(
                n
                for n in range(len(data), 0, -1)
                if data[:n] in self.tokens and data[:n] not in self.unreachable
            )
            ids.append(self.tokens.index(data[:size]))
            data = data[size:]
        return ids

    def decode(self, ids):
        return b"".join(self.tokens[i] for i in ids)

    def decode_single_token_bytes(self, i):
        if self.tokens[i] is None:
            raise KeyError(i)
        return self.tokens[i]


@pytest.mark.parametrize("code", ["TOK401", "TOK402", "TOK403", "TOK404", "TOK405"])
def test_a_clean_vocabulary_passes(check_texts, code):
    tokens = [piece for piece in USED if not piece.isspace()] + [b"ab", b" a", b"\xc3\xa9"]
    findings = check_texts(code, Vocabulary([*tokens, *[p for p in USED if p.isspace()]]))
    assert findings.bugs == findings.risks == []


@pytest.mark.parametrize("code", ["TOK401", "TOK402", "TOK403", "TOK404", "TOK405"])
def test_an_empty_vocabulary_passes(check_texts, code):
    assert check_texts(code, Vocabulary([None, None])) == []


@pytest.mark.slow
def test_tokens_that_no_text_gives_are_one_risk(check_texts):
    tokens = [*BYTES, b"ab", b"abc", b"abcd"]
    (risk,) = check_texts("TOK401", Vocabulary(tokens, unreachable=(b"ab", b"abcd"))).risks
    assert (risk.verdict, risk.count, risk.text) == ("risk", 2, "ab")
    assert risk.evidence["ids"] == [256, 258]


@pytest.mark.slow
def test_a_start_token_does_not_hide_that_a_token_is_reached(check_texts):
    target = Vocabulary([*BYTES, b"ab", b"<s>"], unreachable=(b"ab",), special={"<s>": 257})
    plain = target.encode
    target.encode = lambda text: [257, *plain(text)]
    (risk,) = check_texts("TOK401", target).risks
    assert (risk.count, risk.text) == (1, "ab")


def test_a_special_token_need_not_be_reached(check_texts):
    tokens = [*BYTES, b"<s>"]
    target = Vocabulary(tokens, unreachable=(b"<s>",), special={"<s>": 256})
    assert check_texts("TOK401", target).risks == []


def test_partial_characters_are_counted_by_where_they_are_broken(check_texts):
    tokens = [*BYTES, b"a\xe4\xb8", b"\xad\xe6", b"\xe4\xb8", b"\x80a", b"ok"]
    (fact,) = check_texts("TOK402", Vocabulary(tokens))
    assert (fact.verdict, fact.count, fact.text) == ("fact", 4, b"\x80a")
    assert fact.evidence == {
        "end inside a character": 2,
        "begin and end inside a character": 1,
        "begin inside a character": 1,
        "tokens": 261,
    }


def test_a_missing_byte_of_utf8_is_a_bug(check_texts):
    tokens = [piece for piece in USED if piece not in (b"\x01", b"\xc3")]
    (bug,) = check_texts("TOK403", Vocabulary(tokens))
    assert (bug.verdict, bug.count, bug.text) == ("bug", 2, b"\x01")
    assert str(bug.cause) == "byte without a token: 01 C3"


def test_bytes_that_utf8_never_uses_are_one_finding(check_texts):
    (fact,) = check_texts("TOK403", Vocabulary(BYTES))
    assert (fact.verdict, fact.count) == ("fact", 13)


def test_a_vocabulary_of_characters_is_not_taken_for_byte_level(check_texts):
    assert check_texts("TOK403", Vocabulary([b"a", b"b", "\u00e9".encode()])) == []


def test_replacement_characters_are_counted(check_texts):
    tokens = [*BYTES, b"\xef\xbf\xbd", b"a\xef\xbf\xbd\xef\xbf\xbd", b"\xef\xbf"]
    (fact,) = check_texts("TOK404", Vocabulary(tokens))
    assert (fact.verdict, fact.count, fact.text) == ("fact", 2, b"\xef\xbf\xbd")


def test_white_space_is_counted_by_kind_with_the_longest(check_texts):
    tokens = [b"a", b" ", b"  ", b"    ", b"\t", b"\n\n", b"\r\n", b"\xc2\xa0", b" a"]
    (fact,) = check_texts("TOK405", Vocabulary(tokens))
    assert (fact.verdict, fact.count, fact.text) == ("fact", 7, "    ")
    assert fact.evidence == {"spaces": 3, "tabs": 1, "line feeds": 1, "mixed": 1, "other": 1}


class CharactersInBytes(Vocabulary):
    """Tokens of characters, which a decoder turns into other bytes."""

    def encode(self, text):
        return [ord(char) if ord(char) < len(self.tokens) else 0 for char in text]

    def decode(self, ids):
        return "".join(map(chr, ids))


def test_tokens_of_characters_that_a_decoder_takes_for_bytes_lack_no_byte(check_texts):
    letters = [b"\xc9\x92" if byte in b"ab" else piece for byte, piece in enumerate(BYTES)]
    assert check_texts("TOK403", CharactersInBytes(letters)).bugs == []


def test_a_byte_that_text_gets_as_an_added_token_is_not_missing(check_texts):
    target = Vocabulary([piece for piece in USED if piece != b"\n"])
    plain, size = target.encode, len(target.tokens)
    target.added_tokens = {"\n": size}
    target.encode = lambda text: [size] if text == "\n" else plain(text)
    decode = target.decode
    target.decode = lambda ids: b"\n" if ids == [size] else decode(ids)
    assert check_texts("TOK403", target).bugs == []


def test_the_checks_require_the_bytes_of_tokens(byte_tokenizer):
    from tokharness import plugins

    for code in ("TOK402", "TOK403", "TOK404", "TOK405"):
        bytes_of_tokens = "decode_single_token_bytes or bytes_inside"
        assert plugins.checks()[code].requires == (bytes_of_tokens, "n_vocab")


@pytest.mark.parametrize("token", [b"\xff\xfe", b"a\xc3a", b"\x80" * 4, b"\xed\xa0", b"\xe9\xffz"])
def test_a_token_that_no_utf8_contains_is_a_risk(check_texts, token):
    (risk,) = check_texts("TOK401", Vocabulary([*BYTES, token])).risks
    assert (risk.verdict, risk.count, risk.text) == ("risk", 1, token)


@pytest.mark.parametrize("token", [b"\x80\x80\x80", b"\xad\xe6\x97", b"\xf0\x9f", b"a\xc3"])
def test_parts_of_characters_that_a_text_contains_pass(check_texts, token):
    assert check_texts("TOK401", Vocabulary([*BYTES, token])).risks == []


def test_a_second_id_of_a_token_is_left_to_another_check(check_texts):
    assert check_texts("TOK401", Vocabulary([*BYTES, b"ab", b"ab"])).risks == []


@pytest.mark.slow
def test_a_token_with_the_id_of_a_special_token_is_checked(check_texts):
    target = Vocabulary([*BYTES, b"<s>"], special={"<s>": 256})
    target.conflicting_tokens = {256: b"ab"}
    (risk,) = check_texts("TOK401", target).risks
    assert (risk.count, risk.text) == (1, "ab")


@pytest.mark.slow
def test_tokens_of_digits_that_are_split_are_a_finding_of_their_own(check_texts):
    tokens = [*BYTES, b"ab", b"2024", b" 12", b"1"]
    findings = check_texts("TOK401", Vocabulary(tokens, unreachable=(b"ab", b"2024", b" 12")))
    assert {str(finding.cause): finding.count for finding in findings.risks} == {
        "tokens of merged digits": 2,
        "tokens not reached": 1,
    }


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("rows", [[1, 2], [("a",), None], "ab", [("a", 1)], ValueError("no")])
def test_a_method_of_a_target_that_is_named_reach_by_chance_proves_nothing(check_texts, rows):
    target = Vocabulary([*BYTES, b"ab"], unreachable=(b"ab",))

    def reach(numbers):
        if isinstance(rows, Exception):
            raise rows
        return rows

    target.reach = reach
    (risk,) = check_texts("TOK401", target).risks
    assert (str(risk.cause), risk.count) == ("tokens not reached", 1)
