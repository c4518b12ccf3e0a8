"""A plugin that fails ends the run with its name; the findings of other plugins are reported."""

from types import ModuleType

import pytest

from tokharness import plugins
from tokharness.engine import measures
from tokharness.engine.measures import numbers
from tokharness.errors import PluginError
from tokharness.plugins.modules import adapter_of, check_of, family_of, format_of

FEW = ("--profile", "quick", "--examples", "0", "--jobs", "0")
CAUSE = "from tokharness.model import Cause, Failure\n"
FAILING = "def failing(batch, subject): return range(len(batch.texts))\n"
DIAGNOSE = "def diagnose(text, subject): return []\n"
PACKED = "from tokharness.model import Case\ndef cases(facts): yield Case('\u200b', 'lost')\n"
CASES = "from tokharness.model import Case\ndef cases(facts): yield Case('a', 'a letter')\n"
STRATEGY = "from hypothesis import strategies as st\ndef strategy(facts): return st.just('b')\n"
HINT = "; TOKHARNESS_TRACEBACK=1 prints the traceback"


def module_of(name, source):
    module = ModuleType(name, "A page.")
    exec(source, vars(module))  # noqa: S102 - the sources are in this file
    return module


@pytest.fixture
def add_check(monkeypatch):
    def add(source):
        module = module_of("my_checks.mine", f"CODE = 'TOK999'\nNAME = 'mine'\n{CAUSE}{source}")
        monkeypatch.setitem(plugins.checks(), "TOK999", check_of(module))

    return add


@pytest.fixture
def add_family(monkeypatch):
    def add(source):
        family = family_of(module_of("my_families.mine", source))
        monkeypatch.setitem(plugins.families(), "mine", family)

    return add


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def diagnose(t, s): return Cause('x')\n", "diagnose returned a Cause, not a list of"),
        ("def diagnose(t, s): return None\n", "diagnose returned None, not a list of causes"),
        ("def diagnose(t, s): yield t\n", "diagnose gives a str as a cause, not a Cause"),
        ("def diagnose(t, s): return [Cause('x', (('n', 1),))]\n", "are not a tuple of pairs"),
        ("def diagnose(t, s): return [Cause('x', [])]\n", "are not a tuple of pairs"),
        ("def diagnose(t): return []\n", "diagnose raised TypeError: diagnose() takes 1"),
        ("def diagnose(t, s): return [][0]\n", "diagnose raised IndexError: list index out"),
    ],
)
def test_a_failing_diagnosis_keeps_the_findings_of_other_checks(
    command, faulty, add_check, source, message
):
    add_check(FAILING + source)
    words = ("--select", "TOK101,TOK999", "--family", "zero-width", *FEW)
    outcome = command("check", faulty("drops_zero_width_space"), *words)
    assert outcome.code == 2
    assert "TOK101" in outcome.out
    assert "not finished" in outcome.out
    sentence = outcome.err.splitlines()[-1]
    assert sentence.startswith("tokharness: error: the check my_checks.mine failed: ")
    assert message in sentence
    assert sentence.endswith(HINT) == ("raised" in message or "pairs" in message)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def failing(b, s): return b.texts\n", "failing returned a list with a str, not row num"),
        ("def failing(b, s): return [True]\n", "failing returned a list with a bool, not row"),
        ("def failing(b, s): return [len(b.texts)]\n", "failing returned a row that is not one"),
        ("def failing(b, s): pass\n", "failing returned None, not row numbers"),
        (
            "def failing(b): return []\n",
            (
                "failing raised TypeError: failing() takes 1 positional argument but 2 were given; "
                "it is called as failing(batch, subject)"
            ),
        ),
        ("def failing(b, s): raise KeyError('x')\n", "failing raised KeyError: 'x'"),
    ],
)
@pytest.mark.parametrize("words", [("check",), ("show", "a")], ids=["check", "show"])
def test_a_check_that_cannot_select_texts_is_named(command, add_check, words, source, message):
    add_check(source + DIAGNOSE)
    few = (*FEW, "--family", "digits", "--select", "TOK101,TOK999")
    outcome = command(*words, "reference", *(few if words == ("check",) else ()))
    assert outcome.code == 2
    assert f"the check my_checks.mine failed: {message}" in outcome.err


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def audit(s): yield 'x'\n", "audit yields a str, not a Failure"),
        ("def audit(s): yield Failure('x')\n", "audit gives a str as a cause, not a Cause"),
        ("def audit(s): yield 1 / 0\n", "audit raised ZeroDivisionError: division by zero"),
        ("def audit(): yield 1\n", "audit raised TypeError: audit() takes 0"),
        ("def audit(s): pass\n", "audit raised TypeError: 'NoneType' object is not iterable"),
        (
            "def audit(s): yield Failure(Cause('x'), evidence={'y': {1}})\n",
            "audit raised TypeError: Object of type set is not JSON serializable",
        ),
    ],
)
def test_a_failing_audit_keeps_the_findings_of_other_checks(
    command, faulty, add_check, source, message
):
    add_check(source)
    words = ("--select", "TOK101,TOK999", "--family", "zero-width", *FEW)
    outcome = command("check", faulty("drops_zero_width_space"), *words)
    assert outcome.code == 2
    assert "TOK101" in outcome.out
    assert f"error: the check my_checks.mine failed: {message}" in outcome.err


