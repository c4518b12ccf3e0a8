"""Plugins are loaded from entry points that name packages, and have the interface of their kind."""

import inspect
import textwrap
from importlib.metadata import EntryPoint

import pytest

from tokharness import plugins
from tokharness.errors import PluginError, UnknownNameError
from tokharness.model import Description, TargetFacts

KINDS = {
    "checks": (plugins.checks, "tokharness.checks"),
    "families": (plugins.families, "tokharness_cases"),
    "targets": (plugins.adapters, "tokharness_tokenizers.adapters"),
    "formats": (plugins.formats, "tokharness.formats"),
}
CHECK = '"""A page.\n\nExample: one."""\nCODE = "TOK9{0}"\nNAME = "{0}"\ndef audit(s): ...\n'
FAILING = "def failing(b, s): ...\ndef diagnose(t, s): ...\n"
FORMAT = '"""A page."""\nNAME = "mine"\ndef render(report, **_): return ""\n'

every_kind = pytest.mark.parametrize("kind", KINDS)


@pytest.fixture
def install_plugins(tmp_path, monkeypatch):
    """Install a package of another author, in addition to the built-in ones: modules by name.

    Each test uses another package name, since imported modules stay imported.
    """

    def install(kind, **modules):
        package = tmp_path / f"plugins_of_{tmp_path.name}"
        package.mkdir()
        for name, source in {"__init__": "", **modules}.items():
            (package / f"{name}.py").write_text(source, encoding="ascii")
        monkeypatch.syspath_prepend(tmp_path)
        before = plugins.entry_points
        entry = EntryPoint("other-package", package.name, f"tokharness.{kind}")

        def entry_points(*, group):
            return (*before(group=group), *([entry] if group == entry.group else []))

        monkeypatch.setattr(plugins, "entry_points", entry_points)
        return KINDS[kind][0].__wrapped__

    return install


@every_kind
def test_built_in_plugins_are_entry_points(kind):
    entries = plugins.entry_points(group=f"tokharness.{kind}")
    assert KINDS[kind][1] in {entry.value for entry in entries}


@every_kind
def test_every_plugin_has_its_name_as_key_and_a_page(kind):
    loaded = KINDS[kind][0]()
    assert loaded
    for name, plugin in loaded.items():
        attribute = {"checks": "code", "targets": "scheme"}.get(kind, "name")
        assert getattr(plugin, attribute) == name
        assert plugins.summary(plugin.page)
        assert not plugins.summary(plugin.page).endswith(".")


def test_every_check_has_a_code_a_unique_name_and_a_page_with_all_parts():
    checks = plugins.checks().values()
    assert len({check.name for check in checks}) == len(checks)
    parts = ["Why it matters:", "Oracle:", "Verdicts:", "Example:", "What to do:"]
    for check in checks:
        assert check.code[:3] == "TOK"
        assert check.code[3:].isdigit()
        places = [check.page.find(f"\n\n{part}") for part in parts]
        assert -1 not in places
        assert places == sorted(places)


def test_every_check_examines_batches_or_a_whole_target():
    for check in plugins.checks().values():
        assert (check.failing is None) == (check.diagnose is None)
        assert check.failing or check.audit


@pytest.mark.slow
def test_every_family_has_cases_with_a_reason():
    for family in plugins.families().values():
        facts = TargetFacts(
            ("<s>",),
            regressions=(("a", "why"),),
            tokens=lambda: ("a token",),
            merges=lambda: [[(b"a", b"b"), (b"b", b"c")]],
        )
        case = next(family.cases(facts))
        assert case.text
        assert case.why


def test_every_adapter_has_names_and_versions():
    for adapter in plugins.adapters().values():
        assert isinstance(adapter.names(), tuple)
        assert all(isinstance(version, str) for version in adapter.versions().values())


@pytest.mark.parametrize("scheme", ["python", "command"])
def test_an_adapter_needs_only_load(scheme):
    adapter = plugins.adapters()[scheme]
    assert adapter.reference("x.py:make") is None
    assert adapter.names() == ()
    assert adapter.versions() == {}


