"""The command line: parse options, make one library call, exit with a code.

Commands are loaded when they are used: ``flowvision --help`` imports neither OpenCV nor numpy.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from stat import S_ISFIFO, S_ISREG
from typing import TYPE_CHECKING, NoReturn

import click

from flowvision import __version__
from flowvision.cli.printing import code_with_lost_text, lost, show_error, show_notes, show_usage
from flowvision.errors import ExitCode, FlowvisionError, OutputError, missing_library, shortage_of
from flowvision.files import cannot_write
from flowvision.words import nearest

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from flowvision.render.text import Depth

COMMANDS = {
    "web": ("flowvision.cli.web:web", "Open the page: drop a screenshot, correct it, play."),
    "solve": ("flowvision.cli.solve:solve", "Solve screenshots; the same as `flowvision SHOT…`."),
    "read": ("flowvision.cli.solve:read", "Print the boards on screenshots, unsolved."),
    "batch": ("flowvision.cli.batch:batch", "Solve a folder of screenshots."),
    "watch": ("flowvision.cli.batch:watch", "Solve screenshots as they appear in a folder."),
    "phone": ("flowvision.cli.phone:phone", "Solve and play on an Android phone."),
    "puzzle": ("flowvision.cli.puzzle:puzzle", "Solve puzzles written as text."),
    "generate": ("flowvision.cli.puzzle:generate", "Make a puzzle with exactly one solution."),
    "doctor": ("flowvision.cli.doctor:doctor", "List what is installed; pack a bug report."),
}
"""Place and help line of every command."""


class Commands(click.Group):
    """The commands, each imported when it is run; without a command's name, ``solve``."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        place, _ = COMMANDS[cmd_name]
        module, name = place.split(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table of commands, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete commands, and files: a screenshot alone means ``solve``."""
        from click.shell_completion import CompletionItem

        # Files come first: in bash they clear the completions before them.
        files = [] if incomplete.startswith("-") else [CompletionItem(incomplete, type="file")]
        return [*files, *super().shell_complete(ctx, incomplete)]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put ``solve`` before a screenshot; read the words ``help`` and ``version`` as options."""
        if args[:1] == ["help"] and not os.path.exists("help"):
            args = [*args[1:], "--help"]
        elif args == ["version"] and not os.path.exists("version"):
            args = ["--version"]
        elif not args and is_piped():
            args = ["solve"]
        if args and args[0] not in {*COMMANDS, "--help", "-h", "--version", "-V"}:
            if not ctx.resilient_parsing:
                _refuse_unknown(args[0], ctx)
            args = ["solve", *args]
        return super().parse_args(ctx, args)


def is_piped() -> bool:
    """Return true if standard input is a pipe or a file."""
    with suppress(OSError, ValueError, AttributeError):
        mode = os.fstat(sys.stdin.fileno()).st_mode
        return S_ISFIFO(mode) or S_ISREG(mode)
    return False


def depth() -> Depth:
    """Return the bits of the colours that standard output shows, 0 for none."""
    from flowvision.render.text import depth_of

    return depth_of(os.environ, sys.stdout.isatty())


def _refuse_unknown(word: str, ctx: click.Context) -> None:
    """Raise ``UsageError`` for a word that resembles a command, unless it is a file."""
    if not word.isalpha() or os.path.exists(word):
        return
    if nearest_name := nearest(word.lower(), COMMANDS):
        raise click.UsageError(f"There is no command {word!r}. Try `flowvision {nearest_name}`.", ctx)


EPILOG = """\b
Examples:
  flowvision shot.png             solve a screenshot into shot.solved.png
  flowvision batch shots -o out   solve a folder of screenshots
  flowvision web                  open the page in the browser

Options of `flowvision SHOT…`: `flowvision solve --help`. Options of a command: `flowvision COMMAND --help`.
"""


@click.group(
    cls=Commands,
    subcommand_metavar="SHOT… | COMMAND …",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=EPILOG,
)
@click.version_option(__version__, "-V", "--version", prog_name="flowvision")
def cli() -> None:
    """Drop in a screenshot of a Flow Free board, get the solved picture back."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit with its code."""
    lost.clear()  # streams that an earlier call in this process could not write to
    try:
        words = list(arguments) if arguments is not None else None
        code = cli.main(words, prog_name="flowvision", standalone_mode=False)
    except click.ClickException as error:
        if isinstance(error, click.NoSuchOption):
            # click itself suggests what hardly resembles it.
            nearest_name = nearest(error.option_name, error.possibilities or ())
            suggested = [nearest_name] if nearest_name else None
            error = click.NoSuchOption(error.option_name, possibilities=suggested, ctx=error.ctx)
        show_usage(error)
        code = error.exit_code
    except SystemExit:  # of click: the reader of our output has left
        code = ExitCode.OUTPUT_NOT_WRITTEN
    except (click.Abort, KeyboardInterrupt) as stopped:
        show_notes(stopped)  # what the user should know of a run that was interrupted
        code = ExitCode.INTERRUPTED
    except Exception as error:
        shown_error = _expected(error)
        if shown_error is None:
            raise
        show_error(shown_error)
        show_notes(shown_error)
        code = shown_error.exit_code
    sys.exit(int(code_with_lost_text(code or 0)))


def _expected(error: Exception) -> FlowvisionError | None:
    """Return the error to show for an exception that is no bug; ``None`` for a bug."""
    if isinstance(error, FlowvisionError):
        return error
    if isinstance(error, ImportError):
        return missing_library(error)
    if shortage := shortage_of(error):
        return shortage
    if isinstance(error, FileNotFoundError) and error.filename is None:
        return OutputError("The folder you are in was removed.", "Go to another one with `cd`.")
    if isinstance(error, OSError) and error.filename is None:  # about no file: printing failed
        return cannot_write("standard output", error)
    return None