@pytest.mark.slow(every=3)
@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def cases(facts): yield 'a'\n", "cases yields a str, not a Case"),
        ("def cases(facts): return ['a']\n", "cases yields a str, not a Case"),
        (CASES.replace("'a',", "1,"), "cases gives a int as a text, not a str"),
        ("def cases(): ...\n", "cases raised TypeError: cases() takes 0"),
        ("def cases(facts): 1 / 0\n", "cases raised ZeroDivisionError: division by zero"),
        ("def cases(facts): yield ''.nothing\n", "cases raised AttributeError: 'str' object has"),
        (CASES + "def texts(facts): 1 / 0\n", "texts raised ZeroDivisionError: division"),
        (CASES + "def texts(facts): yield 'a'\n", "texts returned a generator, not a sequence"),
        (CASES + "def texts(facts): return [b'']\n", "texts gives a bytes as a text, not a str"),
        (PACKED + "def unpack(text): 1 / 0\n", "unpack raised ZeroDivisionError: division"),
        (PACKED + "def unpack(text): return text\n", "unpack returned a str, not a list of texts"),
        (PACKED + "def unpack(text): return [1]\n", "unpack gives a int as a text, not a str"),
        (CASES + "def strategy(facts): 1 / 0\n", "strategy raised ZeroDivisionError: division"),
        (CASES + "def strategy(): ...\n", "strategy raised TypeError: strategy() takes 0"),
        (CASES + "def strategy(facts): return 'a'\n", "strategy raised InvalidArgument: "),
        (
            CASES + "def strategy(facts): return st.integers()\n",
            "strategy draws a int as a text, not a str",
        ),
    ],
)
def test_a_failing_family_keeps_the_findings_of_other_families(
    command, faulty, add_family, source, message
):
    add_family(STRATEGY + source)
    words = ("--select", "TOK101", "--family", "zero-width,mine", "--examples", "9", "--jobs", "0")
    outcome = command("check", faulty("drops_zero_width_space"), *words, "--profile", "quick")
    assert outcome.code == 2
    assert "TOK101" in outcome.out
    assert f"error: the family my_families.mine failed: {message}" in outcome.err


@pytest.mark.slow
def test_a_lazy_sequence_of_texts_may_fail(command, add_family):
    source = "class Texts(list):\n    def __getitem__(self, key): 1 / 0\n"
    add_family(CASES + STRATEGY + source + "def texts(facts): return Texts('a')\n")
    outcome = command("check", "reference", "--family", "mine", *FEW)
    assert outcome.code == 2
    assert "family my_families.mine failed: texts raised ZeroDivisionError" in outcome.err


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["0", "1"])
def test_the_traceback_of_a_plugin_is_shown_on_demand(command, tmp_path, monkeypatch, jobs):
    package = f"families_of_{tmp_path.name}"  # another name per test: modules stay imported
    source = f'"""A page."""\n{STRATEGY}def cases(facts): raise KeyError("\\x1b")\n'
    tmp_path.joinpath(package).mkdir()
    tmp_path.joinpath(package, "mine.py").write_text(source, encoding="ascii")
    monkeypatch.syspath_prepend(tmp_path)
    words = ("check", "reference", "--family", f"{package}.mine", *FEW, "--jobs", jobs)
    outcome = command(*words)
    assert outcome.code == 2
    sentence = outcome.err.splitlines()[-1]
    assert f"the family {package}.mine failed: cases raised KeyError: " in sentence
    assert sentence.endswith(HINT)
    monkeypatch.setenv("TOKHARNESS_TRACEBACK", "1")
    outcome = command(*words)
    assert outcome.code == 2
    assert "in cases" in outcome.err
    assert "\x1b" not in outcome.err
    assert HINT not in outcome.err


