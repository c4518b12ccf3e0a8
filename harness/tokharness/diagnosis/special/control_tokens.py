"""How the text of a control token looks."""

import regex

CONTROL = regex.compile(r"<[^<>\s]{1,40}>|\[[^\[\]\s]{1,40}\]")
"""A text such as <s>, <|im_start|> or [INST]."""
