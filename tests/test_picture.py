"""The pictures of README are current, and safe to show."""

import importlib.util
import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

HERE = Path(__file__).with_name("make_picture.py")
spec = importlib.util.spec_from_file_location("make_picture", HERE)
make_picture = importlib.util.module_from_spec(spec)
spec.loader.exec_module(make_picture)

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(name="root", scope="module", params=[make_picture.PICTURE, make_picture.ENGINES])
def _root(request):
    return ET.fromstring(request.param.read_text("ascii"))  # noqa: S314 - our own output


@pytest.mark.slow
def test_the_picture_is_what_the_small_vocabularies_give():
    drawn = make_picture.PICTURE.read_text("ascii")
    assert drawn == make_picture.picture(), "run python tests/make_picture.py"


def test_the_picture_of_engines_is_what_the_table_says():
    table = json.loads(make_picture.TABLE.read_text("ascii"))
    drawn = make_picture.ENGINES.read_text("ascii")
    assert drawn == make_picture.engines_picture(table), "run python tests/make_picture.py"


def test_the_picture_has_a_text_for_those_who_do_not_see_it(root):
    description = root.find(f"{SVG}desc").text
    title = root.find(f"{SVG}title").text
    labels = make_picture.LABELS.values() if "algorithms" in title else ("kitoken", "Llama 2: same")
    assert all(label in description for label in labels)
    assert root.get("aria-labelledby") == "title description"


def test_every_box_is_inside_of_the_picture(root):
    boxes = [one for one in root.iter(f"{SVG}rect") if one.get("x")]
    assert boxes
    for box in boxes:
        assert float(box.get("x")) + float(box.get("width")) <= make_picture.WIDTH
        assert float(box.get("y")) + float(box.get("height")) <= float(root.get("height"))
