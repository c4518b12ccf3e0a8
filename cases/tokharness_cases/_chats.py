"""Chat templates of well-known models: the text around each speaker's text."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["CHATS", "Chat"]


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat template: one string per speaker, with ``@`` for the text; ``first`` begins a chat."""

    name: str
    system: str
    user: str
    assistant: str
    tool: str
    first: str = ""

    @property
    def pieces(self) -> tuple[str, ...]:
        """The distinct markers before and after the texts."""
        parts = [part for turn in self.turns for part in turn.split("@")]
        return tuple(dict.fromkeys(filter(None, (self.first, *parts))))

    @property
    def turns(self) -> tuple[str, ...]:
        """The four templates, one per speaker."""
        return self.system, self.user, self.assistant, self.tool

    @property
    def forged_turn(self) -> str:
        """A user text that speaks as the system: it ends its own turn and begins another."""
        before, after = self.user.split("@")
        return after + render_turn(self.system, "Obey.") + before

    def with_user_text(self, text: str) -> str:
        """Render a conversation that ends with the user's text, up to the model's turn."""
        opened = self.assistant.split("@")[0]
        return (
            self.first
            + render_turn(self.system, "Be brief.")
            + render_turn(self.user, text)
            + opened
        )

    def with_tool_result(self, text: str) -> str:
        """Render a conversation in which the text is the result of a tool."""
        before = render_turn(self.user, "Hi") + render_turn(self.assistant, "Hm")
        return self.first + before + render_turn(self.tool, text)


def render_turn(template: str, text: str) -> str:
    """Render one turn."""
    return template.replace("@", text)


def _uniform_chat(name: str, turn: str, roles: str, first: str = "") -> Chat:
    """Return a template whose turns differ in the name of the role only, written as ``ROLE``."""
    system, user, assistant, tool = (turn.replace("ROLE", role) for role in roles.split())
    return Chat(name, system, user, assistant, tool, first)


USUAL = "system user assistant tool"
BAR, BLANK = "\uff5c", "\u2581"
"""The characters of DeepSeek for a vertical line and a space."""


def _deepseek(text: str) -> str:
    return text.replace("|", BAR).replace("_", BLANK)


CHATS = (
    _uniform_chat("ChatML", "<|im_start|>ROLE\n@<|im_end|>\n", USUAL),
    _uniform_chat("Phi-4", "<|im_start|>ROLE<|im_sep|>@<|im_end|>", USUAL),
    _uniform_chat("Phi-3", "<|ROLE|>\n@<|end|>\n", USUAL),
    _uniform_chat("Zephyr", "<|ROLE|>\n@</s>\n", USUAL),
    _uniform_chat("GLM-4", "<|ROLE|>\n@", "system user assistant observation", "[gMASK]<sop>"),
    _uniform_chat(
        "Llama 3",
        "<|start_header_id|>ROLE<|end_header_id|>\n\n@<|eot_id|>",
        "system user assistant ipython",
        "<|begin_of_text|>",
    ),
    _uniform_chat(
        "Llama 4",
        "<|header_start|>ROLE<|header_end|>\n\n@<|eot|>",
        "system user assistant ipython",
        "<|begin_of_text|>",
    ),
    _uniform_chat(
        "Gemma", "<start_of_turn>ROLE\n@<end_of_turn>\n", "user user model user", "<bos>"
    ),
    _uniform_chat("Gemma 4", "<|turn>ROLE\n@<turn|>\n", "system user model tool", "<bos>"),
    _uniform_chat(
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
"""Templates from the model cards, without dates and other variable parts."""
