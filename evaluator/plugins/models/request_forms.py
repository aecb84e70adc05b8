"""What a program may ask: an allow-list of fields and values for each path, as types.

All else is refused by name: tools that act at the provider, addresses that it fetches, state that
it keeps, and what changes prices. From openai-python of 21 August 2026 and anthropic-sdk-python of
7 August 2026.
"""

from typing import Annotated, Any, Literal

import msgspec

_Data = Annotated[str, msgspec.Meta(pattern=r"^data:")]
"""No address, which the provider would fetch."""
_Tokens = Annotated[int, msgspec.Meta(ge=0, le=10**7)]
_Number = int | float
_Texts = str | list[str]
_Nothing = Annotated[list[Any], msgspec.Meta(max_length=0)]
"""What no answer here has anything in."""


class _Form(msgspec.Struct, forbid_unknown_fields=True):
    pass


class _Text(_Form, tag_field="type", tag="text"):
    text: str


class _Refusal(_Form, tag_field="type", tag="refusal"):
    refusal: str


class _Url(_Form):
    url: _Data
    detail: Literal["auto", "low", "high"] = "auto"


class _Picture(_Form, tag_field="type", tag="image_url"):
    image_url: _Url


class _Function(_Form):
    name: str
    arguments: str


class _Custom(_Form):
    name: str
    input: str


class _FunctionCall(_Form, tag_field="type", tag="function"):
    id: str
    function: _Function


class _CustomCall(_Form, tag_field="type", tag="custom"):
    id: str
    custom: _Custom


class _ChatMessage(_Form):
    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: str | list[_Text | _Picture | _Refusal] | None = None
    name: str = ""
    refusal: str | None = None
    tool_calls: list[_FunctionCall | _CustomCall] | None = None
    tool_call_id: str = ""


class _FunctionTool(_Form, tag_field="type", tag="function"):
    function: dict[str, Any]


class _CustomTool(_Form, tag_field="type", tag="custom"):
    custom: dict[str, Any]


class _StreamOptions(_Form):
    include_usage: bool = False


class ChatRequest(_Form):
    """Of ``/v1/chat/completions``."""

    model: str
    messages: list[_ChatMessage]
    max_completion_tokens: _Tokens | None = None
    max_tokens: _Tokens | None = None
    n: Annotated[int, msgspec.Meta(ge=1, le=128)] = 1
    temperature: _Number | None = None
    top_p: _Number | None = None
    stop: _Texts | None = None
    seed: int | None = None
    logprobs: bool | None = None
    top_logprobs: int | None = None
    logit_bias: dict[str, _Number] | None = None
    presence_penalty: _Number | None = None
    frequency_penalty: _Number | None = None
    response_format: dict[str, Any] | None = None
    tools: list[_FunctionTool | _CustomTool] | None = None
    tool_choice: str | dict[str, Any] | None = None
    parallel_tool_calls: bool | None = None
    reasoning_effort: str | None = None
    verbosity: str | None = None
    stream: bool | None = False
    stream_options: _StreamOptions | None = None
    store: Literal[False] | None = None
    user: str | None = None
    safety_identifier: str | None = None
    metadata: dict[str, str] | None = None

    @property
    def output(self) -> int | None:
        limits = (self.max_completion_tokens, self.max_tokens)
        return max((one * self.n for one in limits if one is not None), default=None)


class _Source(_Form):
    type: Literal["base64", "text"]
    media_type: str
    data: str


class _Image(_Form, tag_field="type", tag="image"):
    source: _Source


class _Document(_Form, tag_field="type", tag="document"):
    source: _Source
    title: str | None = None
    context: str | None = None


class _ToolUse(_Form, tag_field="type", tag="tool_use"):
    id: str
    name: str
    input: dict[str, Any]


class _ToolResult(_Form, tag_field="type", tag="tool_result"):
    tool_use_id: str
    content: str | list[_Text | _Image | _Document] = ""
    is_error: bool = False


class _Thinking(_Form, tag_field="type", tag="thinking"):
    thinking: str
    signature: str


