"""The commands, and how a line of arguments reaches one of them.

A command is a module of this folder with a function of the command's own name, whose signature typer reads.
It gets the :class:`~planconv.cli.streams.Streams` of the run as ``context.obj`` and returns its exit
status. A module is imported when its command is called; what is heavy it imports when it works.
"""

from __future__ import annotations

import os
from difflib import get_close_matches
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from planconv import __version__
from planconv.cli.streams import Streams

COMMANDS = ("convert", "stream", "batch", "fmt", "check", "formats", "explain")
"""Names of commands and modules, in the order of the help."""
_HELP = {"help_option_names": ["-h", "--help"]}


class _Commands(TyperGroup):
    """The group of all commands, each built when it is asked for."""

    def list_commands(self, ctx: object) -> list[str]:  # noqa: ARG002 - the signature is typer's
        return list(COMMANDS)

    def get_command(self, ctx: object, cmd_name: str) -> Any:  # noqa: ANN401, ARG002 - typer's class is private
        return _command(cmd_name) if cmd_name in COMMANDS else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401 - typer's classes are private
        if args[0] not in COMMANDS and not args[0].startswith("-") and not ctx.resilient_parsing:
            near = get_close_matches(args[0], COMMANDS, n=1)
            guess = f" (did you mean {near[0]!r}?)" if near else ""
            ctx.fail(f"there is no command {args[0]!r}{guess}")
        return super().resolve_command(ctx, args)


def _command(name: str) -> TyperCommand:
    single = typer.Typer(add_completion=False, rich_markup_mode=None, context_settings=_HELP)
    module = import_module(f"planconv.cli.{name}")
    single.command(name, epilog=getattr(module, "EXAMPLES", None))(getattr(module, name))
    built = get_command(single)
    assert isinstance(built, TyperCommand)  # noqa: S101 - an app with one function is a command
    return built


app = typer.Typer(
    cls=_Commands,
    rich_markup_mode=None,  # rich takes 100 ms to show a help text
    pretty_exceptions_enable=False,
    context_settings=_HELP,
)


def _show_version(context: typer.Context, wanted: bool) -> None:
    if wanted:
        streams: Streams = context.obj
        streams.write(f"planconv {__version__}\n".encode())
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _planconv(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001 - its callback does it
        bool,
        typer.Option("--version", "-V", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> int:
    """Convert the plans of coding agents, any format to any, and say what was lost."""
    if context.invoked_subcommand is None:
        streams: Streams = context.obj
        for line in context.get_help().splitlines():
            streams.say(line)
        return 2
    return 0


def call(args: list[str], streams: Streams) -> int:
    """Run the command that ``args`` name, and return its exit status."""
    try:
        if args and args[0] in COMMANDS and "_PLANCONV_COMPLETE" not in os.environ:
            # Without the group above it, a command starts some milliseconds earlier.
            name, *rest = args
            status = _command(name).main(
                rest, prog_name=f"planconv {name}", standalone_mode=False, obj=streams
            )
        else:
            status = get_command(app).main(args, prog_name="planconv", standalone_mode=False, obj=streams)
    except typer.TyperException as error:
        streams.complain(_wrong_use(error, args[0] if args and args[0] in COMMANDS else ""))
        return 2
    return int(status or 0)


def _wrong_use(error: typer.TyperException, name: str) -> str:
    """``no such option: --form; see `planconv convert --help```."""
    message = error.format_message().strip().removesuffix(".")
    context = getattr(error, "ctx", None)
    command = context.command_path if context else f"planconv {name}".strip()
    return f"{message[:1].lower()}{message[1:]}; see `{command} --help`"
