"""What Slack's documentation allows in plan blocks and task cards, as pydantic models.

Only ``--strict`` needs them; importing this module imports pydantic. Sources: Slack's pages on the plan,
task card and rich text blocks (https://docs.slack.dev/reference/block-kit/blocks/plan-block,
``…/task-card-block``, ``…/rich-text-block``) and public reports of refused messages: an empty text or
element list refuses the whole message (https://github.com/NousResearch/hermes-agent/pull/59621), and so
does a pending task card outside of a plan (https://github.com/slackapi/java-slack-sdk/pull/1638). Fields
that these pages do not name are let through.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, TypeAlias

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    StringConstraints,
    Tag,
    ValidationError,
)

from planconv.model import JSON
from planconv.status import PENDING, TABLE
from planconv.wire.slack.find import Found
from planconv.wire.slack.limits import MAX_BLOCK_ID, MAX_TASKS
from planconv.wire.slack.rich_text_lists import MAX_INDENT
from planconv.wire.slack.rich_text_spans import MAX_URL

_WORDS = [cell.word for cell in TABLE["slack"].values() if cell.exact]
_PENDING = TABLE["slack"][PENDING].word


def _status(word: str) -> str:
    if word not in _WORDS:
        raise ValueError(f"{word!r} is none of {', '.join(_WORDS)}")
    return word


def _status_of_card(word: str) -> str:
    if _status(word) == _PENDING:
        raise ValueError(f"a task card outside of a plan cannot be {word!r}")
    return word


NotEmpty = Annotated[str, StringConstraints(min_length=1)]
Url = Annotated[str, StringConstraints(min_length=1, max_length=MAX_URL)]
BlockId = Annotated[str, StringConstraints(max_length=MAX_BLOCK_ID)]


class _Shape(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore")


class _Style(_Shape):
    bold: bool | None = None
    italic: bool | None = None
    strike: bool | None = None
    underline: bool | None = None
    highlight: bool | None = None
    client_highlight: bool | None = None
    unlink: bool | None = None
    code: bool | None = None


class _Inline(_Shape):
    style: _Style | None = None


class TextElement(_Inline):
    """A run of text."""

    text: NotEmpty


class LinkElement(_Inline):
    """A link; without a text its address is shown."""

    url: Url
    text: NotEmpty | None = None


class EmojiElement(_Inline):
    """An emoji by its name."""

    name: NotEmpty
    unicode: str | None = None
    url: Url | None = None


class UserElement(_Inline):
    """A mention of a user."""

    user_id: NotEmpty


class UsergroupElement(_Inline):
    """A mention of a group of users."""

    usergroup_id: NotEmpty


class ChannelElement(_Inline):
    """A mention of a channel."""

    channel_id: NotEmpty


class TeamElement(_Inline):
    """A mention of a workspace."""

    team_id: NotEmpty


class BroadcastElement(_Inline):
    """A mention of everybody somewhere."""

    range: Literal["here", "channel", "everyone"]


class DateElement(_Inline):
    """A moment, shown in the reader's own time."""

    timestamp: int
    format: NotEmpty
    timezone: str | None = None
    url: Url | None = None
    fallback: str | None = None


class ColorElement(_Inline):
    """A colour with its swatch."""

    value: Annotated[str, StringConstraints(pattern=r"^#[0-9A-Fa-f]{6}$")]


class ReceivedElement(_Shape):
    """An element that Slack sends and apps do not."""


_RECEIVED = {
    "attachment_mention",
    "canvas",
    "canvas_message_unfurl",
    "canvas_user_mention",
    "citation",
    "file",
    "list_record",
    "message_mention",
    "salesforce_data_field",
    "tag",
    "work_object_mention",
    "workflow_mention",
}


def _tag(value: object) -> str:
    """The tag of a union's member; in angle brackets, so that it is never taken for a key."""
    name = value.get("type") if isinstance(value, dict) else None
    return "<received>" if isinstance(name, str) and name in _RECEIVED else f"<{name}>"