class _Redacted(_Form, tag_field="type", tag="redacted_thinking"):
    data: str


class _Message(_Form):
    role: Literal["user", "assistant"]
    content: str | list[_Text | _Image | _Document | _ToolUse | _ToolResult | _Thinking | _Redacted]


class _ThinkingOption(_Form):
    type: Literal["enabled", "disabled", "adaptive"]
    budget_tokens: _Tokens | None = None


class _Tool(_Form):
    """A tool of the program's; ``bash`` and the editor run at the program's side, too."""

    name: str
    type: Annotated[str, msgspec.Meta(pattern=r"^(custom|(bash|text_editor|memory)_\d{8})\Z")] = (
        "custom"
    )
    description: str = ""
    input_schema: dict[str, Any] | None = None
    strict: bool = False
    max_characters: int | None = None


class MessagesRequest(_Form):
    """Of ``/v1/messages``."""

    model: str
    messages: list[_Message]
    max_tokens: _Tokens
    system: str | list[_Text] | None = None
    temperature: _Number | None = None
    top_p: _Number | None = None
    top_k: int | None = None
    stop_sequences: list[str] | None = None
    stream: bool | None = False
    thinking: _ThinkingOption | None = None
    tools: list[_Tool] | None = None
    tool_choice: dict[str, Any] | None = None
    metadata: dict[str, str] | None = None

    @property
    def output(self) -> int | None:
        return self.max_tokens


class _Part(_Form):
    """Of an item; a provider refuses fields of another type."""

    type: Literal[
        "input_text", "input_image", "output_text", "reasoning_text", "summary_text", "refusal"
    ]
    text: str = ""
    refusal: str = ""
    image_url: _Data | None = None
    detail: Literal["auto", "low", "high", "original"] = "auto"
    annotations: _Nothing = []
    logprobs: _Nothing = []


class _Item(_Form):
    """A message, or what came of a tool that the program runs. All else acts at the provider."""

    type: Literal[
        "message", "reasoning", "function_call", "function_call_output", "custom_tool_call",
        "custom_tool_call_output",
    ] = "message"  # fmt: skip
    role: Literal["user", "assistant", "system", "developer"] | None = None
    content: str | list[_Part] | None = None
    id: str | None = None
    status: Literal["in_progress", "completed", "incomplete"] | None = None
    phase: str | None = None
    call_id: str = ""
    name: str = ""
    arguments: str = ""
    input: str = ""
    output: str | list[_Part] = ""
    summary: list[_Part] = []
    encrypted_content: str | None = None

    def __post_init__(self) -> None:
        """Raise ValueError for what names an item that the provider keeps, maybe of others."""
        is_whole = {"message": self.role and self.content, "reasoning": self.encrypted_content}
        if not is_whole.get(self.type, True):
            raise ValueError(f"a {self.type} comes with all that it says")


class _FlatTool(_Form):
    type: Literal["function", "custom"]
    name: str
    description: str | None = None
    parameters: dict[str, Any] | None = None
    strict: bool | None = None
    format: dict[str, Any] | None = None


class _Reasoning(_Form):
    effort: str | None = None
    summary: str | None = None


class _Obfuscation(_Form):
    include_obfuscation: bool = False


class ResponsesRequest(_Form):
    """Of ``/v1/responses``."""

    model: str
    input: str | list[_Item]
    max_output_tokens: _Tokens | None = None
    instructions: str | None = None
    temperature: _Number | None = None
    top_p: _Number | None = None
    text: dict[str, Any] | None = None
    tools: list[_FlatTool] | None = None
    tool_choice: str | dict[str, Any] | None = None
    parallel_tool_calls: bool | None = None
    reasoning: _Reasoning | None = None
    truncation: str | None = None
    include: list[Literal["reasoning.encrypted_content", "message.output_text.logprobs"]] | None = (
        None
    )
    stream: bool | None = False
    stream_options: _Obfuscation | None = None
    store: Literal[False] | None = None
    user: str | None = None
    safety_identifier: str | None = None
    metadata: dict[str, str] | None = None

    @property
    def output(self) -> int | None:
        return self.max_output_tokens
