"""``planconv formats``: which formats there are, what each holds, and what is lost on the way to it."""

from __future__ import annotations

from typing import Annotated

import typer

from planconv import registry
from planconv.cli.format_tables import as_json, as_markdown, as_text, described, description_markdown
from planconv.cli.inputs import input_name, told
from planconv.cli.messages import one_line
from planconv.cli.streams import Streams, read_file
from planconv.errors import PlanconvError, UsageError

EXAMPLES = """Examples:

\b
  planconv formats
  planconv formats slack
  planconv formats --detect plan.md session.ndjson
"""


def formats(
    context: typer.Context,
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME]", help="A format to describe; with --detect, files to tell the format of."
        ),
    ] = None,
    detect_them: Annotated[
        bool, typer.Option("--detect", help="Tell the format of each PATH, and why.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown tables.")] = False,
) -> int:
    """List the formats, and what is lost on the way to each."""
    streams: Streams = context.obj
    if detect_them:
        if json or markdown:
            raise UsageError("--detect prints text, neither --json nor --markdown")
        return _detected(streams, names or [])
    if json and markdown:
        raise UsageError("choose one of --json and --markdown")
    if names and len(names) > 1:
        raise UsageError("name one format; to tell the format of files, give --detect")
    if names:
        info = registry.get(names[0]).info
        if json:
            streams.write(as_json([info], (), single=True))
        elif markdown:
            streams.write(description_markdown(info).encode())
        else:
            streams.write(described(info, streams.output_paint).encode())
        return 0
    codecs, broken = registry.installed()
    infos = [codec.info for codec in codecs]
    if json:
        streams.write(as_json(infos, broken))
    elif markdown:
        streams.write(as_markdown([codec.info for codec in registry.built_in()]).encode())
    else:
        streams.write(as_text(infos, broken, streams.output_paint).encode())
    return 0


def _detected(streams: Streams, paths: list[str]) -> int:
    if not paths:
        raise UsageError("name the files to tell the format of")
    status = 0
    for path in paths:
        try:
            found = told(path, streams.read() if path == "-" else read_file(path))
        except PlanconvError as error:
            streams.complain(error)
            status = max(status, error.exit_status)
        else:
            streams.write(f"{one_line(input_name(path))}: {found.format} ({found.reason})\n".encode())
    return status
