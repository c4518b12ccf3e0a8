"""Each check finds a planted fault of its property, with a small text, and sound chunkers pass."""

import json
import string

import pytest

from tokharness import plugins
from tokharness.chunking.chunker import Chunker
from tokharness.chunking.examination import chunk, examine
from tokharness.chunking.splitting import Splitting
from tokharness.chunking.texts import Trial
from tokharness.config import Options
from tokharness.formats._wording import incomplete
from tokharness.model import target_of
from tokharness.results.report import Report
from tokharness.targets.processes.line_process import LineProcess

TEXTS = (
    "",
    " ",
    "One sentence. Another one! And the end.",
    "  many   spaces\t\tand\r\nlines\u2028\n ",
    "no\u00a0break",
    "supercalifragilistic",
    "\U0001f469\u200d\U0001f467\U0001f466 and \U0001d54f\U00020000",
    "e\u0301a\u0308 \u4eca\u65e5\u306f",
    "before <|endoftext|> after",
    "Mixed CASE \u202eabc\u202c x\u200by",
    "\x1b[31m controls",
    "a lone \ud800 surrogate",
    "a row ....................",
    "abcdefghijklmnopqrstuvwxyz0123456789",
    "Stra\u00dfe",
)

CUT = "cut inside a character: "
LOST = "text is lost: "
CHANGED = "text is changed: "
SPAN = "span differs: "

