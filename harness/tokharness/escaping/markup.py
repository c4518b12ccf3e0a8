"""HTML and XML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.escaping.display import Shown, visible
from tokharness.escaping.log_commands import LINE_COMMAND

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from markupsafe import Markup


def html(text: str | bytes) -> Markup:
    """Return the display form for HTML text and quoted attributes.

    Put it into ``<bdi>`` to isolate its direction.
    """
    from markupsafe import escape

    return escape(visible(text))


def shown_xml(root: Element) -> Shown:
    """Return XML in ASCII in which each attribute and text is in its display form."""
    from xml.etree import ElementTree as ET

    for element in root.iter():
        element.attrib = {name: visible(value) for name, value in element.attrib.items()}
        element.text = visible(element.text or "")
    ET.indent(root)
    xml: bytes = ET.tostring(root, encoding="us-ascii", xml_declaration=True)
    # A line of a text may begin with two colons.
    return Shown(LINE_COMMAND.sub(r"\1&#58;", xml.decode("ascii")) + "\n")
