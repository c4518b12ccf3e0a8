"""TOK115, TOK101: added tokens that are not read, not decoded, or lose the text around them."""

import re
from types import SimpleNamespace

import pytest
from planted._tokenizer_files import healthy, record_of

from tokharness_tokenizers.reference.tokenizer_json import read

NAME, DATE = "~name~", "~date~"
IDS = {NAME: 300, DATE: 301}


class Added:
    """Bytes, with added tokens in all text."""

    def __init__(self, read=IDS, shown=None, take=""):
        self.added_tokens = IDS
        self.read = read
        self.shown = shown or {number: text for text, number in IDS.items()}
        self.pattern = re.compile(f"{take}({'|'.join(read)})")

    def encode(self, text):
        parts = enumerate(self.pattern.split(text))
        rows = ([self.read[part]] if at % 2 else [*part.encode()] for at, part in parts)
        return [number for row in rows for number in row]

    def decode(self, ids):
        parts = (self.shown.get(i, chr(i)).encode("latin-1") for i in ids)
        return b"".join(parts).decode("utf-8", "replace")


TEXTS = ["a b", f"a {NAME} b", f"{DATE} c"]


@pytest.mark.parametrize("code", ["TOK101", "TOK115"])
def test_a_healthy_added_token_is_silent(check_texts, code):
    assert check_texts(code, Added(), TEXTS) == []


@pytest.mark.parametrize(
    ("target", "cause", "text"),
    [
        (Added(read={NAME: 300}), "added token: read as text", DATE),
        (Added(read={NAME: 300, DATE: 300}), "added token: read as another", DATE),
        (Added(shown={300: NAME, 301: "~dat~"}), "added token: decode gives another text", DATE),
        (Added(take=" ?"), "text around an added token: lost", " a ~date~ b "),
    ],
)
def test_a_fault_of_an_added_token_is_one_bug(check_texts, target, cause, text):
    (bug,) = check_texts("TOK115", target)
    assert (bug.verdict, str(bug.cause), bug.text) == ("bug", cause, text)


@pytest.mark.parametrize(
    ("target", "cause"),
    [
        (Added(shown={300: NAME, 301: "~dat~"}), "added token: decode gives another text"),
        (Added(take=" ?"), "text around an added token: lost"),
    ],
)
def test_a_text_that_changes_as_the_fault_predicts_has_its_cause(check_texts, target, cause):
    (bug,) = check_texts("TOK101", target, TEXTS)
    assert str(bug.cause) == cause


def test_ids_that_differ_for_the_text_next_to_a_token_have_the_same_cause(check_texts):
    (bug,) = check_texts("TOK201", Added(take=" ?"), ["a ~name~ b"], reference=Added())
    assert str(bug.cause) == "text around an added token: lost"


def test_white_space_that_is_lost_next_to_a_word_too_is_not_the_tokens_fault(check_texts):
    target = Added()
    decode = target.decode
    target.decode = lambda ids: decode(ids).rstrip()
    (bug,) = check_texts("TOK101", target, [f"a {DATE} ", "b "])
    assert bug.cause.kind == "normalizer"


def test_a_token_that_next_to_some_text_is_read_as_text_loses_no_text(check_texts):
    target = Added()
    encode = target.encode
    target.encode = lambda text: encode(text.replace(f"{DATE}u", f"{DATE[:2]}\0{DATE[2:]}u"))
    decode = target.decode
    target.decode = lambda ids: decode(ids).replace("\0", "")
    (bug,) = check_texts("TOK115", target)
    assert str(bug.cause) == "text around an added token: read with the token"


@pytest.mark.slow
def test_a_token_that_is_read_as_another_has_the_setting_that_gives_its_ids(check_texts):
    reference = healthy("added")
    tokens = reference.added_tokens

    def encode(text):
        parts = enumerate(re.split("(~name~)", text))
        rows = ([tokens[p]] if at % 2 else reference.encode_ordinary(p) for at, p in parts)
        return [number for row in rows for number in row]

    port = SimpleNamespace(encode=encode, decode=reference.decode, added_tokens=tokens)
    causes = {
        str(check_texts(code, port, ["a ~name~1"], reference=reference).bugs[0].cause)
        for code in ("TOK115", "TOK201", "TOK401")
    }
    assert causes == {"added tokens: the shortest one at a place counts"}
    found = check_texts("TOK115", port, reference=reference)
    assert [str(one.cause) for one in found.bugs] == [*causes]


@pytest.mark.slow
def test_ids_that_lack_other_white_space_are_not_the_tokens_fault(check_texts):
    target = Added()
    encode = target.encode
    target.encode = lambda text: encode(text.replace("\n", ""))
    found = check_texts("TOK201", target, ["a\nb ~name~"], reference=Added())
    assert not any("around" in str(bug.cause) for bug in found.bugs)
    assert found.bugs


