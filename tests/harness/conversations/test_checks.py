"""Checks of the text of conversations find planted faults, and nothing on the healthy template."""

import json

import pytest

from tokharness.conversations.rendering import Renderer, Request
from tokharness.errors import TargetDeath
from tokharness.targets.processes.json_lines import from_line, to_line

from .conftest import HEALTHY, altered, of
from .faults_of_data import NAMED_CALLS
from .template_faults import FAULTS_OF_TEXT
from .template_parts import (
    ANSWER,
    BRACKETS,
    NAME_OF_ID,
    NAMED,
    PLAIN,
    THOUGHT,
    WITH_IDS,
)


def test_the_healthy_template_has_neither_bug_nor_risk(findings):
    found = findings(HEALTHY)
    assert of(found, "bug") == []
    assert of(found, "risk") == []


@pytest.mark.parametrize("name", FAULTS_OF_TEXT)
def test_a_fault_of_the_text_is_found(findings, name):
    source, (verdict, code, cause) = FAULTS_OF_TEXT[name]
    has_tokens = code == "TOK511" or cause in ("never closed: answers", "another role: assistant")
    variables = {"bos_token": "<s>", "eos_token": "</s>"} if has_tokens else {}
    assert (code, cause) in of(findings(source, code, variables=variables), verdict)


def test_characters_that_are_dropped_as_all_beyond_ascii_are_one_cause(findings):
    source, _ = FAULTS_OF_TEXT["letters beyond ASCII are dropped"]
    changed = [cause for _, cause in of(findings(source, "TOK504"), "risk") if "user" in cause]
    assert changed == ["changed: of the user content, a character beyond ASCII is dropped"]


@pytest.mark.parametrize(
    "source",
    [
        BRACKETS,
        NAMED,
        "<|system|>x<|tool|>y<|/tool|><|end|>" + NAMED,
        NAMED + "{% if messages[-1].role == 'user' %}<|assistant|>{% endif %}",
        "<|tools|>x<|end|>" + HEALTHY,
    ],
)
def test_turns_that_are_closed_are_no_fault(findings, source):
    assert findings(source, "TOK503") == ()


@pytest.mark.parametrize(
    "source",
    [
        HEALTHY,
        WITH_IDS,
        WITH_IDS.replace("{{ call.id }} ", "").replace("tool_call_id", "name"),
        WITH_IDS.replace("{{ call.id }} ", "").replace("{{ message.tool_call_id }}", NAME_OF_ID),
    ],
    ids=["neither", "ids", "names of results", "names by ids"],
)
def test_calls_and_results_that_match_are_no_fault(findings, source):
    assert findings(source, "TOK510") == ()


@pytest.mark.parametrize(
    "source",
    [
        altered("<call>", "{{ 'Write <call> first.' if loop.first }}<call>"),
        altered("<think>", "").replace("</think>", "</think>"),
        altered("{{ tool | tojson }}", "Write <tools> or </tools>. {{ tool | tojson }}"),
        altered(
            PLAIN,
            "{% if message.role == 'tool' %}<tool_response>"
            + PLAIN.replace(
                "<|end|>", "{% if message.role == 'tool' %}</tool_response>{% endif %}<|end|>"
            ).replace("{{ text(message.content) }}", "{% endif %}{{ text(message.content) }}", 1),
        ),
        (
            "{% for m in messages %}{{ ('[INST] ' if m.role == 'user' else '[ANSWER] ') }}"
            "{{ m.content }}{% endfor %}{{ '[ANSWER] ' if add_generation_prompt }}"
        ),
    ],
    ids=[
        "a sentence in a turn",
        "thoughts are opened by the prompt",
        "a sentence",
        "results",
        "no pairs",
    ],
)
def test_tags_in_pairs_are_no_fault(findings, source):
    assert [one for one in findings(source, "TOK503") if "tag" in one.cause.kind] == []


def test_calls_and_definitions_in_json_are_no_fault(findings):
    kinds = [one.cause.kind for one in findings(NAMED_CALLS, "TOK506")]
    assert kinds == ["encoded twice"]  # of arguments that are a text


def test_rounds_that_begin_and_end_with_a_token_are_no_fault(findings):
    source = (
        "{% for m in messages %}{{ '<s>[INST] ' + m.content + ' [/INST]' if m.role == 'user' else "
        "m.content + '</s>' }}{% endfor %}"
    )
    variables = {"bos_token": "<s>", "eos_token": "</s>"}
    found = of(findings(source, "TOK511", variables=variables), "risk")
    assert ("TOK511", "begin token: again before a turn") not in found


