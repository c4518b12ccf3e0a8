"""A target whose results lie, raise or have no end: what crosses from it is exact and bounded.

Each attack is a target with the planted fault; "must" are the codes of the bugs that are reported
in addition to it.
"""

import pytest

pytestmark = pytest.mark.slow

FAST = ("--ignore", "TOK109", "--ignore", "TOK303")
"""The threads of TOK109 and the pairs of TOK303 take seconds and see nothing of these attacks."""

LIARS = """
class Liar:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __hash__(self): return 0
    def __bool__(self): return True
    def __str__(self): return "\\u200b"

class LyingText(Liar, str):
    def __len__(self): return 0
    def __iter__(self): return iter("")
    def __contains__(self, part): return False
    def encode(self, *_): return b""

class LyingBytes(Liar, bytes):
    def __bytes__(self): return b""
    def decode(self, *_): return ""

class LyingNumber(Liar, int):
    def __index__(self): return 7
    def __int__(self): return 7
    def __lt__(self, other): return True
    def __le__(self, other): return True
    def __gt__(self, other): return False
    def __ge__(self, other): return False

class LyingList(Liar, list):
    def __len__(self): return 0

class Raiser:
    def raises(self, *_): raise SystemExit("no")
    __eq__ = __ne__ = __lt__ = __gt__ = __bool__ = __str__ = __repr__ = __format__ = raises
    __hash__ = raises

class RaisingText(Raiser, str): pass
class RaisingNumber(Raiser, int): pass
class RaisingList(Raiser, list): pass
class RaisingBytes(Raiser, bytes): pass
"""

RESULTS = {
    "a text that is equal to everything": "def decode(self, ids): return LyingText(back(ids))",
    "a text that raises if compared": "def decode(self, ids): return RaisingText(back(ids))",
    "bytes that lie": "def decode(self, ids): return LyingBytes(back(ids).encode())",
    "bytes that raise": "def decode(self, ids): return RaisingBytes(back(ids).encode())",
    "a byte array": "def decode(self, ids): return bytearray(back(ids).encode())",
    "ids that are equal to everything": (
        "def encode(self, text): return list(map(LyingNumber, ids(text)))"
    ),
    "ids that raise when they are compared": (
        "def encode(self, text): return list(map(RaisingNumber, ids(text)))"
    ),
    "a list that is equal to everything": "def encode(self, text): return LyingList(ids(text))",
    "a list that raises if compared": "def encode(self, text): return RaisingList(ids(text))",
    "an iterator": "def encode(self, text): return iter(ids(text))",
    "a list that is changed afterwards": """
    buffer = []
    def encode(self, text):
        self.buffer[:] = [RaisingNumber(9)]
        del self.buffer[:]
        self.buffer = ids(text)
        return self.buffer
""",
    "a decode that empties its argument": """
    def decode(self, numbers):
        text = back(numbers)
        numbers.clear()
        return text
""",
    "a decode that fills its argument": """
    def decode(self, numbers):
        text = back(numbers)
        numbers[:] = [RaisingNumber(1)] * 9
        return text
""",
    "a batch that fills its argument": """
    def encode_batch(self, texts):
        rows = list(map(ids, texts))
        texts[:] = [RaisingText("x")] * 9
        return rows
""",
    "the methods of a remote target": """
    crashers = Raiser()
    def fresh(self): raise SystemExit
    def close(self): raise SystemExit
    def call_each(self, op, items): return []
    def call_batch(self, op, items): return []
    def encode_column(self, texts): return [], {}
""",
    "offsets that lie": """
    def encode_with_offsets(self, text):
        spans = [LyingList([LyingNumber(5), LyingNumber(0)]) for _ in ids(text)]
        return LyingList(ids(text)), spans
""",
    "a count that is equal to everything": "def count(self, text): return LyingNumber(10**6)",
    "a stream of texts that lie": (
        "def decode_stream(self, ids): return [LyingText(back([i])) for i in ids]"
    ),
    "token bytes that lie": (
        "def decode_single_token_bytes(self, number): return LyingBytes(b'x' * 3)"
    ),
    "token bytes that are None": "def decode_single_token_bytes(self, number): return None",
    "token bytes that are text": "def decode_single_token_bytes(self, number): return chr(number)",
    "token bytes that are a number": "def decode_single_token_bytes(self, number): return 10**12",
    "attributes that lie": """
    n_vocab = LyingNumber(256)
    normalizer = None
    special_tokens = {LyingText("<s>"): LyingNumber(255)}
""",
}
ALSO = {
    "a batch that fills its argument": "TOK110",
    "offsets that lie": "TOK107",
    "a count that is equal to everything": "TOK110",
    "a stream of texts that lie": "TOK108",
    "token bytes that lie": "TOK106",
    "token bytes that are None": "TOK106",
    "token bytes that are text": "TOK106",
    "token bytes that are a number": "TOK106",
}
"""The code of the bug that an attack is, if it is one."""