def test_a_text_that_changes_otherwise_has_another_cause(check_texts):
    target = Added(shown={300: NAME, 301: "~dat~"})
    decode = target.decode
    target.decode = lambda ids: decode(ids).replace("c", "")
    (bug,) = check_texts("TOK101", target, ["c"])
    assert bug.cause.kind == "dropped characters"


def test_flags_that_the_file_declares_are_silent(check_texts):
    taking = Added(take=" ?")
    taking.encode_altered = lambda _: []
    taking.token_text = chr
    assert check_texts("TOK115", taking, reference=taking) == []


# Ports that search for added tokens in their own way.

PATTERNS = {"[ab]": 300, "<x.y>": 301}


def port_record(names=PATTERNS):
    record = record_of("byte_bpe")
    first = max(record["model"]["vocab"].values()) + 1
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized", "special"), False)
    added = [{"id": first + at, "content": name, **flags} for at, name in enumerate(names)]
    return {**record, "added_tokens": added}


def port(split):
    """Return a port of a file that cuts added tokens out of a text in its own way."""
    file = read(port_record(), "file")
    plain = read(record_of("byte_bpe"), "without added tokens")

    def encode(text):
        rows = (
            [file.added_tokens[part]] if is_token else plain.encode_ordinary(part)
            for part, is_token in split(text)
            if part
        )
        return [number for row in rows for number in row]

    return SimpleNamespace(encode=encode, decode=file.decode, added_tokens=file.added_tokens)


def at_start(text):
    name = next((one for one in PATTERNS if text.startswith(one)), "")
    return [(name, True), (text[len(name) :], False)]


def once(text):
    parts = [(text, False)]
    for name in PATTERNS:
        at = next((n for n, (part, is_token) in enumerate(parts) if name in part), None)
        if at is not None:
            before, after = parts[at][0].split(name, 1)
            parts[at : at + 1] = [(before, False), (name, True), (after, False)]
    return parts


def as_patterns(text):
    names, done = [*PATTERNS], 0
    for match in re.finditer("|".join(f"({name})" for name in names), text):
        yield from ((text[done : match.start()], False), (names[match.lastindex - 1], True))
        done = match.end()
    yield text[done:], False


def cut_by_patterns(text):
    parts = re.split("|".join(f"({name})" for name in PATTERNS), text)
    return [(part, part in PATTERNS) for part in parts if part]


def everywhere(text):
    parts = re.split("|".join(f"({re.escape(name)})" for name in PATTERNS), text)
    return [(part, part in PATTERNS) for part in parts if part]


PORT_TEXTS = (
    *("[ab]", "x[ab]", "[ab]x", "a b", "x", "[ab][ab]", "<x.y>[ab]<x.y>", "<x.y> x", "<x!y>"),
    *("the <x.y> x", "xx", "x <x.y><x.y>", "the cab", "a", "cab[ab]", "1"),
)


@pytest.mark.parametrize("code", ["TOK101", "TOK201"])
@pytest.mark.parametrize(
    ("split", "cause", "text"),
    [
        (at_start, "are read at the start of a text alone", "a[ab]"),
        (once, "each one is read once in a text", "[ab][ab]"),
        (as_patterns, "their texts are patterns, as they are not escaped", "a"),
        (cut_by_patterns, "their texts are patterns that cut a text, as they are not escaped", ""),
        (everywhere, None, ""),
    ],
)
def test_a_port_that_searches_for_added_tokens_otherwise(check_texts, code, split, cause, text):
    found = check_texts(code, port(split), PORT_TEXTS, reference=read(port_record(), "file")).bugs
    if cause is None or (code == "TOK101" and split is not as_patterns):
        assert not found  # the text comes back
        return
    assert [str(bug.cause) for bug in found] == [f"added tokens: {cause}"]
    assert text in (found[0].text, "")
    assert not found[0].cause.weak


LEFT_OUT = "decoder: added tokens are left out"


@pytest.mark.parametrize(
    ("code", "leaves_out", "cause"),
    [
        ("TOK101", "<sep>|<b>", LEFT_OUT),
        ("TOK202", "<sep>|<b>", LEFT_OUT),
        ("TOK202", "<[a-z]+>", "decoder: normalizer: tags of HTML removed"),
    ],
)
def test_a_port_whose_decoder_leaves_out_added_tokens_removes_no_tags(
    check_texts, code, leaves_out, cause
):
    record = port_record(("<sep>", "<b>"))
    target = read(record, "port")
    library = SimpleNamespace(
        encode=target.encode_ordinary,
        decode=lambda ids: re.sub(leaves_out, "", target.decode(ids)),
        added_tokens=target.added_tokens,
        n_vocab=target.n_vocab,
    )
    texts = ["a", "<sep>", "a<sep>b", "<b>x", "a <b>", "<sep><sep>", "a <x> b", "<x>"]
    found = check_texts(code, library, texts, reference=read(record, "file"), claims_parity=True)
    assert {str(bug.cause) for bug in found.bugs} == {cause}
