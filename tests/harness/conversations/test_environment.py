"""The environment of templates, made faster, says what Jinja's sandbox says."""

import jinja2.sandbox
import pytest

from tokharness.conversations.environment import Template

VALUES = {
    "messages": [{"role": "user", "items": 1, "content": " A{0} ", "tool_calls": None}],
    "table": {"keys": [1], "get": "x", "none": None},
}

EXPRESSIONS = [
    "messages[0].role",
    "messages[0].items",
    "messages[0]['items']",
    "messages[0].missing is defined",
    "messages[0].tool_calls is none",
    "messages[0].missing.more",
    "messages[0].__class__",
    "messages[0].get('role')",
    "messages[0].get('missing', 3)",
    "messages[0].update({})",
    "messages[0].items()",
    "messages[0].content.strip().split('{')",
    "messages[0].content.format('x')",
    "messages[0].content.strip(1)",
    "messages.append(1)",
    "table.keys() | list",
    "table.keys",
    "table.get('none') is none",
    "table.none()",
    "dict(a=1).a",
    "namespace(a=2).a",
    "range(3) | list",
    "messages[0] | attr('role')",
    "lipsum(1, 2)[:0].upper()",
    "[x.role.upper() for x in messages]",
]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_an_expression_is_what_the_sandbox_makes_of_it(expression):
    source = f"{{% for x in [1] %}}{{{{ {expression} }}}}{{% endfor %}}"
    sandbox = jinja2.sandbox.ImmutableSandboxedEnvironment()
    ours, theirs = (
        _made(lambda: Template(source, VALUES).render(VALUES["messages"], {})[0]),
        _made(lambda: sandbox.from_string(source).render(**VALUES)),
    )
    assert ours.partition(" object at 0x")[0] == theirs.partition(" object at 0x")[0]


def _made(render):
    try:
        return render()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