HELPERS = """
def ids(text): return list(text.replace(DROPPED, "").encode("utf-8", "surrogatepass"))
def back(ids): return bytes(list(map(int.__int__, ids))).decode("utf-8", "surrogatepass")
"""


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("result", [*RESULTS][::2])
def test_a_result_that_lies_or_raises_hides_nothing(attack, result):
    source = f"{LIARS}{HELPERS}\nclass Target(Planted):\n    {RESULTS[result]}\n"
    code = ALSO.get(result, "TOK101")
    outcome = attack(source, *FAST, select=f"TOK101,{code}" if result in ALSO else "TOK")
    assert outcome.code == 1, outcome.err
    assert "TOK101" in outcome.codes
    assert code in outcome.codes
    assert any("dropped characters" in finding["cause"] for finding in outcome.findings)


RAISED = {
    "exits in __str__": "def __str__(self): raise SystemExit('no')",
    "aborts in __str__": "def __str__(self): os.abort()",
    "hangs in __str__": "def __str__(self): time.sleep(60)",
    "has no end in __str__": "def __str__(self): return 'x' * 10_000_000",
    "returns a liar from __str__": "def __str__(self): return LyingText('words')",
    "has a liar as class": "__class__ = property(lambda self: 1 / 0)",
}


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("how", RAISED)
def test_an_exception_is_reported_whatever_its_message_does(attack, how):
    source = f"""{LIARS}
class Bad(Exception):
    {RAISED[how]}

class Target(Planted):
    def attack(self, text):
        if "\\u200d" in text: raise Bad
"""
    # A busy machine gives each of 13 texts that hang up to four seconds.
    outcome = attack(source, *FAST, "--time-limit", "1", seconds=120)
    assert outcome.code == 1, outcome.err
    assert "TOK101" in outcome.codes
    assert outcome.codes & {"TOK102", "TOK104"}
    assert max(len(finding["message"]) for finding in outcome.findings) < 3000


EXCEPTIONS = {
    "our death of a target": "__import__('tokharness').errors.TargetDeath('SIGKILL')",
    "our skipped text": "__import__('tokharness').errors.SkippedTextError('no')",
    "our usage error": "__import__('tokharness').errors.UsageError('no')",
    "our plugin error": "__import__('tokharness').errors.PluginError('no')",
    "an exit": "SystemExit(0)",
    "the end of an iteration": "StopIteration()",
    "Ctrl-C": "KeyboardInterrupt()",
    "a class with a metaclass that lies": "Named()",
}


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("kind", EXCEPTIONS)
def test_any_exception_is_one_of_the_target(attack, kind):
    source = f"""
import tokharness.errors

class Meta(type):
    __name__ = property(lambda cls: 1 / 0)
    __mro__ = property(lambda cls: 1 / 0)
    def __hash__(cls): raise SystemExit
    def __eq__(cls, other): raise SystemExit

class Named(Exception, metaclass=Meta): pass

class Target(Planted):
    def attack(self, text):
        if "\\u200d" in text: raise {EXCEPTIONS[kind]}
"""
    outcome = attack(source, *("--select", "TOK101", "--select", "TOK102"), seconds=120)
    assert outcome.code == 1, outcome.err
    assert {"TOK101", "TOK102"} <= outcome.codes


