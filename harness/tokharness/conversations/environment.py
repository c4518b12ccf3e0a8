"""Render a chat template as ``transformers`` does.

Written after what ``transformers`` 4.57 and 5 document and do: a sandbox whose values cannot be
changed, ``trim_blocks`` and ``lstrip_blocks``, ``break`` and ``continue``, the tag ``generation``,
``raise_exception``, ``strftime_now``, and a filter ``tojson`` that escapes neither HTML nor letters
beyond ASCII. A template is a stranger's program: this module runs in a worker process only.
"""

from __future__ import annotations

import json
from datetime import datetime
from functools import lru_cache
from types import BuiltinMethodType
from typing import TYPE_CHECKING, Any

import jinja2
import jinja2.ext
import jinja2.nodes
import jinja2.sandbox

from tokharness.conversations.alterations import ALTERATIONS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import CodeType

    from jinja2.parser import Parser
    from jinja2.runtime import Context


OF_OBJECTS = frozenset(dir(dict))
"""Attributes of an object of JSON, which come before its keys."""

PLAIN = (str, dict, list)
"""Values of JSON with methods."""


class RefusedError(jinja2.TemplateError):
    """The template calls ``raise_exception``: it refuses the conversation, and says why."""


class Spans(jinja2.ext.Extension):
    """The tag ``generation``: its body is what the model itself has generated."""

    tags = {"generation"}  # noqa: RUF012 - as Jinja declares it

    def __init__(self, environment: jinja2.Environment) -> None:
        super().__init__(environment)
        environment.extend(generated=None)

    def parse(self, parser: Parser) -> jinja2.nodes.Node:
        """Call :meth:`_generated` with the body of the tag."""
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        call = self.call_method("_generated")
        return jinja2.nodes.CallBlock(call, [], [], body).set_lineno(line)

    def _generated(self, caller: Any) -> str:
        text: str = caller()
        generated = self.environment.generated  # type: ignore[attr-defined]
        if generated is not None:
            blocks, spans = generated
            start = sum(map(len, blocks))
            spans.append((start, start + len(text)))
        return text


class Template:
    """A compiled template; raises TemplateSyntaxError of Jinja if it is none.

    ``now`` is the time of ``strftime_now``, first that of ``loaded``. ``altered`` are names of
    alterations: what another engine does in their place. ``code`` is the compiled code of a
    template of the same source, which then is not compiled again.
    """

    def __init__(
        self,
        source: str,
        variables: Mapping[str, Any],
        altered: Sequence[str] = (),
        code: CodeType | None = None,
    ) -> None:
        self.now = self.loaded = datetime.now()  # noqa: DTZ005 - the library takes the local time
        self._source, self._variables = source, dict(variables)
        self._altered: dict[tuple[str, ...], Template] = {(): self}
        self._environment = _environment()
        self._environment.filters["tojson"] = _tojson
        self._environment.globals["raise_exception"] = _refuse
        self._environment.globals["strftime_now"] = self._strftime_now
        for name in altered:
            if change := ALTERATIONS[name].change:
                change(self._environment)
        self.code = self._environment.compile(source) if code is None else code
        self._template = jinja2.Template.from_code(
            self._environment, self.code, dict(self._environment.globals)
        )

    def render_altered(
        self, messages: Sequence[Any], options: Mapping[str, Any], altered: Sequence[str]
    ) -> tuple[str, list[tuple[int, int]]]:
        """Return what :meth:`render` does with alterations of the environment and of values."""
        key = tuple(name for name in altered if ALTERATIONS[name].change)
        if key not in self._altered:
            self._altered[key] = Template(self._source, self._variables, key)
        template = self._altered[key]
        template.now = self.now
        values = {**options, "messages": list(messages)}
        for name in altered:
            if change := ALTERATIONS[name].values:
                values = change(values)
        return template.render(values.pop("messages"), values)

    def _strftime_now(self, form: str) -> str:
        return self.now.strftime(form)

    def render(
        self, messages: Sequence[Any], options: Mapping[str, Any]
    ) -> tuple[str, list[tuple[int, int]]]:
        """Return the text, and the spans of it that a ``generation`` tag has.

        ``options`` has ``tools``, ``documents``, ``add_generation_prompt`` and other variables.
        Raises whatever the template raises.
        """
        blocks: list[str] = []
        spans: list[tuple[int, int]] = []
        self._environment.generated = (blocks, spans)  # type: ignore[attr-defined]
        values = {"tools": None, "documents": None, "add_generation_prompt": False}
        values |= {**self._variables, **options}
        context = self._template.new_context({"messages": list(messages), **values})
        # One after another, as the tag reads the blocks before it.
        blocks.extend(self._template.root_render_func(context))
        return "".join(blocks), spans


class _Environment(jinja2.sandbox.ImmutableSandboxedEnvironment):
    """The sandbox, made faster.

    What is safe of a value depends on its type alone, and is kept: to ask takes a fifth of the time
    of a rendering. Keys of plain objects are read, and methods of plain values called, directly.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._safe: dict[tuple[type, str], bool] = {}

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Whether a template may read an attribute."""
        key = type(obj), attr
        known = self._safe.get(key)
        if known is None:
            known = self._safe[key] = super().is_safe_attribute(obj, attr, value)
        return known

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return an attribute or a key; an object of JSON has few attributes."""
        if type(obj) is not dict or attribute in OF_OBJECTS:
            return super().getattr(obj, attribute)
        value = obj.get(attribute, self)
        return self.undefined(obj=obj, name=attribute) if value is self else value

    def call(self, context: Context, obj: Any, /, *args: Any, **more: Any) -> Any:
        """Call what a template calls; methods of values of JSON are safe, and take no context."""
        if type(obj) is not BuiltinMethodType or type(obj.__self__) not in PLAIN:
            return super().call(context, obj, *args, **more)
        more.pop("_loop_vars", None)
        more.pop("_block_vars", None)
        return obj(*args, **more)


def line_of(error: BaseException) -> int:
    """Return the line of the template that raised; 0 if it is unknown."""
    last, traceback = None, error.__traceback__
    while traceback is not None:
        template = traceback.tb_frame.f_globals.get("__jinja_template__")
        last = last if template is None else (template, traceback.tb_lineno)
        traceback = traceback.tb_next
    return 0 if last is None else _line_of_source(*last)


@lru_cache(1 << 10)
def _line_of_source(template: jinja2.Template, line: int) -> int:
    return int(template.get_corresponding_lineno(line))


def _environment() -> jinja2.sandbox.ImmutableSandboxedEnvironment:
    return _Environment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Spans, jinja2.ext.loopcontrols]
    )


def parsed(source: str) -> jinja2.nodes.Template:
    """Return the syntax tree of a template; raises TemplateSyntaxError of Jinja if it is none."""
    return _environment().parse(source)


def _tojson(
    value: Any,
    ensure_ascii: bool = False,
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    return json.dumps(
        value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys
    )


def _refuse(message: str) -> None:
    raise RefusedError(message)
