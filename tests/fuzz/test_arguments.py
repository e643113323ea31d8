"""Arguments of every kind: a documented exit code, and no traceback."""

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random

import click
import pytest

from flowvision.cli import COMMANDS, cli, main
from flowvision.errors import ExitCode
from flowvision.image.codec import encode
from tests.drawing import LEVEL_5X5, screenshot_of
from tests.fuzz.driver import random_cases

VALUES = (
    "", "0", "1", "5", "-1", "nan", "inf", "-inf", "1e308", "1e-320", "0.5", "9" * 400, "9" * 5000, "²", "١",
    *(f"{cell}{end}" for cell in ("1,2", "0", f"{'9' * 5000},1") for end in ("=R", "=#", "=", "/1,3", "/1")),
    "5x5", "5x²", "²,0,10,10", "0,0,40,40", "1,2,3", "x", "-", "--", "a b", "\N{SNOWMAN}", "\udcff", "\t",
    "next", "flow", "R", "sat", "text", "level", "hex", "current", "slim", "=1",
    "a.png", "b.txt", "sub", "nothing.png", "http://a/b.png", "c.jpg",
)  # fmt: skip
SLOW = {"watch", "web"}
"""They run until they are stopped."""
WITHOUT = {"--jobs", "-j", "--dask", "--watch", "--repair", "--count", "--size", "--colours"}
"""Options that start processes, or may take seconds."""


def options_of(name: str) -> list[click.Parameter]:
    command = cli.get_command(click.Context(cli), name)
    return [
        one
        for one in command.params
        if isinstance(one, click.Option) and WITHOUT.isdisjoint(one.opts) and one.opts != ["--help"]
    ]


def arguments(random: Random) -> list[str]:
    name = random.choice([name for name in COMMANDS if name not in SLOW | {"batch", "generate"}])
    options = options_of(name)
    made = [name] if random.random() < 0.9 else []
    for one in random.sample(options, min(len(options), random.randrange(4))):
        made.append(random.choice(one.opts))
        if not getattr(one, "is_flag", False) or random.random() < 0.05:
            made.append(random.choice(VALUES))
    made += [random.choice(VALUES) for _ in range(random.choice((0, 1, 1, 1, 2)))]
    random.shuffle(made) if random.random() < 0.05 else None
    return made


def code_of(given: list[str]) -> int:
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", errors="surrogateescape")
    with redirect_stdout(out), redirect_stderr(out):
        try:
            main(given)
        except SystemExit as left:
            return int(left.code or 0)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A working folder with a picture, a text and a folder, and an empty standard input."""
    (tmp_path / "a.png").write_bytes(encode(screenshot_of(LEVEL_5X5, pitch=16, corner=(6, 20))))
    (tmp_path / "b.txt").write_text(LEVEL_5X5)
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))


@pytest.mark.usefixtures("folder")
@random_cases()
def test_any_arguments_end_in_an_exit_code_and_no_bug(random: Random) -> None:
    given = arguments(random)
    sys.stdin.buffer.seek(0)  # every case has the standard input of ``folder``, from its start
    code = code_of(given)
    assert code in set(ExitCode), given
    assert code != ExitCode.BUG, given