def test_a_template_in_which_all_roles_are_written_alike_is_no_fault(findings):
    source = "{% for m in messages %}{{ ' ' + m.content + eos_token }}{% endfor %}"
    assert findings(source, "TOK503", variables={"eos_token": "</s>"}) == ()


def test_a_call_that_ends_with_another_word_and_the_turn_has_no_finding(findings):
    source = (
        "<|start|>{% for m in messages %}<|turn|>{{ m.role }}<|{{ m.role }}|>"
        "{% if m.role == 'assistant' %}{{ '<|act|>' if m.tool_calls else '<|answer|>' }}{% endif %}"
        "{{ m.content }}{% for call in m.tool_calls or [] %}{{ call | tojson }}{% endfor %}"
        "{% if m.role == 'assistant' %}{{ '<|acted|>' if m.tool_calls else '<|answered|>' }}"
        "{% endif %}<|end|>{% endfor %}<|turn|>assistant<|assistant|>"
    )
    assert findings(source, "TOK503") == ()


@pytest.mark.parametrize(
    "words",
    [("[INST]", "[/INST]", "", "</s>"), ("USER: ", " ", "ASSISTANT: ", "\n")],
    ids=["two ends", "names"],
)
def test_a_template_without_pairs_of_words_is_checked(findings, words):
    begin, end, answer, stop = words
    source = (
        "{% for m in messages %}{{ BEGIN + m.content + END if m.role == 'user' else ANSWER + "
        "m.content + STOP if m.role == 'assistant' else m.content }}{% endfor %}"
    )
    for name, word in (("BEGIN", begin), ("END", end), ("ANSWER", answer), ("STOP", stop)):
        source = source.replace(name, repr(word))
    assert findings(source, "TOK503") == ()


def test_a_result_that_is_encoded_is_not_said_to_be_of_arguments(findings):
    source = altered(PLAIN, "{{ text(message.content) | tojson }}<|end|>{%- endif -%}")
    assert findings(source, "TOK506") == ()


@pytest.mark.parametrize(
    "test",
    [
        "'</think>' in text(message.content)",
        "message.role == 'critic'",
        "'text' in message",
        "text(message.content).split(' end ')",
    ],
    ids=["tag", "role", "key", "white space"],
)
def test_a_template_that_branches_on_no_word_of_a_content_has_no_finding(findings, test):
    source = altered(PLAIN, "{% if " + test + " %}{% endif %}" + PLAIN.replace(" }}", " | trim }}"))
    assert [one for one in findings(source, "TOK504") if one.verdict == "risk"] == []


def test_a_prompt_that_the_user_s_turn_ends_with_is_not_missing(findings):
    source = "{% for m in messages %}{{ '[INST]' + m.content + '[/INST]' if m.role == 'user' else "
    assert "TOK507" not in {
        one.code for one in findings(source + "m.content + '</s>' }}{% endfor %}", "TOK507")
    }


def test_data_of_tools_is_not_said_to_be_of_calls(findings):
    found = findings(altered("{{ tool | tojson }}", "{{ tool }}"), "TOK505")
    assert {str(one.cause).split(" of the ")[1] for one in found} == {"definitions of tools"}


def test_escapes_are_not_said_to_drop_thoughts(findings):
    source = altered(PLAIN, "{{ text(message.content) | escape }}<|end|>{%- endif -%}")
    assert [one for one in findings(source, "TOK504") if "think>" in str(one.cause)] == []


def test_a_text_that_varies_by_itself_is_not_said_to_be_rewritten(findings):
    found = findings("{{ range(99999) | random }}" + HEALTHY)
    assert [one.code for one in found if one.verdict != "fact"] == ["TOK502"]


def test_a_template_that_loops_is_a_finding(findings):
    source = "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}"
    [found] = findings(source, "TOK501", given=given("user"))
    assert (found.verdict, found.cause.kind) == ("bug", "time limit")


def test_a_template_that_allocates_is_a_finding(findings):
    [found] = findings("{{ messages[0].content * (2 ** 32) }}", "TOK501", given=given("user"))
    assert (found.verdict, found.cause.kind) == ("bug", "memory limit")


class Worker:
    """A worker that compiles, and gives the same answer to each request, or dies."""

    def __init__(self, text):
        self.text, self.asked = text, 0

    def reset_memory_limit(self):
        """Do nothing."""

    def call(self, line, seconds):
        request = from_line(line)
        if "template" in request:
            return b"{}"
        self.asked += 1
        if self.text is None:
            raise TargetDeath("time limit", "")
        return to_line({"results": [{"text": self.text, "spans": []}] * len(request["render"])})