def test_a_package_of_adapters_may_describe_files_that_none_recognizes(install_plugins, tmp_path):
    assert [describe(tmp_path) for describe in plugins.descriptions()] == [None]
    source = '"""A page."""\nSCHEME = "mine"\ndef load(rest): ...\n'
    package = "def describe(path): return 'a folder' if path.is_dir() else 'two\\nlines'\n"
    install_plugins("targets", __init__=package, mine=source)
    describe, *_ = plugins.descriptions.__wrapped__()
    assert describe(tmp_path) == "a folder"
    with pytest.raises(PluginError, match=r"describe returned 'two.*', not one line of text"):
        describe(tmp_path / "x")


def test_every_format_takes_a_width_and_color():
    for output_format in plugins.formats().values():
        assert {"width", "color"} <= set(inspect.signature(output_format.render).parameters)


def test_another_package_adds_a_check_with_one_file(install_plugins):
    checks = install_plugins("checks", mine=CHECK.format("99"))()
    assert checks["TOK999"].page == "A page.\n\nExample: one."
    assert list(checks) == sorted(checks)


def test_modules_with_an_underscore_are_not_plugins(install_plugins):
    formats = install_plugins("formats", mine=FORMAT, _helper="raise AssertionError")()
    assert "mine" in formats


def test_a_family_is_named_after_its_module(install_plugins):
    source = '"""Page."""\ndef cases(facts): ...\ndef strategy(facts): ...\n'
    assert "odd-ones" in install_plugins("families", odd_ones=source)()


@pytest.mark.parametrize(
    ("kind", "modules", "message"),
    [
        ("checks", {"a": CHECK.format("99"), "b": CHECK.format("99")}, "are called 'TOK999'"),
        ("checks", {"a": CHECK.format("99"), "b": CHECK.format("99")}, ".a and plugins_of_"),
        (
            "checks",
            {"a": CHECK.format("99").replace('NAME = "99"', 'NAME = "lossy-round-trip"')},
            "are called 'lossy-round-trip'",
        ),
        ("formats", {"mine": FORMAT.replace("mine", "json")}, "are called 'json'"),
        (
            "formats",
            {"mine": FORMAT.replace("mine", "json")},
            ".mine and tokharness.formats.json_object;",
        ),
        ("formats", {"mine": '"""Page."""\nNAME = "x"\n'}, "mine of formats fails: "),
        (
            "checks",
            {"a": '"""Page."""\nCODE = "TOK9"\nNAME = "mine"\n'},
            "neither audit nor failing",
        ),
        ("checks", {"a": 'CODE = "TOK9"\nNAME = "mine"\ndef audit(s): ...\n'}, "no docstring"),
        (
            "checks",
            {"a": '"""Page."""\nCODE = "TOK9"\nNAME = "mine"\ndef failing(b, s): ...\n'},
            "diagnose",
        ),
        ("checks", {"a": f"{CHECK.format('97')}REQUIRES = 'cases'\n"}, "not a tuple of names"),
        ("checks", {"a": f"{CHECK.format('96')}REQUIRES = ('case',)\n"}, "REQUIRES has 'case'"),
        (
            "checks",
            {"a": f"{CHECK.format('94')}REQUIRES = ('count or case',)\n"},
            "REQUIRES has 'case'",
        ),
        (
            "checks",
            {"a": f"{CHECK.format('95')}{FAILING}COLUMNS = ('ids',)\n"},
            "COLUMNS has 'ids'",
        ),
        ("checks", {"a": CHECK.format("9").replace("TOK9", "tok9")}, "CODE is 'tok99'"),
        ("targets", {"a": '"""Page."""\nSCHEME = "x"\n'}, "'load'"),
        ("families", {"a": '"""Page."""\ndef cases(facts): ...\n'}, "'strategy'"),
        ("families", {"a": "import no_such_module_of_ours\n"}, "cannot be loaded"),
        ("families", {"a": "def cases(:\n"}, "cannot be loaded"),
        ("families", {"a": "raise RuntimeError('broken')\n"}, "cannot be loaded"),
        ("families", {"a": "raise SystemExit(0)\n"}, "cannot be loaded: it exits with '0'"),
        ("families", {"a": "raise GeneratorExit\n"}, "cannot be loaded: it raises GeneratorExit"),
        ("families", {"a": "raise BaseException('b')\n"}, "cannot be loaded: b"),
        ("checks", {"a": "def __getattr__(name): raise RuntimeError(name)\n"}, "fails: "),
        ("checks", {"a": f"{CHECK.format('93')}{FAILING}PROFILES = 3\n"}, "fails: 'int' object"),
    ],
)
def test_an_incomplete_plugin_is_an_error_of_one_sentence(install_plugins, kind, modules, message):
    load = install_plugins(kind, **modules)
    with pytest.raises(PluginError) as caught:
        load()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_adapter_may_have_trainers(install_plugins):
    source = '"""A page."""\nSCHEME = "mine"\ndef load(rest): ...\n'
    trainer = '"""Another."""\nNAME = "tiny"\nOPTIONS = ("name",)\ntrain = spec = print\n'
    trainable = source.replace("mine", "more") + textwrap.dedent(
        f"""
        def trainers():
            import types
            module = types.ModuleType("tiny")
            exec({trainer!r}, vars(module))
            return [module]
        """
    )
    load = install_plugins("targets", one=source, two=trainable)
    assert load()["mine"].trainers() == {}
    (trainer,) = load()["more"].trainers().values()
    assert (trainer.name, trainer.page, trainer.options) == ("tiny", "Another.", {"name"})
    assert trainer.side_suffixes == ()


