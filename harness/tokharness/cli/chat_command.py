"""``tokharness chat``: check the chat template of a model, and what its tokenizer makes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tokharness.cli._shared_options import fail_on_option, shared_options

if TYPE_CHECKING:
    from tokharness.conversations.shapes import Shape


@click.command("chat")
@click.argument("target")
@click.option(
    "--template",
    metavar="FILE|NAME",
    help="Check the template in this file, or the one of this name of several.",
)
@click.option(
    "--conversation",
    metavar="JSON|@FILE",
    help="Check this conversation instead of the shapes: a list of messages, or an object with "
    "messages, tools and other variables. Texts such as text1 and text2 are followed.",
)
@click.option(
    "--renderer",
    "renderers",
    multiple=True,
    metavar="NAME",
    help="Compare another renderer with transformers: minijinja, @huggingface/jinja, "
    "renderers:MODEL, mistral-common:VERSION, or python:FILE.py:FACTORY. May be given several "
    "times.",
)
@shared_options("--select", "--ignore", "--format", "--report")
@fail_on_option
def command(
    target: str,
    template: str | None,
    conversation: str | None,
    renderers: tuple[str, ...],
    **values: Any,
) -> int:
    """Check the chat template of TARGET on some eighty shapes of conversations.

    TARGET is a folder with a tokenizer and its template (chat_template.jinja, or chat_template of
    tokenizer_config.json), a spec such as hf:FILE with --template, or a file with a template alone,
    NAME.jinja, whose ids are not checked.

    Conversations are rendered as transformers does, in a process of their own. Some checks (TOK5)
    are of the text: whether it renders, whether its turns are closed, what is lost or repeated, and
    what of the history is rewritten; others of the ids: whether a text that a user writes becomes a
    control token. `tokharness explain TOK501` explains a check. Each finding has the smallest
    conversation that shows it.
    """
    from tokharness import plugins
    from tokharness.cli._output import emit_report, parse_report_files
    from tokharness.cli._run_request import options_of_checks, refuse_empty, split_commas
    from tokharness.conversations.run import chat
    from tokharness.results.report import exit_code

    refuse_empty(
        {**values, "template": template, "conversation": conversation, "renderers": renderers}
    )
    names = split_commas(renderers)
    output_format = plugins.find("format", values["format_name"], plugins.formats())
    files = parse_report_files(values["reports"])
    options = options_of_checks(values)
    given = None if conversation is None else _given(conversation)
    report = chat(target, template, options, given=given, renderers=names)
    emit_report(report, output_format, files)
    return exit_code(report, options.fail_on)


def _given(argument: str) -> Shape:
    """Return the conversation of an argument; raises UsageError if it is none."""
    from tokharness.conversations.shapes import shape_of
    from tokharness.errors import UsageError
    from tokharness.json_content import parse_json, parse_json_text
    from tokharness.regular_files import read_file

    try:
        if argument.startswith("@"):
            return shape_of(parse_json(read_file(argument[1:])))
        return shape_of(parse_json_text(argument))
    except OSError as error:
        raise UsageError(f"cannot read {argument[1:]}: {error.strerror}") from error
    except ValueError as error:
        of_file = f" (in {argument[1:]})" if argument.startswith("@") else ""
        raise UsageError(f"--conversation takes JSON or @FILE: {error}{of_file}") from error
