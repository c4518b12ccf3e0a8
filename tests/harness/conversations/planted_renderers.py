"""Renderers with a planted fault each, for ``python:FILE.py:FACTORY``, with nothing of ours."""

import itertools
import json
import re

import jinja2.ext
import jinja2.sandbox

ASCII_SPACE = " \t\n\r\f\v"


def _renderer(template, variables, *, filters=(), changed=lambda message: message, after=str):
    environment = jinja2.sandbox.ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[jinja2.ext.loopcontrols]
    )
    environment.filters["tojson"] = lambda value: json.dumps(value, ensure_ascii=False)
    environment.filters.update(filters)
    compiled = environment.from_string(template)

    def render(messages, options):
        given = [one for message in messages if (one := changed(dict(message))) is not None]
        values = {"tools": None, "documents": None, **variables, **options}
        return after(compiled.render(messages=given, **values))

    return render


def healthy(template, variables):
    return _renderer(template, variables)


def trims_ascii(template, variables):
    return _renderer(template, variables, filters={"trim": lambda text: text.strip(ASCII_SPACE)})


def escapes_json(template, variables):
    return _renderer(template, variables, filters={"tojson": json.dumps})


def healthy_with_refusals(template, variables):
    def refuse(message):
        raise ValueError(message)

    return healthy(template, {**variables, "raise_exception": refuse})


def ignores_refusals(template, variables):
    return healthy(template.replace("raise_exception('", "('"), variables)


def drops_null(template, variables):
    return _renderer(
        template,
        variables,
        changed=lambda one: None if one.get("content", "") is None else one,
    )


def takes_the_wrong_role(template, variables):
    return _renderer(
        template,
        variables,
        changed=lambda one: {**one, "role": "user"} if one["role"] == "system" else one,
    )


def strips_contents(template, variables):
    def changed(message):
        content = message.get("content")
        return {**message, "content": content.strip()} if isinstance(content, str) else message

    return _renderer(template, variables, changed=changed)


def loses_reasoning(template, variables):
    return _renderer(
        template,
        variables,
        changed=lambda one: {key: one[key] for key in one if key != "reasoning_content"},
    )


def ends_with_a_space(template, variables):
    return _renderer(template, variables, after=lambda text: f"{text} ")


def folds_case(template, variables):
    return _renderer(template, variables, after=lambda text: text.replace("\u0130", "i"))


def refuses_results(template, variables):
    def changed(message):
        if message["role"] == "tool":
            raise ValueError("no results here")
        return message

    return _renderer(template, variables, changed=changed)


CONTROL = {"<|turn|>": 0x110000, "<|end|>": 0x110001}


def has_ids(template, variables, first=()):
    render = healthy(template, variables)

    def with_ids(messages, options):
        text = render(messages, options)
        parts = re.split(r"(<\|turn\|>|<\|end\|>)", text)
        ids = [[CONTROL[one]] if one in CONTROL else map(ord, one) for one in parts]
        return text, [*first, *itertools.chain.from_iterable(ids)]

    return with_ids


def has_one_id_more(template, variables):
    return has_ids(template, variables, first=[0])


def _with_ids(template, variables, change):
    render = has_ids(template, variables)

    def changed(messages, options):
        text, ids = render(messages, options)
        return text, change(ids)

    return changed


def has_no_last_id(template, variables):
    return _with_ids(template, variables, lambda ids: ids[:-1])


def has_the_letters_of_a_token(template, variables):
    letters = list(map(ord, "<|end|>"))

    def change(ids):
        rows = (letters if one == CONTROL["<|end|>"] else [one] for one in ids)
        return list(itertools.chain.from_iterable(rows))

    return _with_ids(template, variables, change)


def has_no_line_feeds(template, variables):
    return _with_ids(template, variables, lambda ids: [one for one in ids if one != ord("\n")])


def raises_hostile_words(template, variables):
    def render(messages, options):
        raise ValueError(f"a\u202e\x1b[31m {json.dumps(messages)[-60:]}" + "c" * 5_000)

    return render


def counts(template, variables):
    asked = itertools.count()
    return _renderer(template, variables, after=lambda text: f"{text}{'' if next(asked) else ' '}")


def counts_and_refuses_results(template, variables):
    render, refuse = counts(template, variables), refuses_results(template, variables)

    def either(messages, options):
        refuse(messages, options)
        return render(messages, options)

    return either


def returns_bytes(template, variables):
    render = healthy(template, variables)
    return lambda messages, options: render(messages, options).encode()


def loops(template, variables):
    def render(messages, options):
        while len(messages) > 1:
            pass
        return ""

    return render