FAULTS = {
    "ReplacesBytes": ("TOK602", CUT + "U+FFFD", 6),
    "CutsBytes": ("TOK602", CUT + "bytes", 6),
    "CutsUnits": ("TOK602", CUT + "surrogate", 5),
    "DropsEnd": ("TOK603", LOST + "the end", 1),
    "DropsRepeated": ("TOK603", LOST + "a chunk that another one equals", 10),
    "DropsFullEnd": ("TOK603", LOST + "the end", 10),
    "ReturnsNothing": ("TOK603", LOST + "the whole text", 1),
    "Strips": ("TOK603", LOST + "white space", 2),
    "DropsSpecial": ("TOK603", LOST + "text of a special token", 13),
    "Composes": ("TOK603", CHANGED + "NFC", 2),
    "Lowers": ("TOK603", CHANGED + "lower case", 1),
    "DropsJoiner": ("TOK603", LOST + "U+200D ZERO WIDTH JOINER", 2),
    "DropsFormats": ("TOK603", LOST + "format characters", 3),
    "DropsOtherThanAscii": ("TOK603", LOST + "characters that are not ASCII", 1),
    "DropsSomeFormats": ("TOK603", LOST + "some control and format characters", 2),
    "DropsEscapeSequences": ("TOK603", LOST + "escape sequences of a terminal", 4),
    "DropsCarriageReturns": ("TOK603", LOST + "U+000D <control-000D>", 2),
    "StopsAtEscape": ("TOK603", LOST + "the end, from U+001B <control-001B> on", 2),
    "FoldsCase": ("TOK603", CHANGED + "case folding", 1),
    "Hyphenates": ("TOK603", "text is added: the end of a chunk", 5),
    "JoinsWords": ("TOK603", CHANGED + "runs of white space become a space", 3),
    "ReplacesIdeographs": ("TOK603", CHANGED + "U+002A ASTERISK replaces other characters", 1),
    "StripsWithSurrogates": ("TOK603", LOST + "white space", 2),
    "SplitsLines": ("TOK603", CHANGED + "each line end becomes LF", 3),
    "OtherSpace": ("TOK603", CHANGED + "white space", 2),
    "CutsOffSurrogates": ("TOK603", LOST + "the end, a text with a lone surrogate", 6),
    "Sorts": ("TOK603", "chunks out of order", 6),
    "AddsPrefix": ("TOK603", "text is added: the start of a chunk", 1),
    "KeepsWords": ("TOK604", "limit exceeded: a word is not split", 6),
    "KeepsWordsAfterNothing": ("TOK604", "limit exceeded: a word is not split", 6),
    "OneMore": ("TOK604", "limit exceeded: the chunk", 6),
    "JoinsTheEnd": ("TOK604", "limit exceeded: the last chunk", 6),
    "CountsNoMarks": ("TOK604", "limit exceeded: marks are not counted", 6),
    "LastTwice": ("TOK605", "overlap: a chunk twice", 1),
    "OverlapOnTop": ("TOK604", "limit exceeded: with an overlap", 9),
    "FailsToCount": ("TOK604", "count fails: KeyError", 1),
    "CountsQuarters": ("TOK604", "count fails: no length", 1),
    "CountsBelowZero": ("TOK604", "count fails: no length", 1),
    "CountsHuge": ("TOK604", "count fails: no length", 1),
    "CountsTrue": ("TOK604", "count fails: no length", 1),
    "AlwaysOverlaps": ("TOK605", "overlap: without being asked", 6),
    "OverlapsTwice": ("TOK605", "overlap: too long", 7),
    "AddsNothing": ("TOK605", "chunk adds nothing", 8),
    "BytesOfSpans": ("TOK606", SPAN + "in bytes of UTF-8", 2),
    "UnitsOfSpans": ("TOK606", SPAN + "in UTF-16 units", 1),
    "FindsSpans": ("TOK606", SPAN + "of an equal text elsewhere", 6),
    "EndIncluded": ("TOK606", SPAN + "the end is another one", 1),
    "SpansWithoutReturns": ("TOK606", SPAN + "in the text after a change: CR is removed", 2),
    "SpansOfJoined": ("TOK606", SPAN + "in the chunks, joined with what they have in common", 6),
    "FloatSpans": ("TOK601", "no list of chunks", 1),
    "EmptyChunks": ("TOK607", "empty chunk", 1),
    "RefusesSpecial": ("TOK601", "raises: text of a special token", 13),
    "RefusesEmpty": ("TOK601", "raises: the empty text", 0),
    "RefusesManyChunks": ("TOK601", "raises: RuntimeError", 31),
    "RefusesAstral": ("TOK601", "raises: characters above U+FFFF", 1),
    "RefusesLongWords": ("TOK601", "raises: a word longer than the limit", 6),
    "RefusesTwo": ("TOK601", "raises: a limit of 2", 1),
    "RefusesOverlap": ("TOK601", "raises: an overlap", 0),
    "Ends": ("TOK601", "death", 1),
    "ReturnsText": ("TOK601", "no list of chunks", 1),
    "ReturnsNumbers": ("TOK601", "no list of chunks", 1),
    "TruncatesBytes": ("TOK609", "truncate: U+FFFD at the cut", 6),
    "TruncatesLeft": ("TOK609", "truncate: not the beginning", 6),
    "AddsEllipsis": ("TOK609", "truncate: not the beginning", 1),
    "TruncatesLate": ("TOK609", "truncate: limit exceeded", 6),
    "TruncatesToNothing": ("TOK609", "truncate: nothing is kept", 6),
    "TruncatesStripped": ("TOK609", "truncate: stripped", 2),
    "TruncatesComposed": ("TOK609", "truncate: NFC", 2),
    "TruncatesToNone": ("TOK609", "truncate: returns no text", 6),
    "Alternates": ("TOK612", "split varies: each time", None),
    "CachesByText": ("TOK612", "split varies: in a new process", None),
    "OrdersASet": ("TOK612", "split varies: with another hash seed", None),
    "Remembers": ("TOK612", "split varies: after other texts", None),
}
"""By chunker: the check, the cause, and the most characters of the smallest text."""


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found_with_a_small_text(findings, name):
    code, cause, most = FAULTS[name]
    small = ("CachesByText", "RefusesTwo")
    settings = [(5, 0), (2, 0)] if name in small else [(5, 0), (5, 2)]
    given = findings(name, code, texts=TEXTS, settings=settings)
    found = [one for one in given if one.verdict != "fact"]
    assert [str(one.cause) for one in found] == [cause]
    one = next(one for one in found if str(one.cause) == cause)
    assert most is None or len(one.text) <= most, one.text