def failures(monkeypatch, worker):
    """Return how each of 64 conversations fails with a worker, asked for one half after another."""
    monkeypatch.setattr(Renderer, "_started", lambda _: worker)
    renderer = Renderer()
    renderer.load("", {})
    rows = [Request([{"role": "user", "content": str(number)}], {}) for number in range(64)]
    return [one.failure for half in (rows[:32], rows[32:]) for one in renderer.render_all(half)]


def test_a_worker_that_is_killed_each_time_is_not_asked_for_each_conversation(monkeypatch):
    worker = Worker(None)
    assert failures(monkeypatch, worker) == ["time limit"] * 3 + ["not tried"] * 61
    assert worker.asked < 10


def test_a_conversation_that_is_asked_for_twice_has_two_renderings(renderers):
    renderers[0].load("{{ messages[0].content }}", {})
    rows = [Request([{"role": "user", "content": text}], {}) for text in "aba"]
    assert [one.text for one in renderers[0].render_all(rows)] == ["a", "b", "a"]


def test_renderings_that_are_long_together_are_a_limit(monkeypatch):
    monkeypatch.setattr("tokharness.conversations.rendering.MOST_KEPT", 1000)
    assert failures(monkeypatch, Worker("a" * 100)) == [""] * 32 + ["not tried"] * 32


def test_a_template_that_reaches_for_attributes_is_a_finding(findings):
    source = "{{ messages.__class__.__mro__ }}"
    [found] = findings(source, "TOK501", given=given("user"))
    assert (found.verdict, found.cause.kind) == ("bug", "forbidden")


def test_a_template_that_does_not_compile_is_a_finding(findings):
    [found] = [one for one in findings("{% if %}") if one.verdict == "bug"]
    assert (found.code, found.cause.kind) == ("TOK501", "no conversation renders")


@pytest.mark.parametrize("crash", ["", "{{ messages[0].content + '' }}"])
def test_a_template_that_refuses_everything_is_no_bug_and_was_not_checked(report, crash):
    found = report(crash + "{{ raise_exception('messages need a language') }}")
    kinds = [(one.verdict, one.cause.kind) for one in found.findings]
    assert kinds == [("risk", "no conversation renders")]
    assert [one.unfinished for one in found.skips if one.what == "conversations"] == [True]


def test_the_conversation_of_a_finding_is_what_the_template_gets(findings):
    source = altered("{%- if content is string -%}{{ content }}", "{%- if content is string -%}")
    source = source.replace("message.tool_calls or []", "[]")
    [found] = [one for one in findings(source, "TOK504") if one.verdict == "risk"]
    assert json.loads(found.text)[0]["content"] == [{"type": "text", "text": "text1"}]


def test_a_changed_content_is_shown_in_a_small_conversation(findings):
    source = altered(PLAIN, "{{ text(message.content) | lower }}<|end|>{%- endif -%}")
    found = [one for one in findings(source, "TOK504") if one.cause.kind == "changed"]
    texts = {len(json.loads(one.text)) for one in found if "user" in str(one.cause)}
    assert texts == {1}


def given(*roles):
    from tokharness.conversations.shapes import shape_of

    numbered = enumerate(roles, 1)
    return [shape_of([{"role": role, "content": f"text{i}"} for i, role in numbered])]


def test_a_smallest_conversation_has_three_messages_at_most_where_they_suffice(findings):
    source = altered(THOUGHT, "{%- if thought and loop.last -%}")
    [found] = [one for one in findings(source, "TOK507") if one.verdict == "risk"]
    roles = [message["role"] for message in json.loads(found.text)]
    assert roles == ["user", "assistant", "tool"]
    assert found.evidence["characters kept"] < found.evidence["characters before"]


def test_a_template_that_renders_nothing_has_one_finding(findings):
    found = findings("{{ functions.x }}")
    assert of(found, "bug") == [
        ("TOK501", "no conversation renders: raises UndefinedError: 'functions' is undefined")
    ]


def test_a_template_that_shows_parts_only_is_tried_with_parts(findings):
    source = altered("{%- if content is string -%}{{ content }}", "{%- if content is string -%}")
    found = findings(source)
    assert of(found, "bug") == []
    assert of(found, "risk") == []
    assert ("TOK501", "contents in parts only") in of(found, "fact")