BOUNDS = {
    "ids without an end": (
        (
            "def encode(self, text): "
            "return iter(int, 1) if '\\u200d' in text else super().encode(text)"
        ),
        "TOK102",
    ),
    "a text of 100 MB": (
        "def decode(self, ids): return long(ids) and 'x' * 10**8 or super().decode(ids)",
        "TOK102",
    ),
    "bytes of 100 MB": (
        "def decode(self, ids): return long(ids) and b'x' * 10**8 or super().decode(ids)",
        "TOK102",
    ),
    "an id of 20,000 bits": (
        "def encode(self, text): return [*super().encode(text), *[1 << 20_000] * ('b' in text)]",
        "TOK105",
    ),
    "a negative id of 20,000 bits": (
        "def encode(self, text): return [*super().encode(text), *[-1 << 20_000] * ('b' in text)]",
        "TOK105",
    ),
    "a stream without an end": (
        "def decode_stream(self, ids): return __import__('itertools').repeat('')",
        "TOK108",
    ),
    "a batch without an end": (
        "def encode_batch(self, texts): return __import__('itertools').repeat([])",
        "TOK110",
    ),
    "offsets without an end": (
        "def encode_with_offsets(self, text): return __import__('itertools').repeat([])",
        "TOK107",
    ),
    "spans without an end": (
        (
            "def encode_with_offsets(self, text): "
            "return self.encode(text), __import__('itertools').repeat((0, 1))"
        ),
        "TOK107",
    ),
    "an error of 10 MB": (
        "def attack(self, text):\n        if '\\u200d' in text: raise ValueError('x' * 10_000_000)",
        "TOK102",
    ),
    "an error with a name of 10 MB": (
        (
            "def attack(self, text):\n"
            "        if '\\u200d' in text: raise type('x' * 10_000_000, (Exception,), {})"
        ),
        "TOK102",
    ),
}


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("what", BOUNDS)
def test_what_exceeds_a_bound_is_reported(attack, what, tmp_path):
    source, code = BOUNDS[what]
    long = "def long(ids): return bytes(ids[:3]) == '\\u200d'.encode()"
    source = f"{long}\nclass Target(Planted):\n    {source}\n"
    outcome = attack(source, *FAST, select=f"TOK101,{code}")
    assert outcome.code == 1, outcome.err
    assert {"TOK101", code} <= outcome.codes
    assert (tmp_path / "report.json").stat().st_size < 1_000_000


ATTRIBUTES = {
    "n_vocab": "10**30",
    "n_vocab ": "10**100_000",
    "special_tokens": "{f'<{number}>': 255 for number in range(1_000_000)}",
    "special_tokens ": "{'<s>' * 1_000_000: 255}",
}


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("name", ATTRIBUTES)
def test_an_attribute_that_exceeds_a_bound_is_a_skip(attack, name):
    source = f"class Target(Planted):\n    {name} = {ATTRIBUTES[name]}\n"
    families = () if name != "special_tokens" else ("--select", "TOK101")
    outcome = attack(source, *FAST, *families, seconds=90)
    assert outcome.code == 1, outcome.err
    assert "TOK101" in outcome.codes
    assert name.strip() in {skip["what"] for skip in outcome.skips}


UNREADABLE = {
    "a property that exits": "n_vocab = property(lambda self: sys.exit(0))",
    "a property that raises a liar": (
        "special_tokens = property(lambda self: (_ for _ in ()).throw(LyingError()))"
    ),
    "special tokens that are None": "special_tokens = {'<s>': None}",
    "special tokens in a list": "special_tokens = ['<s>']",
    "special tokens that raise": (
        "special_tokens = type('D', (dict,), {'items': lambda self: 1 / 0})(a=1)"
    ),
    "a size that is text": "n_vocab = '256'",
    "a method that raises when it is read": "decode_bytes = property(lambda self: sys.exit(0))",
}


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("what", UNREADABLE)
def test_an_attribute_that_cannot_be_read_is_one_sentence(attack, what):
    liar = "class LyingError(BaseException):\n    def __str__(self): raise SystemExit(0)\n"
    outcome = attack(f"{liar}class Target(Planted):\n    {UNREADABLE[what]}\n")
    assert outcome.code == 2
    assert "python:adversary.py:Target" in outcome.err
    assert "Traceback" not in outcome.err
    assert "internal error" not in outcome.err