FAULTS_OF_FEW_TEXTS = {
    "DropsFirst": ("TOK603", LOST + "the start", 16, ["a" * 20, "abcdefghijklmnopqrst"]),
    "UnescapesEntities": (
        "TOK603",
        CHANGED + "entities of HTML become characters",
        5,
        ["&lt;b&gt; &amp;"],
    ),
    "StraightensQuotes": (
        "TOK603",
        CHANGED + "quotation marks become ASCII",
        1,
        ["\u201ca\u201d"],
    ),
    "LosesFullStops": ("TOK603", LOST + "U+002E FULL STOP", 3, ["One. Two", "Three. Four"]),
    "ControlsAsSpaces": (
        "TOK603",
        CHANGED + "U+0020 SPACE replaces other characters",
        1,
        ["nul\0 and \x1b[31m controls \x7f\x85 here \x1c\x1d\x1e\x1f " * 2],
    ),
    "StripsAsEcmaScript": ("TOK603", LOST + "white space", 3, ["  a b", "\ufeff's"]),
    "JoinsAsEcmaScript": (
        "TOK603",
        CHANGED + "white space",
        1,
        ["a\tb", "\t\tb", "\ufeffaa ", "\ufeff", "a\ufeff"],
    ),
    "DropsByteOrderMark": ("TOK603", LOST + "U+FEFF ZERO WIDTH NO-BREAK SPACE", 2, ["\ufeff's"]),
    "NumbersChunks": (
        "TOK603",
        "text is added: the start of a chunk",
        1,
        ["a", "abcdefghijklmnopqrstuvwxyz" * 3],
    ),
    "RepeatsTheStart": ("TOK603", "text is added: the start of a chunk", 6, ["0a b 0a cd 0a e"]),
    "DropsHeadings": (
        "TOK603",
        LOST + "the signs of headings in Markdown",
        4,
        ["as\n# ta", "# a", "aaaa\n## aa # b"],
    ),
    "LowersTheFirst": (
        "TOK603",
        CHANGED + "the case of the first letter of a chunk",
        1,
        ["BA", "OnaaonaA", "Fabulous FRIENDS", "An Apple"],
    ),
    "ReversesHebrew": (
        "TOK603",
        CHANGED + "the characters of a chunk are in reverse order",
        6,
        ["\u05d0bcdefg", "ab\u05d0c"],
    ),
    "OverlapsTheStart": (
        "TOK603",
        "text is added: the start of the chunk before",
        6,
        ["abcdefghijk", "a0a1a2a3"],
    ),
    "DropsTables": ("TOK603", LOST + "some lines", 4, ["a\n|b|\nc", "|a|b|\n|c|\nd", "a\n|"]),
    "DropsAddresses": ("TOK603", LOST + "web addresses", 9, ["a https://a.b/c", "http://x"]),
    "JoinsHyphenated": (
        "TOK603",
        CHANGED + "words hyphenated at a line end are joined",
        4,
        ["abc-\nde", "f-\ng-\nh"],
    ),
    "WritesDigits": (
        "TOK603",
        CHANGED + "some characters become other ones",
        2,
        ["\u0661\u0662 a", "\u0967\u0968\u0967 b", "\uff11\u0662"],
    ),
    "CountsWords": (
        "TOK604",
        "limit exceeded: words are counted",
        6,
        ["two words", "abcdefghijk", "a b c d e f g"],
    ),
    "ReturnsManyChunks": ("TOK601", "no list of chunks", 1, ["a", "b c"]),
    "KeepsNoLineFeed": (
        "TOK603",
        LOST + "U+000A <control-000A>",
        1,
        ["a b\nc", "\n", "a\rb\n"],
    ),
    "SpansWithSeparators": (
        "TOK606",
        SPAN + "in the chunks, joined with a character between them",
        6,
        ["abcdefgh", "aaaaaaaaaaaaa"],
    ),
    "CountsNoSpace": ("TOK604", "limit exceeded: white space is not counted", 6, ["two words  "]),
    "JoinsTheStart": ("TOK604", "limit exceeded: the first chunk", 11, ["abcdefghijklmnopq"]),
    "SpansOfUnstripped": (
        "TOK606",
        SPAN + "with the white space that was stripped",
        2,
        ["  two words"],
    ),
    "SpansFromOne": ("TOK606", SPAN + "counted from 1", 1, ["abcdefgh"]),
    "SpansOfLines": ("TOK606", SPAN + "in its line", 3, ["\n\n", "ab\ncd", "a\u2028b"]),
    "SpansWithLength": ("TOK606", SPAN + "the end is the length", 6, ["abcdefgh"]),
    "RaisesInTheMiddle": ("TOK601", "raises: StopAsyncIteration", 16, ["abcdefghijklmnopqr"]),
    "TruncatesOneLess": ("TOK609", "truncate: a text that fits", 5, ["abcde"]),
}
"""As above, with the texts that show the fault."""


