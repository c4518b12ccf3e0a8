"""The checks of chat templates of a folder, with those of texts."""

import json
from pathlib import Path

import pytest

import tokharness_tokenizers.vocabularies
from tokharness.config import Options
from tokharness.conversations.checked_targets import of_conversations, with_conversations
from tokharness.conversations.syntax import syntax_digest
from tokharness.engine.events import FamilyFinished, TargetFinished, TargetStarted
from tokharness.errors import NothingCheckedError
from tokharness.results.report import Report, TargetReport
from tokharness.results.scorecard import scorecard

from .conftest import HEALTHY

HEALTHY_FILES = Path(tokharness_tokenizers.vocabularies.__file__).parent / "healthy"
CRASHING = HEALTHY.replace("{{ text(message.content) }}\n", "{{ message.content + '' }}\n")


@pytest.fixture
def folder(tmp_path):
    """A folder of a model, with a template under each name."""

    def make(**templates):
        source = HEALTHY_FILES / "byte-level-bpe" / "tokenizer.json"
        (tmp_path / "tokenizer.json").write_bytes(source.read_bytes())
        rows = [{"name": name, "template": text} for name, text in templates.items()]
        config = {"bos_token": "<|endoftext|>", "chat_template": rows}
        (tmp_path / "tokenizer_config.json").write_text(json.dumps(config))
        return f"hf:{tmp_path}"

    return make


def checked(spec, **options):
    """The report of a run on texts that found nothing, and the checks of templates."""
    started = TargetStarted(spec, None, (), None, None, ("everyday",), ("TOK101",))
    families = (FamilyFinished(spec, "everyday", 1, failing=0),)
    target = TargetReport(started, families, (), (), TargetFinished(spec, 1, 1.0, 1.0))
    report = Report(Options(**options), (target,), {})
    (found,) = with_conversations(report, keep_states=True).targets
    return found


def test_a_fault_of_the_template_is_a_finding_of_the_folder(folder):
    spec = folder(default=CRASHING)
    target = checked(spec, select=("TOK101", "TOK501"))
    (line,) = [one for one in scorecard(target) if one.name == "chat template"]
    assert (line.status, line.numbers) == ("bug", {"failing": 1, "checks": 1})
    assert [
        (one.spec, one.code, one.verdict) for one in target.findings if one.verdict == "bug"
    ] == [(spec, "TOK501", "bug")]
    assert target.started.checks == ("TOK101", "TOK501")
    assert target.findings[0].reproduce.startswith(f"tokharness chat {spec} --select TOK501")


def test_a_healthy_template_has_no_finding_and_its_state_is_kept(folder):
    target = checked(folder(default=HEALTHY), select=("TOK501", "TOK503", "TOK512"))
    assert [one for one in target.findings if one.verdict == "bug"] == []
    (state,) = target.templates
    assert (state.name, state.source) == ("default", HEALTHY)
    assert state.syntax == syntax_digest(HEALTHY)
    assert state.variables == {"bos_token": "<|endoftext|>"}
    assert len(state.renderings) > 80
    assert "user content" in state.open_fields


@pytest.mark.slow
def test_a_fault_of_two_templates_is_one_finding_with_both_names(folder):
    target = checked(folder(default=CRASHING, other=CRASHING), select=("TOK501",))
    (bug,) = [one for one in target.findings if one.verdict == "bug"]
    assert bug.evidence["templates"] == ["default", "other"]


@pytest.mark.parametrize(
    "options", [{"ignore": ("TOK5",)}, {"select": ("TOK1",)}, {"families": ("emoji",)}]
)
def test_a_run_of_other_checks_or_families_keeps_states_of_templates(folder, options):
    target = checked(folder(default=CRASHING), **options)
    assert (target.findings, target.skips, target.started.checks) == ((), (), ("TOK101",))
    (state,) = target.templates
    assert (state.source, state.open_fields) == (CRASHING, None)
    assert len(state.renderings) > 80


def test_a_folder_without_a_template_has_a_skip_only_if_its_checks_are_named(folder):
    spec = folder()
    assert checked(spec).skips == ()
    (skip,) = checked(spec, select=("TOK101", "TOK5")).skips
    assert skip.reason == "the target has no chat template"


def test_a_file_that_cannot_be_read_makes_the_run_not_finished(folder, tmp_path):
    spec = folder(default=HEALTHY)
    (tmp_path / "chat_template.jinja").write_bytes(b"\xff")
    (skip,) = checked(spec).skips
    assert "is not UTF-8" in skip.reason
    assert skip.unfinished


@pytest.mark.slow
def test_checks_of_templates_alone_are_of_conversations(folder):
    report = of_conversations([folder(default=CRASHING)], Options(select=("TOK501",)))
    assert report.targets[0].families[0].family == "conversations"
    with pytest.raises(NothingCheckedError, match="has no chat template"):
        of_conversations([folder()], Options(select=("TOK501",)))


def test_comments_and_white_space_inside_of_tags_are_no_syntax():
    plain = "a{% if x %}b{{ y }}{% endif %}"
    assert syntax_digest("a{#- c #}{%  if   x%}{# d #}b{{y}}{% endif %}") == syntax_digest(plain)
    assert syntax_digest("a {% if x %}b{{ y }}{% endif %}") != syntax_digest(plain)
    assert syntax_digest("a{% if x %}b{{ z }}{% endif %}") != syntax_digest(plain)
