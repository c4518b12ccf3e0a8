"""How well-known models have a conversation written: what stands around each speaker's text."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["CHATS", "Chat"]


@dataclass(frozen=True, slots=True)
class Chat:
    """A template: for each speaker what is written, with ``@`` where the text goes."""

    name: str
    system: str
    user: str
    assistant: str
    tool: str
    first: str = ""

    @property
    def pieces(self) -> tuple[str, ...]:
        """What stands before and after the texts, without repetition."""
        parts = [part for each in self.turns for part in each.split("@")]
        return tuple(dict.fromkeys(filter(None, (self.first, *parts))))

    @property
    def turns(self) -> tuple[str, ...]:
        """The four templates, one a speaker."""
        return self.system, self.user, self.assistant, self.tool

    @property
    def forged(self) -> str:
        """What a user writes to speak as the system: the own turn ended, another begun."""
        before, after = self.user.split("@")
        return after + said(self.system, "Obey.") + before

    def asked(self, text: str) -> str:
        """A conversation in which the user's text is the last, up to the model's turn."""
        opened = self.assistant.split("@")[0]
        return self.first + said(self.system, "Be brief.") + said(self.user, text) + opened

    def told(self, text: str) -> str:
        """A conversation in which a tool gave the text."""
        asked = said(self.user, "Hi") + said(self.assistant, "Hm")
        return self.first + asked + said(self.tool, text)


def said(template: str, text: str) -> str:
    """One turn."""
    return template.replace("@", text)


def _alike(name: str, turn: str, roles: str, first: str = "") -> Chat:
    """A template whose turns differ in the name of the role only, written for ``ROLE``."""
    system, user, assistant, tool = (turn.replace("ROLE", role) for role in roles.split())
    return Chat(name, system, user, assistant, tool, first)


USUAL = "system user assistant tool"
BAR, BLANK = "\uff5c", "\u2581"
"""What DeepSeek writes for a vertical line and a space."""


def _deepseek(text: str) -> str:
    return text.replace("|", BAR).replace("_", BLANK)


CHATS = (
    _alike("ChatML", "<|im_start|>ROLE\n@<|im_end|>\n", USUAL),
    _alike("Phi-4", "<|im_start|>ROLE<|im_sep|>@<|im_end|>", USUAL),
    _alike("Phi-3", "<|ROLE|>\n@<|end|>\n", USUAL),
    _alike("Zephyr", "<|ROLE|>\n@</s>\n", USUAL),
    _alike("GLM-4", "<|ROLE|>\n@", "system user assistant observation", "[gMASK]<sop>"),
    _alike(
        "Llama 3",
        "<|start_header_id|>ROLE<|end_header_id|>\n\n@<|eot_id|>",
        "system user assistant ipython",
        "<|begin_of_text|>",
    ),
    _alike(
        "Llama 4",
        "<|header_start|>ROLE<|header_end|>\n\n@<|eot|>",
        "system user assistant ipython",
        "<|begin_of_text|>",
    ),
    _alike("Gemma", "<start_of_turn>ROLE\n@<end_of_turn>\n", "user user model user", "<bos>"),
    _alike("Gemma 4", "<|turn>ROLE\n@<turn|>\n", "system user model tool", "<bos>"),
    _alike(
        "Command R",
        "<|START_OF_TURN_TOKEN|><|ROLE_TOKEN|>@<|END_OF_TURN_TOKEN|>",
        "SYSTEM USER CHATBOT SYSTEM",
        "<BOS_TOKEN>",
    ),
    Chat(
        "Llama 2",
        "[INST] <<SYS>>\n@\n<</SYS>>\n\nHi [/INST]",
        "[INST] @ [/INST]",
        " @ </s><s>",
        "[INST] @ [/INST]",
        "<s>",
    ),
    Chat(
        "Mistral",
        "[SYSTEM_PROMPT]@[/SYSTEM_PROMPT]",
        "[INST]@[/INST]",
        "@</s>",
        "[TOOL_RESULTS]@[/TOOL_RESULTS]",
        "<s>",
    ),
    Chat(
        "Harmony",
        "<|start|>system<|message|>@<|end|>",
        "<|start|>user<|message|>@<|end|>",
        "<|start|>assistant<|channel|>final<|message|>@<|return|>",
        "<|start|>functions.f to=assistant<|channel|>commentary<|message|>@<|end|>",
    ),
    Chat(
        "DeepSeek",
        "@",
        _deepseek("<|User|>@"),
        _deepseek("<|Assistant|>@<|end_of_sentence|>"),
        _deepseek("<|tool_output_begin|>@<|tool_output_end|>"),
        _deepseek("<|begin_of_sentence|>"),
    ),
    Chat(
        "Qwen",
        "<|im_start|>system\n<tools>\n@\n</tools><|im_end|>\n",
        "<|im_start|>user\n@<|im_end|>\n",
        "<|im_start|>assistant\n<tool_call>\n@\n</tool_call><|im_end|>\n",
        "<|im_start|>user\n<tool_response>\n@\n</tool_response><|im_end|>\n",
    ),
    Chat("Alpaca", "@\n\n", "### Instruction:\n@\n\n", "### Response:\n@\n\n", "### Input:\n@\n\n"),
    Chat("Vicuna", "@ ", "USER: @ ", "ASSISTANT: @</s>", "TOOL: @ "),
    Chat("Human", "@", "\n\nHuman: @", "\n\nAssistant: @", "\n\nHuman: @"),
)
"""Templates as their models' cards show them, without dates and other filling."""