@pytest.mark.parametrize("name", FAULTS_OF_FEW_TEXTS)
def test_a_planted_fault_has_its_cause_on_few_texts(findings, name):
    code, cause, most, texts = FAULTS_OF_FEW_TEXTS[name]
    given = findings(name, code, texts=texts, settings=[(5, 0), (5, 2)])
    found = [one for one in given if one.verdict == "bug"]
    assert [str(one.cause) for one in found] == [cause]
    assert len(found[0].text) <= most, found[0].text


@pytest.mark.parametrize("name", ["StripsSpans", "Iterates", "TruncatesAtWords"])
def test_a_sound_twin_has_neither_bug_nor_risk(findings, name):
    found = findings(name, texts=["  two words", "ab\ncd efgh ij"], settings=[(5, 0), (5, 2)])
    assert [one for one in found if one.verdict != "fact"] == []


def test_a_truncated_text_without_the_white_space_behind_the_limit_is_not_stripped(findings):
    settings = [(1, 0), (3, 0)]
    assert findings("Characters", "TOK609", texts=["a ", "  a\t "], settings=settings) == ()


WINDOWS = {
    "StepsByTheLimit": "less in common",
    "SkipsAnId": "ids are lost",
    "ForgetsTheRest": "ids are lost",
    "OverlapsMore": "more in common",
    "KeepsTheRight": "not the side",
    "OffsetsOfTheWindow": "offsets",
    "SpecialOnTop": "longer than the limit",
    "ForgetsSpecial": "special tokens",
    "LosesParts": "parts",
    "CutsTheOther": "the other text",
    "CutsTheFirstAlone": "uneven",
    "PadsRight": "padding",
}
"""By tokenizer, what is wrong with its windows."""


@pytest.mark.parametrize("name", WINDOWS)
def test_a_fault_of_windows_is_found_with_a_small_text(findings, name):
    found = findings(name, "TOK613", texts=TEXTS, settings=[(8, 0), (8, 2), (40, 4)])
    assert [str(one.cause) for one in found] == [f"windows: {WINDOWS[name]}"]
    assert len(found[0].text) <= 40


def test_sound_windows_pass_and_other_checks_do_not_apply(findings):
    settings = [(3, 0), (4, 1), (8, 2), (33, 2)]
    assert findings("Windows", texts=TEXTS[:6], settings=settings) == ()


def test_a_fault_of_all_texts_is_no_fact_of_lone_surrogates(findings):
    texts = ["a lone \ud800 surrogate", "abcdefgh"]
    found = findings("TruncatesTheMiddle", "TOK609", texts=texts, settings=[(5, 0)])
    assert [(one.verdict, str(one.cause)) for one in found] == [
        ("bug", "truncate: not the beginning")
    ]


def test_an_overlap_that_is_never_there_is_a_risk(findings):
    found = findings("NeverOverlaps", "TOK605", texts=TEXTS, settings=[(5, 1), (5, 2), (4, 1)])
    assert [(one.verdict, str(one.cause)) for one in found] == [("risk", "overlap: never there")]


def test_an_overlap_that_is_a_number_of_words_is_one_bug(findings):
    texts = ["abc def ghi jkl mno", "a bcd efghi jk lmnop"]
    found = findings("OverlapsWords", "TOK605", texts=texts, settings=[(12, 1), (12, 2)])
    assert [(one.verdict, str(one.cause)) for one in found] == [("bug", "overlap: in words")]


