import json
import os
from errno import ENOSPC
from pathlib import Path
from unittest.mock import Mock

import pytest

from flowvision.batch.store import Journal, Store, is_answer
from flowvision.errors import OutputError
from tests.commands import BAD, GOOD, numbered, posix_only, run, work_here, write_shots

JOURNAL = ".flowvision/journal.ndjson"

in_this_process = pytest.fixture(autouse=True)(work_here)


def opened(path: Path) -> Journal:
    return Journal(path, lambda entry: isinstance(entry, dict))


def test_the_last_entry_of_a_name_counts(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    journal = opened(path)
    for name, value in (("a", 1), ("b\n\udcff", 2), ("a", 3)):
        journal.add({"name": name, "value": value})
    for one in (journal, opened(path)):
        assert one.get("a") == {"name": "a", "value": 3}
        assert one.get("b\n\udcff") == {"name": "b\n\udcff", "value": 2}
        assert one.get("c") is None
        one.close()


def test_a_line_cut_short_anywhere_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    journal = opened(path)
    journal.add({"name": "a"})
    whole = path.stat().st_size
    journal.add({"name": "b", "text": "x" * 20})
    journal.close()
    data = path.read_bytes()
    for end in range(whole, len(data)):
        path.write_bytes(data[:end])
        cut = opened(path)
        assert (cut.get("a"), cut.get("b")) == ({"name": "a"}, None)
        cut.add({"name": "c"})
        cut.close()
        assert path.read_bytes() == data[:whole] + b'{"name": "c"}\n'


def test_an_entry_is_added_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    journal = opened(path)
    journal.add({"name": "a"})
    whole, file = path.read_bytes(), journal._file
    writes = Mock(side_effect=[file.write(b'{"na'), OSError(ENOSPC, "No space left on device")])
    journal._file = Mock(wraps=file, write=writes)
    with pytest.raises(OutputError, match="No space left"):
        journal.add({"name": "b"})
    assert path.read_bytes() == whole
    journal._file = Mock(wraps=file, write=lambda data: file.write(data[:8]))
    journal.add({"name": "c"})
    assert [journal.get(name) for name in "abc"] == [{"name": "a"}, None, {"name": "c"}]
    journal.close()


def test_it_does_not_grow_for_ever(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    journal = opened(path)
    for value in range(300):
        journal.add({"name": "ab"[value % 2], "value": value})
    journal.close()
    again = opened(path)
    assert len(path.read_bytes().splitlines()) == 2
    again.add({"name": "c", "value": 0})
    assert [again.get(name) for name in "abc"] == [
        {"name": "a", "value": 298},
        {"name": "b", "value": 299},
        {"name": "c", "value": 0},
    ]
    again.close()


def test_a_journal_cannot_have_files_deleted(tmp_path: Path) -> None:
    names = ("../victim.txt", str(tmp_path / "victim.txt"), "link/victim.txt", "other.solved.png")
    folder, out, victim = numbered(tmp_path / "in", 4), tmp_path / "out", tmp_path / "victim.txt"
    run(folder, out)
    victim.write_text("precious")
    (out / "other.solved.png").write_text("precious")
    (out / "link").symlink_to(tmp_path)
    lines = map(json.loads, (out / JOURNAL).read_text().splitlines())
    hostile = [line | {"files": {name: 8}, "content": "?"} for line, name in zip(lines, names, strict=True)]
    (out / JOURNAL).write_text("".join(json.dumps(line) + "\n" for line in hostile))
    again = run(folder, out)
    assert [outcome.code for outcome in again.outcomes] == [""] * 4
    assert victim.read_text() == (out / "other.solved.png").read_text() == "precious"


def test_a_line_must_hold_a_whole_answer(tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(write_shots(tmp_path / "in", a=GOOD, b=BAD), out)
    solved, failed = map(json.loads, (out / JOURNAL).read_text().splitlines())
    assert is_answer(solved)
    assert is_answer(failed)
    for changes in (
        {"answer": {}},
        {"answer": {"ok": True, "flows": 3, "board": {}}},
        {"answer": {"ok": True, "flows": [{}], "board": {"tiling": "hex"}}},
        {"answer": {"ok": False, "error": "none"}},
        {"answer": {"ok": False, "error": {}}},
        {"answer": solved["answer"] | {"confidence": "high"}},
        {"answer": solved["answer"] | {"seconds": [1]}},
        {"answer": solved["answer"] | {"warnings": 1}},
        {"answer": [1]},
        {"content": 5},
        {"settings": None},
        {"files": {"a": 1}},
        {"files": {"a.solved.png": "1"}},
        {"files": ["a.solved.png"]},
        {"name": 7},
        {"name": ".."},
        {"name": "../a"},
        {"name": "/a"},
        {"name": "a\0"},
    ):
        assert not is_answer(solved | changes), changes
    for name in ("b/a", "a:b"):
        assert is_answer(solved | {"name": name, "files": {}}) == (os.name == "posix" or name == "b/a")
    for other in (None, 1, "a", [solved], {"name": "a"}):
        assert not is_answer(other)


@posix_only
def test_links_are_not_written_through(tmp_path: Path) -> None:
    folder, out, away = numbered(tmp_path / "in", 1), tmp_path / "out", tmp_path / "away"
    write_shots(folder / "sub", a=GOOD)
    victim = write_shots(away, victim=b"precious") / "victim.png"
    (out / "thumbs").mkdir(parents=True)
    (out / "sub").symlink_to(away)
    names = ("0000.solved.png", "results.ndjson", "summary.csv", "index.html", "thumbs/0000.after.jpg")
    for name in names:
        (out / name).symlink_to(victim)
    for outcome, words in zip(run(folder, out).outcomes, ("0000.solved.png", "sub is a link"), strict=True):
        assert outcome.code == "output-not-written"
        assert words in outcome.message
    assert [path.read_bytes() for path in away.iterdir()] == [b"precious"]
    assert [name for name in names if (out / name).is_symlink()] == ["0000.solved.png"]


@posix_only
@pytest.mark.parametrize("name", [".flowvision", "thumbs", ".flowvision/lock", ".flowvision/parts", JOURNAL])
def test_links_among_our_own_files_are_refused(tmp_path: Path, name: str) -> None:
    away = tmp_path / "away"
    away.mkdir()
    (tmp_path / "out" / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / "out" / name).symlink_to(away)
    with pytest.raises(OutputError, match=f"{Path(name).name} is a link"):
        Store(tmp_path / "out")
    assert list(away.iterdir()) == []