def test_a_failing_diagnosis_ends_a_campaign(command, add_check, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    add_check(FAILING + "def diagnose(t, s): 1 / 0\n")
    words = ("--select", "TOK999", "--database", "none", "--max-examples", "400", "--jobs", "0")
    outcome = command("fuzz", "reference", *words)
    assert outcome.code == 2
    assert "check my_checks.mine failed: diagnose raised ZeroDivisionError" in outcome.err


def test_a_failing_audit_ends_a_campaign(command, add_check, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    add_check("def audit(s): 1 / 0\n")
    words = ("--select", "TOK999", "--database", "none", "--max-examples", "400", "--jobs", "0")
    outcome = command("fuzz", "reference", *words)
    assert outcome.code == 2
    assert "check my_checks.mine failed: audit raised ZeroDivisionError" in outcome.err


@pytest.mark.slow(every=3)
@pytest.mark.parametrize(
    ("measure", "message"),
    [
        (lambda _: 1 / 0, "failed: measure raised ZeroDivisionError: division by zero"),
        (lambda: 1, "failed: measure raised TypeError: "),
        (lambda _: {1}, "failed: measure raised TypeError: Object of type set is not JSON"),
        (None, "has no function measure"),
    ],
)
def test_a_failing_measure_keeps_the_findings(command, faulty, monkeypatch, measure, message):
    if measure is None:
        monkeypatch.delattr(numbers, "measure")
    else:
        monkeypatch.setattr(numbers, "measure", measure)
    measures.measures.cache_clear()
    words = ("--select", "TOK101", "--family", "zero-width", "--measure", *FEW)
    try:
        outcome = command("check", faulty("drops_zero_width_space"), *words)
    finally:
        measures.measures.cache_clear()
    assert outcome.code == 2
    assert "TOK101" in outcome.out
    assert f"the measure tokharness.engine.measures.numbers {message}" in outcome.err


@pytest.mark.slow(every=3)
@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def render(report, **options): 1 / 0\n", "render raised ZeroDivisionError: division"),
        ("def render(report): return ''\n", "render raised TypeError: render() got an unexpected"),
        ("def render(report, **options): pass\n", "render returned None, not a str"),
        ("def render(report, **o): raise SystemExit(0)\n", "render raised SystemExit: 0"),
    ],
)
def test_a_failing_format_keeps_the_findings_and_other_reports(
    command, faulty, monkeypatch, tmp_path, source, message
):
    mine = format_of(module_of("my_formats.mine", f"NAME = 'mine'\n{source}"))
    monkeypatch.setitem(plugins.formats(), "mine", mine)
    target = faulty("drops_zero_width_space")
    words = ("check", target, "--select", "TOK101", "--family", "zero-width", *FEW)
    outcome = command(*words, "--report", f"json={tmp_path / 'a.json'}", "--format", "mine")
    assert outcome.code == 2
    assert outcome.out == ""
    assert "TOK101" in outcome.err
    assert f"the format my_formats.mine failed: {message}" in outcome.err.splitlines()[-1]
    assert "TOK101" in (tmp_path / "a.json").read_text("utf-8")
    outcome = command(*words, "--report", f"mine={tmp_path / 'mine'}")
    assert outcome.code == 2
    assert "TOK101" in outcome.out
    assert f"the format my_formats.mine failed: {message}" in outcome.err


@pytest.mark.parametrize("function", ["load", "reference"])
def test_a_failing_target_adapter_is_named(command, monkeypatch, function):
    source = f"SCHEME = 'mine'\ndef load(rest): ...\ndef {function}(rest): 1 / 0\n"
    if function == "reference":
        source += "from tokharness_tokenizers.adapters.reference_target import load\n"
    adapter = adapter_of(module_of("my_targets.mine", source))
    monkeypatch.setitem(plugins.adapters(), "mine", adapter)
    outcome = command("check", "mine:embedded", "--family", "digits", *FEW)
    assert outcome.code == 2
    assert f"the target adapter my_targets.mine failed: {function} raised Zero" in outcome.err


@pytest.mark.parametrize(
    ("function", "arguments"),
    [("names", ()), ("aliases", ()), ("alone", ("a",)), ("reference", ("a",))],
)
def test_a_function_of_an_adapter_with_another_type_is_named(function, arguments):
    source = f"SCHEME = 'mine'\ndef load(rest): ...\ndef {function}(*_): return 5\n"
    adapter = adapter_of(module_of("my_targets.mine", source))
    with pytest.raises(PluginError, match=f"my_targets.mine failed: {function} (raised|returned)"):
        getattr(adapter, function)(*arguments)
