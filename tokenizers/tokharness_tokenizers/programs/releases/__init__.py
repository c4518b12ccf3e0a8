"""What releases of libraries show of a tokenizer: one module a library, with nothing of ours.

A module imports the standard library and its library alone. An adapter imports it for the release
that is installed next to tokharness, and ``json_lines.py`` runs it as a file in an environment of
its own with another release. Its first lines say the scheme, the library, and what pip installs,
with ``RELEASE`` in the place of the release.

``encoders_of`` and ``decoders_of`` return further entry points of the library
(:mod:`tokharness_tokenizers.releases`): by name, a function that gives the ids of each text of a
list, or the text of each sequence of ids. ``NOT_CALLED`` has the public methods that encode or
decode and are not called, with the reason.
"""
