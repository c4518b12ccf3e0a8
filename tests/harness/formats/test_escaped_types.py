"""What formats and commands write is of a type that only ``escaping`` makes of a value."""

import ast
import inspect
from pathlib import Path

import pytest

import tokharness
from tokharness import plugins
from tokharness.escaping import Cell, MarkdownText, Shown, styled

PACKAGE = Path(tokharness.__file__).parent
ESCAPED = (Shown, MarkdownText, Cell)
NAMES = {kind.__name__ for kind in ESCAPED}
WRITERS = [*sorted((PACKAGE / "formats").rglob("*.py")), *sorted((PACKAGE / "cli").glob("*.py"))]


def calls(path):
    return (
        one for one in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(one, ast.Call)
    )


@pytest.mark.parametrize("path", WRITERS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_only_a_literal_becomes_escaped_text_outside_of_escaping(path):
    for call in calls(path):
        if getattr(call.func, "id", "") in NAMES:
            (argument,) = call.args
            assert isinstance(argument, ast.Constant), f"{path.name}:{call.lineno}"


@pytest.mark.parametrize("path", WRITERS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_only_escaping_makes_text_for_rich_and_json(path):
    source = path.read_text("utf-8")
    made = {ast.unparse(call.func) for call in calls(path)}
    assert not made & {"Text", "Text.assemble", "Text.from_markup", "ET.tostring"}
    if path.parent.name != "cli":
        assert "json.dumps" not in made or "_html" in path.parts
        assert "# type: ignore" not in source
        assert "cast(" not in source


@pytest.mark.parametrize("name", sorted(plugins.formats().keys() - {"csv", "html"}))
def test_a_format_returns_escaped_text(name, report):
    """So mypy reports a format that returns something else; csv and html have their own writers."""
    render = inspect.unwrap(plugins.formats()[name].render)
    returned = render.__annotations__["return"]
    assert returned in NAMES, "declare that render returns Shown of tokharness.escaping"
    assert isinstance(render(report), ESCAPED)


def test_text_that_is_not_escaped_is_not_drawn():
    with pytest.raises(TypeError, match="is not escaped"):
        styled((Shown("a"), ""), ("\x1b[2J", ""))


@pytest.mark.parametrize("kind", ESCAPED)
def test_a_template_escapes_what_is_put_into_it(kind):
    text = kind("{} {}").format("\x1b\n", b"\xff")
    assert type(text) is kind
    assert text.isprintable()
    assert kind("{} {}").format(kind("a"), 1) == "a 1"
    assert type(kind(", ").join([kind("a"), kind("b")])) is kind


def test_escaped_text_stays_as_it_is():
    assert Shown("{}").format(Shown("{}").format("\\")) == r"\\"
    assert MarkdownText("{}").format(Shown("{}").format("\\")) == r"`\\`"