def test_a_template_that_shows_no_calls_has_no_bug_in_messages_that_only_call(findings):
    source = "{% for m in messages %}<|turn|>{{ m.role }}{{ m.content + '' }}<|end|>{% endfor %}"
    found = findings(source, "TOK501")
    assert of(found, "bug") == []
    assert ("TOK501", "crash: no content") in of(found, "risk")


def test_two_reasons_of_one_crash_are_two_causes(findings):
    source = altered(ANSWER, "{{ message.content + '' }}\n{%- for call").replace(
        "call.function.arguments | tojson", "call.function.arguments + ''"
    )
    found = findings(source, "TOK501")
    assert of(found, "bug") == [("TOK501", "crash: no content")]
    causes = {"crash: arguments as an object", "crash: parts"}
    assert {cause for _, cause in of(found, "risk")} == causes


def test_a_template_that_needs_tools_is_tried_with_tools(findings):
    found = findings("{% for tool in tools %}{% endfor %}" + HEALTHY)
    assert of(found, "bug") == []
    assert of(found, "risk") == [("TOK501", "crash: no tools")]


def test_a_template_of_several_is_tried_as_a_loader_takes_it(findings):
    without_tools = altered("{%- if tools -%}", "{%- if none -%}")
    assert ("TOK504", "never shown: description of a tool") in of(findings(without_tools), "risk")
    taken = findings(without_tools, names=("default", "tool_use"))
    assert of(taken, "bug") == of(taken, "risk") == []
    needs_tools = "{% for tool in tools %}{% endfor %}" + HEALTHY
    taken = findings(needs_tools, names=("tool_use", "default"))
    assert of(taken, "bug") == of(taken, "risk") == []


def test_a_default_template_that_needs_tools_never_renders_if_another_is_for_tools(findings):
    needs_tools = "{% for tool in tools %}{% endfor %}" + HEALTHY.replace("if tools", "if none")
    found = findings(needs_tools, names=("default", "tool_use"))
    assert [one.cause.kind for one in found if one.verdict == "bug"] == ["no conversation renders"]


def test_white_space_in_which_a_prompt_and_the_history_differ_is_shown(findings):
    more = "<|turn|>assistant\n{{ '\n' if messages[0].role == 'system' }}{% endif"
    source = altered("<|turn|>assistant\n{% endif", more)
    (found,) = [one for one in findings(source, "TOK507") if "prompt for it" in one.cause.message]
    first, second = (f"'<|turn|>assistant{feeds}'" for feeds in (r"\n\n", r"\n"))
    assert found.cause.message.endswith(f"for it, {first}: it begins with {second} of it only")


@pytest.mark.parametrize(
    "prompt",
    ["<|turn|>user\n", "<|turn|>user\n<|end|><|turn|>assistant\n", "<|turn|>assistant\n\n"],
    ids=["of a user", "a turn of a user before it", "a line feed more"],
)
def test_a_prompt_that_begins_no_answer_is_one_finding(findings, prompt):
    found = findings(altered("<|turn|>assistant\n{% endif", prompt + "{% endif"), "TOK507")
    assert [one.cause.kind for one in found] == ["prompt for an answer"]


def test_a_prompt_that_is_always_written_is_not_missing(findings):
    source = NAMED.replace("|>{{ m", "|>{{ '<go>' if m.role == 'assistant' }}{{ m")
    found = findings(source + "<|assistant|>", "TOK507")
    assert [str(one.cause) for one in found if one.verdict == "risk"] == [
        "prompt for an answer: also where it is not asked for"
    ]


def test_answers_that_begin_as_users_do_are_no_fault_of_the_prompt(findings):
    found = findings(altered("<|turn|>{{ message.role }}", "<|turn|>user"), "TOK503", "TOK507")
    assert of(found, "risk") == []
    assert ("TOK503", "another role: assistant") in of(found, "bug")


def test_a_template_that_refuses_all_that_users_begin_is_not_finished(report):
    refusal = "{%- if messages[0].role in ('user', 'system') -%}{{ raise_exception('no') }}"
    found = report(refusal + "{%- endif -%}" + HEALTHY)
    assert any("refuses them" in skip.reason and skip.unfinished for skip in found.skips)


def test_letters_in_another_case_have_no_other_normal_form(findings):
    found = findings(altered(PLAIN, PLAIN.replace("content)", "content) | lower")), "TOK504")
    changed = [str(one.cause) for one in found if one.cause.kind == "changed"]
    assert "changed: of the user content, the case of letters is changed" in changed
    assert not [cause for cause in changed if "normal form" in cause]


