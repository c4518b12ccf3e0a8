"""A target that interferes with our processes is reported, and nothing else is lost."""

import pytest

pytestmark = pytest.mark.slow

TRIGGER = """
class Target(Planted):
    def attack(self, text):
        if "\\u200d" in text:
            {action}
"""

DAMAGES = {
    "writes a line to every descriptor": (
        'for fd in open_descriptors(): writes(fd, b\'{"cases": 0, "failing": {}}\\n\')'
    ),
    "writes nested lists": 'for fd in open_descriptors(): writes(fd, b"[" * 60_000 + b"\\n")',
    "closes all descriptors and exits": "os.closerange(0, 65_536); os._exit(0)",
    "clears the modules": "sys.modules.clear()",
    "is a clone of its process": "os.fork()",
    "replaces a builtin": "__import__('builtins').len = None",
    "limits its descriptors": (
        "__import__('resource').setrlimit(__import__('resource').RLIMIT_NOFILE, (1, 1))"
    ),
}

HELPERS = """
def open_descriptors():
    return [int(name) for name in os.listdir("/proc/self/fd")]


def writes(fd, data):
    try:
        os.set_blocking(fd, False)
        os.write(fd, data)
    except OSError:
        pass
"""


@pytest.mark.slow(every=3)
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_target_that_damages_its_process_is_reported(attack, damage):
    source = HELPERS + TRIGGER.format(action=DAMAGES[damage])
    outcome = attack(source, "--time-limit", "2", seconds=90)
    assert outcome.code == 1, outcome.err
    assert "TOK101" in outcome.codes
    assert "internal error" not in outcome.err


def test_a_line_from_another_thread_is_not_taken_for_a_response(attack):
    source = (
        HELPERS
        + """
def speak():
    while True:
        for fd in open_descriptors():
            writes(fd, b"{}\\n")
        time.sleep(0.01)


class Target(Planted):
    def attack(self, text):
        if "\\u200d" in text and threading.active_count() == 1:
            threading.Thread(target=speak, daemon=True).start()
"""
    )
    outcome = attack(source, seconds=90)
    assert outcome.code == 1
    assert {"TOK101", "TOK104"} <= outcome.codes


@pytest.mark.parametrize("stream", ["sys.stdout", "sys.stderr"])
def test_output_without_end_is_bounded_and_reported(attack, stream):
    source = f"""
class Target(Planted):
    def attack(self, text):
        {stream}.write("x" * 20_000)
"""
    outcome = attack(source, seconds=90)
    assert outcome.code == 1
    assert outcome.codes == {"TOK101"}
    assert any("wrote" in skip["reason"] for skip in outcome.skips)
    assert len(outcome.err) < 100_000