def test_an_overlap_that_fits_as_the_end_of_the_chunk_before_it_is_not_too_long(findings):
    assert findings("CountsInContext", "TOK605", texts=["xabcdef"], settings=[(2, 1)]) == ()


def test_damage_is_no_change_of_the_text_if_no_other_text_shows_it(findings):
    texts = ["\u4e2d \ufffd"]
    assert findings("RefusesSquare", "TOK603", texts=texts, settings=[(1, 0)]) == ()


@pytest.mark.slow(every=3)
@pytest.mark.parametrize(
    "name",
    [
        *("Characters", "Bytes", "Words", "Spans", "Left", "Graphemes", "RefusesSurrogates"),
        *("IgnoresSurrogates", "KeywordOverlap", "ThirdParameter", "Integers"),
    ],
)
def test_a_sound_chunker_has_neither_bug_nor_risk(findings, name):
    found = findings(name, texts=TEXTS)
    assert [one for one in found if one.verdict != "fact"] == []


@pytest.mark.slow
def test_a_chunker_that_loops_is_found_and_its_text_is_made_small(findings):
    found = findings("Loops", "TOK601", texts=["a\t"], seconds=0.3, settings=[(2, 0)])
    assert [str(one.cause) for one in found] == ["time limit"]
    assert "\t" in found[0].text
    assert len(found[0].text) < 3


@pytest.mark.slow
def test_a_limit_smaller_than_a_character_is_a_fact(findings):
    found = findings("ReplacesBytes", texts=["\u4eca\u65e5"], settings=[(2, 0)])
    assert [one.verdict for one in found if one.code == "TOK602"] == ["fact"]


def test_a_lone_surrogate_that_is_refused_is_a_fact(findings):
    found = findings("RefusesSurrogates", "TOK601", texts=["a\ud800"])
    assert [(one.verdict, str(one.cause)) for one in found] == [
        ("fact", "raises: a lone surrogate")
    ]


@pytest.mark.slow
def test_a_cut_between_a_letter_and_its_mark_is_a_fact(findings):
    found = findings("Characters", "TOK608", texts=["abe\u0301d"], settings=[(3, 0)])
    assert [(one.verdict, str(one.cause)) for one in found] == [
        ("fact", "cut inside a grapheme cluster: before a mark")
    ]
    assert findings("Graphemes", "TOK608", texts=["abe\u0301d"], settings=[(3, 0)]) == ()


@pytest.mark.slow
def test_what_was_found_stays_if_the_chunker_cannot_be_loaded_again(
    findings, tmp_path, monkeypatch
):
    monkeypatch.setenv("LOADS_ONCE", str(tmp_path / "lock"))
    found = findings("LoadsOnce", "TOK608", "TOK612", texts=["abe\u0301d"], settings=[(3, 0)])
    assert [(one.verdict, str(one.cause)) for one in found] == [
        ("risk", "new processes not compared"),
        ("fact", "cut inside a grapheme cluster: before a mark"),
    ]
    assert "it is locked" in found[0].evidence["raised"]


@pytest.fixture
def interrupted_after(spec_of, monkeypatch):
    """Return the report of a chunker that is interrupted after so many answers of its process."""

    def run(name, answers, given):
        left, receive = iter(range(answers)), LineProcess.receive

        def interrupted(process, *arguments):
            if next(left, None) is None:
                raise KeyboardInterrupt
            return receive(process, *arguments)

        monkeypatch.setattr(LineProcess, "receive", interrupted)
        report = chunk(spec_of(name), Options(), given=given)
        assert report.interrupted
        return report.targets[0]

    return run


@pytest.mark.parametrize(("answers", "causes", "cases"), [(1, [], 0), (10, [LOST + "the end"], 9)])
def test_an_interrupt_leaves_what_was_found_before(interrupted_after, answers, causes, cases):
    given = [Trial(string.ascii_letters[:size], 5) for size in range(30)]
    target = interrupted_after("DropsEnd", answers, given)
    assert [str(one.cause) for one in target.findings] == causes
    assert target.skips[-1].reason == "the run was interrupted"
    assert target.finished.cases == cases


