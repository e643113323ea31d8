import os
import re
import socket
import stat
from collections.abc import Iterator
from errno import EACCES, EFBIG, ENOSPC
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from flowvision import parse_puzzle
from flowvision.errors import ImageUnreadableError, OutputError
from flowvision.files import (
    FORMS,
    SUFFIXES,
    Form,
    cannot_write,
    form_of,
    is_marked,
    make_folder,
    marked,
    put_file,
    read_bytes,
    refuse_overwriting,
    suffix_words,
    write_bytes,
    write_text,
)
from flowvision.image.codec import ENCODERS, decode, encode
from flowvision.words import COMMAND
from tests.commands import posix_only
from tests.drawing import LEVEL_5X5, screenshot_of


def test_written_bytes_are_read_back(tmp_path: Path) -> None:
    target = tmp_path / "a.png"
    write_bytes(target, b"first")
    write_bytes(target, b"second")
    assert read_bytes(target) == b"second"
    assert [path.name for path in tmp_path.iterdir()] == ["a.png"]


@posix_only
def test_a_written_file_has_the_usual_rights_and_links_are_written_through(tmp_path: Path) -> None:
    target, link = tmp_path / "a.png", tmp_path / "link.png"
    link.symlink_to(target)
    write_bytes(link, b"text")
    assert link.is_symlink()
    assert target.read_bytes() == b"text"
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(target.stat().st_mode) == 0o666 & ~umask


@pytest.mark.parametrize("place", ["missing/a.png", "file/a.png", "folder"])
def test_unwritable_places(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_bytes(b"kept")
    (tmp_path / "folder").mkdir()
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(OutputError, match="Cannot write"):
        write_bytes(tmp_path / place, b"x")
    assert sorted(tmp_path.rglob("*")) == before
    assert (tmp_path / "file").read_bytes() == b"kept"


@pytest.mark.parametrize(
    ("error", "raised"),
    [(OSError(ENOSPC, "No space left on device"), OutputError), (KeyboardInterrupt(), KeyboardInterrupt)],
)
def test_what_ends_in_the_middle_leaves_the_old_file(tmp_path, error, raised) -> None:
    target = tmp_path / "a.png"
    target.write_bytes(b"old")

    def half() -> Iterator[bytes]:
        yield b"new"
        raise error

    with pytest.raises(raised):
        put_file(target, half())
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("name", ["missing.png", "bad\0name.png", "x" * 5000])
def test_unreadable_names(tmp_path: Path, name: str) -> None:
    with pytest.raises(ImageUnreadableError) as raised:
        read_bytes(tmp_path / name)
    assert "solve_folder" not in raised.value.hint


def test_a_folder_is_unreadable_with_advice(tmp_path: Path) -> None:
    with pytest.raises(ImageUnreadableError) as raised:
        read_bytes(tmp_path)
    assert "flowvision batch" in raised.value.words(COMMAND)[1]
    assert "solve_folder" in raised.value.hint


def test_a_file_beyond_the_bound_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bound, file = 2_000_000, tmp_path / "large.png"
    monkeypatch.setattr("flowvision.files.MAX_BYTES", bound)
    file.write_bytes(bytes(bound))
    assert len(read_bytes(file)) == bound
    file.write_bytes(bytes(bound + 1))
    with pytest.raises(ImageUnreadableError, match="larger than 2 MB"):
        read_bytes(file)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs here")
def test_what_is_no_file_is_refused_at_once(tmp_path: Path) -> None:
    fifo, listening = tmp_path / "pipe.png", tmp_path / "s.png"
    os.mkfifo(fifo)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(listening))
        for place in (fifo, listening, Path("/dev/zero")):
            with pytest.raises(ImageUnreadableError, match=f"{place} is a FIFO, a socket or a device"):
                read_bytes(place)


def test_inputs_are_never_overwritten(tmp_path: Path) -> None:
    shot, link = tmp_path / "shot.png", tmp_path / "link.png"
    shot.write_bytes(b"x")
    link.hardlink_to(shot)
    for output in (shot, link, tmp_path / "." / "shot.png"):
        with pytest.raises(OutputError, match="not be overwritten"):
            refuse_overwriting(output, [tmp_path / "other.png", shot])
    refuse_overwriting(tmp_path / "new.png", [shot, "-"])


def test_folders_are_made(tmp_path: Path) -> None:
    assert make_folder(tmp_path / "a" / "b").is_dir()
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="Cannot make the folder"):
        make_folder(tmp_path / "file")


