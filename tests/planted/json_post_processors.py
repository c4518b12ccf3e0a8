"""Faults in the post-processor of a ``tokenizer.json``: in the file, and in its engine."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from planted._registry import fault
from planted._replaced_components import with_post_processing
from planted._tokenizer_files import against, altered, healthy, record_of

STAGE = "post-processor"


@fault("TOK201", cause=STAGE, against=against("template"))
def template_lacks_the_end() -> Any:
    """Adds no token for the end of a text."""
    parts = record_of("template")["post_processor"]["single"]
    return altered("template", "post_processor", "single", to=parts[:-1])


@fault("TOK201", cause=STAGE, against=against("template"))
def template_begins_twice() -> Any:
    """Adds the token for the start of a text twice."""
    parts = record_of("template")["post_processor"]["single"]
    return altered("template", "post_processor", "single", to=[parts[0], *parts])


@fault("TOK201", cause=STAGE, against=against("bert_processing"))
def exchanges_start_and_end() -> Any:
    """Puts the token for the end of a text at its start, and the other way round."""
    record = record_of("bert_processing")["post_processor"]
    swapped = {**record, "cls": record["sep"], "sep": record["cls"]}
    return altered("bert_processing", "post_processor", to=swapped)


@fault("TOK201", cause=STAGE, against=against("roberta_processing"))
def loses_the_post_processor() -> Any:
    """Adds no tokens around a text."""
    return altered("roberta_processing", "post_processor", to=None)


@fault("TOK201", cause=STAGE, against=against("template"))
def forgets_the_end_in_its_engine() -> Any:
    """Forgets the last part of a template."""
    post = healthy("template").post
    template = replace(post.template, parts=post.template.parts[:-1])
    return with_post_processing("template", replace(post, template=template))


@fault("TOK201", cause=STAGE, families=["long-inputs"], against=against("truncation"), longest=200)
def truncates_on_the_left() -> Any:
    """Cuts a long text off at its start, where the file cuts off its end."""
    return altered("truncation", "truncation", "direction", to="Left")


@fault("TOK201", cause=STAGE, families=["long-inputs"], against=against("truncation"), longest=200)
def does_not_truncate() -> Any:
    """Keeps all of a long text, which the file cuts off."""
    return altered("truncation", "truncation", to=None)