@pytest.mark.parametrize(
    ("name", "causes", "left"),
    [
        ("RaisesInTheMiddle", ["raises: StopAsyncIteration"], ""),
        ("Tokens", [], "; texts with a problem that was not examined: 2"),
    ],
)
def test_an_interrupt_leaves_no_problem_that_needs_further_answers(
    interrupted_after, name, causes, left
):
    target = interrupted_after(name, 9, [Trial(text, 5) for text in TEXTS[2:8]])
    assert [str(one.cause) for one in target.findings] == causes
    assert target.skips[-1].reason == f"the run was interrupted{left}"


@pytest.mark.slow
def test_a_chunker_that_ends_and_does_not_load_again_is_said_to_end(
    findings, tmp_path, monkeypatch
):
    monkeypatch.setenv("LOADS_ONCE", str(tmp_path / "lock"))
    found = findings("EndsForGood", "TOK601", texts=["a", "\x1b[31m", "b"], settings=[(5, 0)])
    assert [(one.text, str(one.cause)) for one in found] == [("\x1b[31m", "death")]


class Pairs:
    """A tokenizer whose tokens are two letters each, and a letter alone at the end of a word."""

    def encode(self, text):
        words = text.split(" ")
        return [1 for word in words for _ in range(0, len(word), 2)] + [2] * (len(words) - 1)

    def decode(self, ids):
        return "ab" * len(ids)


@pytest.fixture
def of_tokens(spec_of):
    """Return the findings of a chunker whose chunks a tokenizer counts."""

    def run(name, check, *trials):
        with Chunker(spec_of(name)) as chunker:
            view = Splitting(chunker, trials, target_of("pairs", Pairs()))
            return examine(view, [plugins.chunk_checks()[check]], ["x"])

    return run


def test_the_tokenizer_counts_chunks_and_not_the_chunker(of_tokens):
    report = of_tokens("CountsHalf", "TOK604", Trial("a b c d e f", 3))
    assert [str(one.cause) for one in report.findings] == [
        "limit exceeded: counted alone by the tokenizer"
    ]


@pytest.mark.parametrize("text", ["a b", "two words"])
def test_a_count_that_is_not_that_of_the_tokenizer_is_found(of_tokens, text):
    report = of_tokens("Characters", "TOK610", Trial(text + " and more", 5))
    assert [str(one.cause) for one in report.findings] == ["count differs: more"]


def test_nothing_is_said_of_places_where_the_chunks_are_not_the_text(findings):
    found = findings("AddsPrefix", "TOK605", "TOK603", texts=["abc def"])
    assert {one.code for one in found} == {"TOK603"}


@pytest.mark.slow
def test_evidence_is_plain_data(findings):
    for one in findings("ReplacesBytes", texts=TEXTS[5:7]):
        json.dumps(dict(one.evidence))


def test_a_space_that_becomes_letters_is_not_a_character_that_replaces_others(findings):
    found = findings("WritesSixteenLetters", "TOK603", texts=[" "], settings=[(1, 0), (2, 1)])
    assert [str(one.cause) for one in found] == ["not a part of the text"]


def test_too_many_places_of_chunks_are_not_finished_and_short_texts_are(spec_of):
    texts = ["a" * 300 + " ", "a b"]
    checks = [one for one in plugins.chunk_checks().values() if one.code in ("TOK603", "TOK605")]
    with Chunker(spec_of("WritesSixteenLetters")) as chunker:
        splitting = Splitting(chunker, [Trial(text, 8, 4) for text in texts])
        report = examine(splitting, checks, [chunker.spec])
    (skip,) = (one for one in report.skips if one.unfinished)
    assert skip.what == "places of chunks"
    assert skip.reason == "too many places are possible to try each one; texts: 1"
    assert "TOK603" in {one.code for one in report.findings}
    whole = Report(Options(), (report,), {}, interrupted=False, created="")
    assert whole.unfinished
    assert str(incomplete(whole)).endswith("; more time does not help")