def test_text_is_written_whatever_names_it_holds(tmp_path: Path) -> None:
    """A name that is not UTF-8 reaches Python as surrogates, which no file can hold."""
    write_text(tmp_path / "page.html", "a\udcff.png: no such file")
    assert (tmp_path / "page.html").read_text("utf-8") == "a?.png: no such file"


THEME = (files("flowvision") / "theme.css").read_text("utf-8")
CUSTOM = re.compile(r"(--[\w-]+):")


@pytest.mark.parametrize("page", ["debug/page.css", "batch/sheet.css", "web/page/page.css"])
def test_every_page_has_the_theme_and_no_other_colours_for_it(page: str) -> None:
    light, dark = (set(CUSTOM.findall(part)) for part in THEME.split("@media"))
    text = (files("flowvision") / page).read_text("utf-8")
    defined_here = set(CUSTOM.findall(text))
    set_by_script = {"--at"}
    assert light == dark
    assert not light & defined_here
    assert set(re.findall(r"var\((--[\w-]+)", text)) <= light | defined_here | set_by_script


def test_form_of_goes_by_the_suffix() -> None:
    for suffix, form in SUFFIXES.items():
        assert form_of(f"a{suffix}") is form_of(f"a{suffix.upper()}") is form
    assert form_of("-") is FORMS["png"]
    assert form_of("-", animate=True) is FORMS["apng"]
    for place, animate in (("a.bmp", False), ("a", False), ("a.jpg", True)):
        with pytest.raises(OutputError) as raised:
            form_of(place, animate)
        assert {".png", ".gif"} <= set(re.findall(r"\.\w+", raised.value.hint))  # what there is instead


def test_every_form_is_in_the_tables() -> None:
    assert set(ENCODERS) == {suffix for suffix, form in SUFFIXES.items() if form.content == "picture"}
    for form in FORMS.values():
        if form.animated is not None:
            assert FORMS[form.animated].animated == form.animated
        assert any(form.name in (other.name, other.animated) for other in SUFFIXES.values())


def test_suffixes_are_listed_in_words() -> None:
    usual = [form.suffixes[0] for form in FORMS.values() if form.suffixes]
    assert re.findall(r"\.\w+", suffix_words()) == usual
    assert re.findall(r"\.\w+", suffix_words(unsolved=True)) == [".png", ".jpg", ".webp", ".pdf", ".svg"]


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".webp"])
def test_a_mark_is_seen_and_changes_no_pixel(suffix: str, tmp_path: Path) -> None:
    without, path = encode(screenshot_of(LEVEL_5X5), suffix), tmp_path / f"picture{suffix}"
    path.write_bytes(without)
    assert not is_marked(path)
    path.write_bytes(marked(without))
    assert is_marked(path)
    assert np.array_equal(decode(marked(without)).bgr, decode(without).bgr)
    with Image.open(path) as image:
        image.load()
        assert suffix == ".webp" or "Flowvision" in str(image.info)


@pytest.mark.parametrize("form", FORMS.values(), ids=lambda form: form.name)
def test_every_form_has_a_mark(form: Form, tmp_path: Path) -> None:
    if form.name == "mp4":
        pytest.importorskip("av")
    (tmp_path / "answer").write_bytes(marked(parse_puzzle(LEVEL_5X5).solve()._encoded(form)))
    assert is_marked(tmp_path / "answer") == (form.content != "text")


def test_only_pictures_are_marked(tmp_path: Path) -> None:
    assert marked(b"Flowvision") == b"Flowvision"
    (tmp_path / "text.png").write_bytes(b"Flowvision")
    for place in (tmp_path, tmp_path / "none.png", tmp_path / "text.png", "a\0b"):
        assert not is_marked(place)


@pytest.mark.parametrize(("number", "advised"), [(EFBIG, "ulimit -f"), (ENOSPC, "space"), (EACCES, "folder")])
def test_advice_fits_why_a_file_was_not_written(number: int, advised: str) -> None:
    hint = cannot_write("answer.png", OSError(number, os.strerror(number))).hint
    assert advised in hint
    assert ("folder" in hint) == (advised == "folder")


def test_a_name_that_is_too_long_is_called_so(tmp_path: Path) -> None:
    with pytest.raises(OutputError) as raised:
        write_bytes(tmp_path / ("x" * 300), b"")
    assert "Rename" in raised.value.hint


@posix_only
def test_a_fifo_is_written_to_not_replaced(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    write_bytes(fifo, b"short")
    assert os.read(reader, 99) == b"short"
    os.close(reader)
