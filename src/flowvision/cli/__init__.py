"""The command line: parse, one library call per command, an exit code.

Commands are loaded when they are used: ``flowvision --help`` imports neither OpenCV nor numpy.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from stat import S_ISFIFO, S_ISREG
from typing import TYPE_CHECKING, Any, NoReturn

import click

from flowvision.cli.terminal import discard_output, open_closed_streams
from flowvision.errors import ExitCode, FlowvisionError, missing_library, shortage_of
from flowvision.files import cannot_write, make_folder, write_text
from flowvision.version import VERSION

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

COMMANDS = {
    "web": ("flowvision.cli.web:web", "Open the page: drop a screenshot, see and correct, play."),
    "solve": ("flowvision.cli.solve:solve", "Solve screenshots: the picture and the board as text."),
    "read": ("flowvision.cli.read:read", "Say what is on screenshots, without solving them."),
    "batch": ("flowvision.cli.batch:batch", "Solve a folder of screenshots."),
    "watch": ("flowvision.cli.batch:watch", "Solve what appears in a folder."),
    "phone": ("flowvision.cli.phone:phone", "Screenshots from an Android phone, solved, and played on it."),
    "puzzle": ("flowvision.cli.puzzle:puzzle", "Solve puzzles in text form."),
    "generate": ("flowvision.cli.generate:generate", "Make a puzzle with exactly one solution."),
    "doctor": ("flowvision.cli.doctor:doctor", "Say what is installed; put together a report of a fault."),
    "help": ("flowvision.cli:show_help", "Show this, or the help of a command."),
    "version": ("flowvision.cli:show_version", "Show the version."),
}
"""Every command: where it is, and its line of help."""


STARTING_OBJECTS = 100_000
"""More than are made to load everything and to solve a screenshot. Nearly all of them stay: to look through
them for garbage again and again takes 10 ms of a cold run."""


class Commands(click.Group):
    """The commands, each imported when it is run; without a command's name, ``solve``."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command itself."""
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name][0].split(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The table of commands, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The commands, and the files: a screenshot alone means ``solve``."""
        from click.shell_completion import CompletionItem

        # Files come first: the shell is asked for them, and bash does so only where no command fits.
        wanted = [] if incomplete.startswith("-") else [CompletionItem(incomplete, type="file")]
        return [*wanted, *super().shell_complete(ctx, incomplete)]

    def make_context(self, *given: Any, **more: Any) -> click.Context:
        """The context of a run; ``--help`` is printed in here."""
        with _ending_with_its_reader():
            return super().make_context(*given, **more)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with _ending_with_its_reader():
            return super().invoke(ctx)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put ``solve`` before anything that is neither a command nor an option of the group."""
        own = {"--help", "-h", "--version", "-V"}
        if not args and _is_fed():
            raise click.UsageError(
                "`flowvision -` solves the picture that comes through standard input; "
                "`flowvision help` lists the commands.",
                ctx,
            )
        if args and args[0] not in COMMANDS and args[0] not in own:
            if not ctx.resilient_parsing:
                _refuse_misspelt(args[0], ctx)
            args = ["solve", *args]
        if args[1:] == ["help"] and not os.path.exists("help"):
            args = [args[0], "--help"]
        return super().parse_args(ctx, args)


def _is_fed() -> bool:
    """Whether standard input is a pipe or a file."""
    with suppress(OSError, ValueError, AttributeError):
        mode = os.fstat(sys.stdin.fileno()).st_mode
        return S_ISFIFO(mode) or S_ISREG(mode)
    return False


@contextmanager
def _ending_with_its_reader() -> Iterator[None]:
    """End quietly where the reader of our output has gone, as ``head`` does once it has its lines."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        discard_output()
        raise click.exceptions.Exit(ExitCode.OK) from None


COMMAND_HINTS = {
    "hint": "`flowvision SHOT --hint next` shows the easiest next step",
    "correct": "`flowvision SHOT --set ROW,COLUMN=R` puts a dot right",
    "set": "`flowvision SHOT --set ROW,COLUMN=R` puts a dot right",
    "crop": "`flowvision SHOT --crop X,Y,WIDTH,HEIGHT` looks at that part alone",
    "debug": "`flowvision SHOT --debug OUT --open` shows what was seen",
    "play": "`flowvision phone play` draws the answer on an Android phone; the page has a tab to play",
    "draw": "`flowvision SHOT -o OUT.png` draws the solution",
    **dict.fromkeys(
        ("serve", "server", "gui", "ui", "open", "start", "page", "browser", "app"),
        "`flowvision web` opens the page in the browser",
    ),
    "count": "`flowvision puzzle FILE --count 100` counts the solutions of a puzzle",
    "report": "`flowvision doctor SHOT` puts a report together",
    "resume": "the same `flowvision batch` again goes on where it stopped",
    "paste": "`flowvision --paste` takes the picture on the clipboard",
}
"""Words that are taken for commands, and what does it."""


def _refuse_misspelt(word: str, ctx: click.Context) -> None:
    """Say which command is meant by a word that is nearly one, and no file."""
    if word.isalpha() and not os.path.exists(word):
        if instead := COMMAND_HINTS.get(word.lower()):
            raise click.UsageError(f"There is no command {word!r}: {instead}.", ctx)
        from difflib import get_close_matches

        for command in get_close_matches(word.lower(), COMMANDS, 1):
            raise click.UsageError(
                f"There is no command {word!r}, nor such a file. Did you mean `flowvision {command}`?", ctx
            )


@click.group(
    cls=Commands,
    subcommand_metavar="SHOT… | COMMAND …",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="`flowvision SHOT…` is short for `flowvision solve SHOT…`. Each command has its own --help.",
)
@click.version_option(VERSION, "-V", "--version", prog_name="flowvision")
def cli() -> None:
    """Drop in a screenshot of a Flow Free board, get the solved picture back."""


def _commands(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
    """Have the shell complete names of commands, behind one that has others those."""
    command: click.Command | None = cli
    for name in ctx.params["names"] or ():
        command = command.get_command(ctx, name) if isinstance(command, click.Group) else None
    known = command.list_commands(ctx) if isinstance(command, click.Group) else []
    return [name for name in known if name.startswith(incomplete)]


@click.command("help")
@click.argument("names", nargs=-1, metavar="[COMMAND]", shell_complete=_commands)
@click.pass_context
def show_help(ctx: click.Context, names: tuple[str, ...]) -> None:
    """Show what all commands do, or the help of one COMMAND, such as batch or phone play."""
    inner = ctx.find_root()
    for name in names:
        above = inner.command
        command = above.get_command(inner, name) if isinstance(above, click.Group) else None
        if command is None:
            _refuse_misspelt(name, ctx)
            known = " ".join(("flowvision help", *names[: names.index(name)]))
            raise click.UsageError(f"There is no command {' '.join(names)!r}. `{known}` lists them.", ctx)
        inner = click.Context(command, parent=inner, info_name=name)
    click.echo(inner.command.get_help(inner))


@click.command("version")
def show_version() -> None:
    """Show the version."""
    click.echo(f"flowvision, version {VERSION}")


OPTION_HINTS = {
    "--dry-run": "`flowvision read SHOT` looks and writes nothing",
    "--no-output": "`flowvision read SHOT` looks and writes nothing",
    "--text": "the board is always printed as text; `flowvision read SHOT` prints it unsolved",
    "--colour": "it is called `--colours`",
    "--color": "it is called `--colours`",
    "--letter": "it is called `--letters`",
    "--gif": "write there with `-o OUT.gif`",
    "--svg": "write there with `-o OUT.svg`",
    "--out": "it is called `-o`",
    "--output-dir": "it is called `-o`; end a folder that is to be made with `/`",
    **dict.fromkeys(("--workers", "--threads", "--processes"), "it is called `--jobs`"),
    **dict.fromkeys(
        ("batch --format", "batch --gif", "batch --svg"),
        "it writes PNG; `flowvision FOLDER/* -o OUT/ --format svg` writes other forms",
    ),
    **dict.fromkeys(("puzzle -v", "puzzle --verbose"), "`--json` has the seconds, and all else"),
    "-V": "`flowvision version` says which one this is",
    "--version": "`flowvision version` says which one this is",
    "read -o": "the board is printed; `flowvision read SHOT > FILE` writes it into a file",
    "read --output": "the board is printed; `flowvision read SHOT > FILE` writes it into a file",
    "batch -v": "`results.ndjson` in the folder of the solutions has the seconds of every stage",
    "batch --verbose": "`results.ndjson` in the folder of the solutions has the seconds of every stage",
    "--overwrite": "it is called `--force`",
    "-f": "it is called `--force`",
    "solve --size": "it is called `--grid`",
    "read --size": "it is called `--grid`",
    "--solver": "`flowvision puzzle --solver` tries another one",
    **{
        f"generate --{grade}": f"say `--difficulty {grade}`" for grade in ("easy", "medium", "hard", "expert")
    },
    "generate --json": "`flowvision generate | flowvision puzzle - --json` describes one",
}
"""What somebody means who gives an option that there is not, here or to one command."""


def _values_of(option: str) -> str | None:
    """What an option of the command that was asked for takes, as its help says it."""
    for place, _ in COMMANDS.values():
        module, name = place.split(":")
        if module in sys.modules:  # only the one that was asked for was loaded
            for one in getattr(sys.modules[module], name).params:
                if option in one.opts:
                    return one.metavar or "|".join(getattr(one.type, "choices", "N"))
    return None


def _with_output(ctx: click.Context, option: click.Option) -> str:
    """The command as it was given, with the option that says where to write.

    A last word that is no file was meant for the place.
    """
    import shlex

    words = [word for value in ctx.params.values() if isinstance(value, tuple) for word in value]
    words += [ctx.params[name] for name in ("puzzle", "folder") if isinstance(ctx.params.get(name), str)]
    place = words.pop() if len(words) > 1 and not os.path.exists(words[-1]) else str(option.metavar)
    return f"{ctx.command_path} {shlex.join([*words, option.opts[0], place])}"


def _explained(error: click.ClickException) -> click.ClickException:
    if isinstance(error, click.NoSuchOption):
        option, command = error.option_name, error.ctx.info_name if error.ctx else ""
        if words := OPTION_HINTS.get(f"{command} {option}") or OPTION_HINTS.get(option):
            return click.UsageError(f"There is no option {option}: {words}.", error.ctx)
    elif isinstance(error, click.BadOptionUsage) and "requires an argument" in error.message:
        if values := _values_of(error.option_name):
            return click.UsageError(f"{error.option_name} takes a value: {error.option_name} {values}.")
    elif isinstance(error, click.BadParameter) and error.param and isinstance(error.param.type, click.Choice):
        from flowvision.cli.options import meant

        near = meant("".join(error.message.split("'")[1:2]), error.param.type.choices)
        return click.BadParameter(f"{error.message}{near}", error.ctx, error.param)
    elif isinstance(error, click.MissingParameter) and isinstance(error.param, click.Argument) and error.ctx:
        command = f"{error.ctx.command_path} {error.param.metavar or error.param.human_readable_name}"
        return click.UsageError(f"Say which: `{command}`, with `-` for what comes through a pipe.", error.ctx)
    elif isinstance(error, click.MissingParameter) and isinstance(error.param, click.Option) and error.ctx:
        return click.UsageError(f"Say where to write: `{_with_output(error.ctx, error.param)}`.", error.ctx)
    return error


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and leave with its exit code."""
    try:
        given = list(arguments) if arguments is not None else None
        code = cli.main(given, prog_name="flowvision", standalone_mode=False)
    except click.exceptions.Exit as stop:
        code = stop.exit_code
    except click.ClickException as error:
        _explained(error).show()
        code = error.exit_code
    except (click.Abort, KeyboardInterrupt) as stopped:
        show_notes(stopped)
        code = ExitCode.INTERRUPTED
    except Exception as error:
        known = _expected(error)
        if known is None:
            keep_fault(error)
            raise
        show_error(known)
        show_notes(known)
        code = known.exit_code
    sys.exit(int(code or 0))


def _expected(error: Exception) -> FlowvisionError | None:
    """What ended a command, in words; ``None`` for a fault of Flowvision."""
    if isinstance(error, FlowvisionError):
        return error
    if isinstance(error, ImportError):
        return missing_library(error)
    if shortage := shortage_of(error):
        return shortage
    if isinstance(error, OSError) and error.filename is None:  # about no file: printing failed
        discard_output()
        return cannot_write("standard output", error)
    return None


def fault_log() -> str:
    """Where the last fault of Flowvision is kept: a file of the user's own (XDG Base Directory)."""
    home = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    return os.path.join(home, "flowvision", "last-fault.txt")


def keep_fault(error: BaseException) -> None:
    """Keep the traceback of a fault for a report; where that cannot be written, nothing is lost but it."""
    import traceback

    with suppress(OSError, FlowvisionError):
        place = fault_log()
        make_folder(os.path.dirname(place))
        told = "".join(traceback.format_exception(error))
        write_text(place, f"flowvision {VERSION}: {' '.join(sys.argv)}\n{told}")


def run() -> NoReturn:
    """The command as it is installed: ``main``, then out at once.

    Taking OpenCV, numpy and their threads down in order costs 25 ms, a tenth of a cold run, for nothing:
    everything is written and closed by now. The matrices of a board are a few numbers each: a pool of
    threads for them costs more, at the start and in waiting, than it ever saves.
    """
    open_closed_streams()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(STARTING_OBJECTS, *gc.get_threshold()[1:])
    try:
        main()
    except SystemExit as left:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError):
                stream.flush()
        os._exit(left.code if isinstance(left.code, int) else 0)


def show_error(error: FlowvisionError, file: str | None = None) -> None:
    """An error on stderr: what was seen, and on a line of its own what to try, with the name of the file."""
    words, hint = error.command_words, error.command_words.hint
    prefix = f"{file}: " if file and file not in words.message else ""
    click.echo(f"{prefix}{words.message}", err=True)
    if file and os.path.lexists(file):
        import shlex

        hint = hint.replace(" FILE`", f" {shlex.quote(file)}`")
    if hint:
        click.echo(f"  {hint}", err=True)


def show_notes(error: BaseException) -> None:
    """What was noted about an error on its way, on stderr."""
    for note in getattr(error, "__notes__", ()):
        click.echo(note, err=True)
