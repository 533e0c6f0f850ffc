"""The parts of the SARIF 2.1.0 schema that a log of findings uses, closed: an unknown key is an error.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json
"""


def closed(required, **properties):
    return {
        "type": "object",
        "required": required.split(),
        "properties": properties,
        "additionalProperties": False,
    }


TEXT = {"type": "string"}
MESSAGE = closed("text", text=TEXT)
POSITION = {"type": "integer", "minimum": 1}
RULE = closed("id", id=TEXT, name=TEXT, shortDescription=MESSAGE, fullDescription=MESSAGE, help=MESSAGE)
DRIVER = closed(
    "name",
    name=TEXT,
    version=TEXT,
    rules={"type": "array", "uniqueItems": True, "items": RULE},
)
LOCATION = closed(
    "",
    physicalLocation=closed(
        "",
        artifactLocation=closed("", uri={"type": "string", "format": "uri-reference"}),
        region=closed("", startLine=POSITION, startColumn=POSITION),
    ),
    logicalLocations={
        "type": "array",
        "uniqueItems": True,
        "items": closed("", fullyQualifiedName=TEXT),
    },
)
RESULT = closed(
    "message",
    ruleId=TEXT,
    ruleIndex={"type": "integer", "minimum": -1},
    level={"enum": ["none", "note", "warning", "error"]},
    message=MESSAGE,
    locations={"type": "array", "items": LOCATION},
)
RUN = closed(
    "tool",
    tool=closed("driver", driver=DRIVER),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    results={"type": "array", "items": RESULT},
)
SCHEMA = closed(
    "version runs",
    **{"$schema": {"type": "string", "format": "uri"}},
    version={"const": "2.1.0"},
    runs={"type": "array", "items": RUN},
)