def test_a_template_for_documents_is_tried_with_documents(findings):
    shown = "{% for one in documents %}{{ one.title }} {{ one.text }}{% endfor %}"
    found = findings(shown + HEALTHY, names=("rag", "default"))
    assert of(found, "bug") == of(found, "risk") == []
    assert ("TOK501", "crash: no documents") in of(found, "fact")


def test_a_cause_that_explains_all_other_ones_is_one_finding(findings):
    thinking = altered(
        "{%- if thought -%}<think>{{ thought }}</think>{%- endif -%}",
        "{%- if '</think>' in message.content | string -%}"
        "{%- set thought = message.content.split('</think>')[0] -%}"
        "{%- set message = dict(message, content=message.content.split('</think>')[-1]) -%}"
        "{%- endif -%}"
        "{%- if loop.last -%}<think>\n{{ thought }}\n</think>\n{%- endif -%}",
    )
    found = [one for one in findings(thinking, "TOK507") if one.verdict == "risk"]
    assert [str(one.cause) for one in found] == ["rewritten: reasoning of the same turn is dropped"]
    shapes = found[0].evidence["shapes"]
    assert {"one round, and a user", "thoughts in the content", "call, and a user"} <= set(shapes)
    assert "text2" in found[0].evidence["expected"]

    never_calls = "{% for m in messages %}<|turn|>{{ m.role }}{{ m.content }}<|end|>{% endfor %}"
    causes = [cause for _, cause in of(findings(never_calls, "TOK504"), "risk")]
    assert causes == ["never shown: arguments of a call, description of a tool"]


def test_a_prompt_with_a_word_that_also_stands_before_answers_has_no_finding(findings):
    source = (
        "{% for m in messages %}{{ '<|head|>' ~ m.role ~ '<|body|>' }}"
        "{{ '>>>all ' if m.role == 'assistant' }}{{ m.content }}<|end|>{% endfor %}"
        "{% if add_generation_prompt %}<|head|>assistant<|body|>>>>{% endif %}"
    )
    assert of(findings(source, "TOK507"), "bug") == []


ENDS_WITH_THE_NEXT_ROLE = (
    "{% for m in messages %}{% if loop.first or loop.previtem.role != 'assistant' %}"
    "{{ '<|' ~ m.role ~ '|>' }}{% endif %}{{ m.content }}{% if m.role == 'assistant' %}"
    "{% for call in m.tool_calls or [] %}{{ call.function | tojson }}{% endfor %}"
    "{{ '<|' ~ (loop.nextitem.role if not loop.last else 'user') ~ '|>' }}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


def test_a_message_that_ends_with_the_word_of_the_role_that_follows_has_no_finding(findings):
    assert findings(ENDS_WITH_THE_NEXT_ROLE, "TOK503") == ()


HEALTHY_ONES = {
    "an example of a function": "Call <function name> and close it with </function>." + HEALTHY,
    "an emoji and a joiner of Persian": "\u26a0\ufe0f \u0645\u06cc\u200c\u0631\u0648\u0645"
    + HEALTHY,
}


@pytest.mark.parametrize("name", HEALTHY_ONES)
def test_words_of_a_healthy_template_are_no_fault(findings, name):
    found = findings(HEALTHY_ONES[name])
    assert of(found, "bug") == of(found, "risk") == []


@pytest.mark.parametrize("end", ["</system>", "[/SYS]", "<|system_end|>"])
def test_the_end_of_a_tag_of_the_system_is_none_of_answers(findings, end):
    source = (
        "{% for m in messages %}{% if m.role == 'system' %}{{ m.content }}"
        + end
        + "\n{% else %}{{ m.role }}: {{ m.content }}\n{% endif %}{% endfor %}"
    )
    assert of(findings(source, "TOK503"), "risk") == []


def test_roles_that_have_words_of_their_own_are_followed(findings):
    source = (
        "{% for m in messages %}<{{ m.role }}>{% if m.role == 'assistant' %}</think>{% endif %}"
        "{{ m.content }}{% if not (loop.last and m.role == 'assistant' and messages | length == 5)"
        " %}</{{ m.role }}>{% endif %}{% endfor %}"
    )
    assert of(findings(source, "TOK503"), "bug") == []


def test_a_definition_of_a_tool_that_fails_is_small(findings):
    source = altered(
        "{{ tool | tojson }}", "{{ tool.function.parameters.properties.zone.type + '' }}"
    )
    (found,) = [one for one in findings(source, "TOK501") if "'parameters'" in one.message]
    tool = {"type": "function", "function": {"name": "look_up"}}
    assert json.loads(found.text)["tools"] == [tool]
