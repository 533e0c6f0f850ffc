"""JSON Schemas of the plan messages of the Agent Client Protocol, versions 1 and 2, in words of our own.

They follow https://agentclientprotocol.com/protocol/v2/draft/agent-plan for version 2 (``items``, and the
drafts ``markdown``, ``file`` and the removal), and https://agentclientprotocol.com/protocol/agent-plan for
version 1. They allow less than the published schemas do: a URI has to begin with its scheme, and a type,
status or priority that the protocol does not know with an underscore (other words are kept for its future).
"""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
META: Schema = {"type": ["object", "null"]}
OWN_WORD: Schema = {"type": "string", "pattern": "^_"}


def _object(required: Schema, **optional: Schema) -> Schema:
    """An object with these fields and any others; each may have ``_meta``."""
    properties = {"_meta": META, **optional, **required}
    return {"type": "object", "required": list(required), "properties": properties}


def _entries(status: Schema, priority: Schema) -> Schema:
    return {
        "type": "array",
        "items": _object({"content": TEXT, "status": status, "priority": priority}),
    }


def _open(*words: str) -> Schema:
    return {"anyOf": [{"enum": list(words)}, OWN_WORD]}


def _kind(kind: Schema, **fields: Schema) -> Schema:
    """A plan of version 2: its type tells which other fields it has."""
    return _object({"type": kind, "planId": TEXT, **fields})


def _message(update: Schema) -> Schema:
    """A notification of the agent that carries an update of a session."""
    params = _object({"sessionId": TEXT, "update": update})
    head: Schema = {"jsonrpc": {"const": "2.0"}, "method": {"const": "session/update"}, "params": params}
    # A notification is not answered, so it has no id (JSON-RPC 2.0, section 4.1).
    return {**_object(head), "not": {"required": ["id"]}}


ENTRIES_V1 = _entries(
    {"enum": ["pending", "in_progress", "completed"]}, {"enum": ["high", "medium", "low"]}
)
ENTRIES_V2 = _entries(
    _open("pending", "in_progress", "completed", "cancelled"), _open("high", "medium", "low")
)
PLAN_V2: Schema = {
    "oneOf": [
        _kind({"const": "items"}, entries=ENTRIES_V2),
        _kind({"const": "markdown"}, content=TEXT),
        _kind({"const": "file"}, uri={"type": "string", "pattern": "^[A-Za-z][A-Za-z0-9+.-]*:"}),
        _kind(OWN_WORD),
    ]
}

MESSAGE_V1 = _message(_object({"sessionUpdate": {"const": "plan"}, "entries": ENTRIES_V1}))
MESSAGE_V2 = _message(
    {
        "oneOf": [
            _object({"sessionUpdate": {"const": "plan_update"}, "plan": PLAN_V2}),
            _object({"sessionUpdate": {"const": "plan_removed"}, "planId": TEXT}),
        ]
    }
)