def test_a_trainer_without_its_interface_is_an_error(install_plugins):
    source = '"""A page."""\nSCHEME = "mine"\ndef load(rest): ...\n'
    source += "def trainers():\n    import textwrap\n    return [textwrap]\n"
    with pytest.raises(PluginError, match=r"trainers raised AttributeError: .* 'NAME'"):
        install_plugins("targets", one=source)()["mine"].trainers()


def test_an_unknown_name_suggests_similar_names():
    with pytest.raises(UnknownNameError, match=r"no format is called 'jsno': did you mean 'json"):
        plugins.find("format", "jsno", plugins.formats())


@pytest.mark.parametrize("name", ["TOK1O1", "tok1o1", "TOKI01", "TOK101x"])
def test_the_most_similar_name_is_suggested_first(name):
    with pytest.raises(UnknownNameError, match="did you mean 'TOK101', '"):
        plugins.find("check", name, plugins.checks())


def test_an_unknown_name_without_similar_names_lists_all():
    known = ", ".join(sorted(plugins.formats()))
    with pytest.raises(UnknownNameError, match=f"choose from {known}"):
        plugins.find("format", "zzzzzz", plugins.formats())


@pytest.mark.parametrize(
    ("selector", "matches"),
    [
        ("TOK101", True),
        ("tok101", True),
        ("TOK1", True),
        ("TOK102", False),
        ("lossy-round-trip", True),
        ("lossy", False),
        ("raises", False),
    ],
)
def test_a_check_is_selected_by_code_prefix_or_name(selector, matches):
    assert plugins.checks()["TOK101"].matches(selector) is matches


def test_an_adapter_may_describe_its_files_and_write_them(install_plugins, tmp_path):
    source = """
'''A page.'''
SCHEME = "mine"
from tokharness.model import Description
def load(rest): ...
def describe(rest): return {"file": Description("mine", {}, ())}.get(rest, rest or None)
def write_file(description, folder): return f"mine:{folder}" if description.stages else 1
"""
    adapter = install_plugins("targets", mine=source)()["mine"]
    assert adapter.describe("file") == Description("mine", {}, ())
    assert adapter.describe("") is None
    with pytest.raises(PluginError, match=r"describe returned a str, not a Description or None"):
        adapter.describe("text")
    assert adapter.write_file(Description("mine", {"a": 1}, ()), tmp_path) == f"mine:{tmp_path}"
    with pytest.raises(PluginError, match=r"write_file returned a int, not a str or None"):
        adapter.write_file(Description("mine", {}, ()), tmp_path)