InlineElement: TypeAlias = Annotated[
    Annotated[TextElement, Tag("<text>")]
    | Annotated[LinkElement, Tag("<link>")]
    | Annotated[EmojiElement, Tag("<emoji>")]
    | Annotated[UserElement, Tag("<user>")]
    | Annotated[UsergroupElement, Tag("<usergroup>")]
    | Annotated[ChannelElement, Tag("<channel>")]
    | Annotated[TeamElement, Tag("<team>")]
    | Annotated[BroadcastElement, Tag("<broadcast>")]
    | Annotated[DateElement, Tag("<date>")]
    | Annotated[ColorElement, Tag("<color>")]
    | Annotated[ReceivedElement, Tag("<received>")],
    Discriminator(_tag),
]
CodeElement: TypeAlias = Annotated[
    Annotated[TextElement, Tag("<text>")] | Annotated[LinkElement, Tag("<link>")], Discriminator(_tag)
]
Border: TypeAlias = Literal[0, 1] | None


class Section(_Shape):
    """Running text, or an item of a list."""

    type: Literal["rich_text_section"]
    elements: Annotated[list[InlineElement], Field(min_length=1)]


class RichTextList(_Shape):
    """A list, which holds sections only."""

    style: Literal["bullet", "ordered"]
    elements: Annotated[list[Section], Field(min_length=1)]
    indent: Annotated[int, Field(ge=0, le=MAX_INDENT)] | None = None
    offset: Annotated[int, Field(ge=0)] | None = None
    border: Border = None


class RichTextQuote(_Shape):
    """Quoted text."""

    elements: Annotated[list[InlineElement], Field(min_length=1)]
    border: Border = None


class Preformatted(_Shape):
    """Code, which holds text and links only."""

    elements: Annotated[list[CodeElement], Field(min_length=1)]
    border: Border = None
    language: str | None = None


Container: TypeAlias = Annotated[
    Annotated[Section, Tag("<rich_text_section>")]
    | Annotated[RichTextList, Tag("<rich_text_list>")]
    | Annotated[RichTextQuote, Tag("<rich_text_quote>")]
    | Annotated[Preformatted, Tag("<rich_text_preformatted>")],
    Discriminator(_tag),
]


class RichText(_Shape):
    """The details or the output of a task."""

    type: Literal["rich_text"]
    elements: Annotated[list[Container], Field(min_length=1)]
    block_id: BlockId | None = None


class UrlSource(_Shape):
    """A source of a task."""

    type: Literal["url", "url_source"]
    url: Url
    text: NotEmpty


class PlanTask(_Shape):
    """A task in a plan."""

    task_id: NotEmpty
    title: NotEmpty
    status: Annotated[str, AfterValidator(_status)] | None = None
    details: RichText | None = None
    output: RichText | None = None
    sources: list[UrlSource] | None = None
    block_id: BlockId | None = None
    hide_title: bool | None = None


class TaskCard(PlanTask):
    """A task card outside of a plan."""

    status: Annotated[str, AfterValidator(_status_of_card)] | None = None


class Plan(_Shape):
    """A plan block."""

    title: NotEmpty
    tasks: Annotated[list[PlanTask], Field(max_length=MAX_TASKS)]
    block_id: BlockId | None = None


def problems(found: Found) -> Iterator[tuple[str, str]]:
    """JSON pointer and reason of everything that Slack does not allow in a plan or in task cards."""
    if found.standalone:
        cards = found.plan["tasks"]
        for card, pointer in zip(cards if isinstance(cards, list) else [], found.pointers, strict=True):
            yield from _problems(TaskCard, card, pointer)
        return
    (pointer,) = found.pointers
    yield from _problems(Plan, found.plan, pointer)
    yield from _used_again(found.plan, pointer)


def _problems(model: type[BaseModel], value: JSON, pointer: str) -> Iterator[tuple[str, str]]:
    try:
        model.model_validate(value)
    except ValidationError as error:
        for problem in error.errors(include_url=False, include_input=False, include_context=False):
            keys = [str(key) for key in problem["loc"] if not str(key).startswith("<")]
            yield "/".join([pointer, *keys]), problem["msg"].removeprefix("Value error, ")


def _used_again(plan: dict[str, JSON], pointer: str) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    tasks = plan.get("tasks")
    for index, task in enumerate(tasks if isinstance(tasks, list) else []):
        id = task.get("task_id") if isinstance(task, dict) else None
        if isinstance(id, str):
            if id in seen:
                yield f"{pointer}/tasks/{index}/task_id", f"{id!r} is the id of another task too"
            seen.add(id)
