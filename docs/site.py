"""Hooks of mkdocs: the site also has the pages of the repository's root, and the examples.

A link of a page leads to the file in the repository, so that it works there, too; on the site all
files stand below ``docs``.
"""

import re
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).parents[1]
OVERVIEW = "overview.md"
"""The README's page: a site has the name README.md for the index of a folder."""

EXAMPLE = "reports/examples/faulty.html"
PAGES = {
    name: ROOT / name
    for name in ("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
} | {OVERVIEW: ROOT / "README.md"}
LINK = re.compile(r"(\]\(|src=\"|href=\")([^)#:\s\"]+)(?=[)#\"])")


def on_config(config):
    """Put a page for each check below the section of the checks."""
    pages = sorted(path.name for path in (ROOT / "docs/checks").glob("TOK*.md"))
    for section in config.nav:
        for row in next(iter(section.values())):
            if isinstance(row, dict) and "Checks" in row:
                row["Checks"] = ["checks/index.md", *(f"checks/{name}" for name in pages)]
    return config


def on_files(files, config):
    """Add the pages of the root, the license, and the examples of reports."""
    examples = {str(path.relative_to(ROOT)): path for path in ROOT.glob("reports/examples/*.html")}
    for name, path in {**PAGES, **examples, "LICENSE": ROOT / "LICENSE"}.items():
        files.append(File.generated(config, name, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown, page, config, files):
    """Let links of the repository lead to the same files of the site."""
    in_root = page.file.src_uri in PAGES

    def mend(match):
        target = match[2].removeprefix("docs/") if in_root else match[2].removeprefix("../")
        target = {"README.md": OVERVIEW, "reports/examples": EXAMPLE}.get(target, target)
        return f"{match[1]}{target}" if files.get_file_from_path(target) else match[0]

    return LINK.sub(mend, markdown)
