import json
import os
from collections.abc import Iterator
from errno import ENOSPC
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from flowvision.batch.store import Journal, Store, is_answer
from flowvision.errors import OutputError
from tests.commands import (
    LEVEL_PNG,
    UNSOLVABLE_PNG,
    posix_only,
    run_batch,
    run_jobs_in_this_process,
    write_numbered,
    write_shots,
)

JOURNAL = ".flowvision/journal.ndjson"

in_this_process = pytest.fixture(autouse=True)(run_jobs_in_this_process)


def opened(path: Path) -> Journal:
    return Journal(path, lambda entry: isinstance(entry, dict))


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    made = opened(tmp_path / "journal")
    yield made
    made.close()


def test_the_last_entry_of_a_name_counts(journal: Journal) -> None:
    odd_name = "b\n\udcff"
    for name, value in (("a", 1), (odd_name, 2), ("a", 3)):
        journal.add({"name": name, "value": value})
    again = opened(journal.path)
    for read in (journal, again):
        assert read.get("a") == {"name": "a", "value": 3}
        assert read.get(odd_name) == {"name": odd_name, "value": 2}
        assert read.get("c") is None
    again.close()


def test_a_line_cut_short_anywhere_is_dropped(journal: Journal) -> None:
    path = journal.path
    journal.add({"name": "a"})
    whole = path.stat().st_size
    journal.add({"name": "b", "text": "x" * 20})
    data = path.read_bytes()
    for end in range(whole, len(data)):
        path.write_bytes(data[:end])
        cut = opened(path)
        assert (cut.get("a"), cut.get("b")) == ({"name": "a"}, None)
        cut.add({"name": "c"})
        cut.close()
        assert path.read_bytes() == data[:whole] + b'{"name": "c"}\n'


def test_an_entry_is_added_whole_or_not_at_all(journal: Journal) -> None:
    journal.add({"name": "a"})
    before, file = journal.path.read_bytes(), journal._file
    begun = file.write(b'{"na')
    journal._file = Mock(wraps=file, write=Mock(side_effect=[begun, OSError(ENOSPC, "No space left")]))
    with pytest.raises(OutputError, match="No space left"):
        journal.add({"name": "b"})
    assert journal.path.read_bytes() == before
    assert journal.get("b") is None


def test_an_entry_is_written_in_as_many_pieces_as_the_system_takes(journal: Journal) -> None:
    file = journal._file
    journal._file = Mock(wraps=file, write=lambda data: file.write(data[:4]))
    journal.add({"name": "a"})
    assert journal.path.read_bytes() == b'{"name": "a"}\n'


def test_it_does_not_grow_for_ever(journal: Journal) -> None:
    for value in range(300):
        journal.add({"name": "a" if value % 2 == 0 else "b", "value": value})
    again = opened(journal.path)
    assert journal.path.read_bytes().count(b"\n") == 2
    again.add({"name": "c", "value": 0})
    assert {name: again.get(name)["value"] for name in "abc"} == {"a": 298, "b": 299, "c": 0}
    again.close()


def test_a_journal_cannot_have_files_deleted(tmp_path: Path) -> None:
    """Files of an entry that no longer holds are deleted; a forged entry may name any file."""
    folder, out, victim = write_numbered(tmp_path / "in", 4), tmp_path / "out", tmp_path / "victim.txt"
    run_batch(folder, out)
    victim.write_text("precious")
    (out / "other.solved.png").write_text("precious")
    (out / "link").symlink_to(tmp_path)
    forged_names = ("../victim.txt", str(victim), "link/victim.txt", "other.solved.png")
    lines = map(json.loads, (out / JOURNAL).read_text().splitlines())
    forged = [
        line | {"files": {name: 8}, "content": "?"} for line, name in zip(lines, forged_names, strict=True)
    ]
    (out / JOURNAL).write_text("".join(json.dumps(line) + "\n" for line in forged))
    assert set(run_batch(folder, out).codes.values()) == {""}
    assert victim.read_text() == (out / "other.solved.png").read_text() == "precious"


@pytest.fixture
def lines(tmp_path: Path) -> dict[str, dict[str, Any]]:
    """The journal of a run, by the name of the picture: ``a`` was solved, ``b`` was not."""
    run_batch(write_shots(tmp_path / "in", a=LEVEL_PNG, b=UNSOLVABLE_PNG), tmp_path / "out")
    journal = map(json.loads, (tmp_path / "out" / JOURNAL).read_text().splitlines())
    return {line["name"]: line for line in journal}


def test_a_line_must_hold_a_whole_answer(lines: dict[str, dict[str, Any]]) -> None:
    solved = lines["a"]
    assert is_answer(solved)
    assert is_answer(lines["b"])
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
        *({"name": name} for name in (7, "..", "../a", "/a", "a\0")),
    ):
        assert not is_answer(solved | changes), changes
    for no_object in (None, 1, "a", [solved], {"name": "a"}):
        assert not is_answer(no_object)


def test_the_name_of_an_answer_is_one_that_the_system_takes(lines: dict[str, dict[str, Any]]) -> None:
    assert is_answer(lines["a"] | {"name": "b/a", "files": {}})
    assert is_answer(lines["a"] | {"name": "a:b", "files": {}}) == (os.name == "posix")


@posix_only
def test_links_are_not_written_through(tmp_path: Path) -> None:
    """In place of a solution they refuse its job and stay; elsewhere our own files replace them."""
    folder, out, away = write_numbered(tmp_path / "in", 1), tmp_path / "out", tmp_path / "away"
    write_shots(folder / "sub", a=LEVEL_PNG)
    victim = write_shots(away, victim=b"precious") / "victim.png"
    (out / "thumbs").mkdir(parents=True)
    (out / "sub").symlink_to(away)
    solution, *rewritten = (
        out / name
        for name in (
            "0000.solved.png",
            "results.ndjson",
            "summary.csv",
            "index.html",
            "thumbs/0000.after.jpg",
        )
    )
    for place in (solution, *rewritten):
        place.symlink_to(victim)
    outcomes = run_batch(folder, out).outcomes
    assert {outcome.code for outcome in outcomes} == {"output-not-written"}
    assert "0000.solved.png" in outcomes[0].message
    assert "sub is a link" in outcomes[1].message
    assert {path.name: path.read_bytes() for path in away.iterdir()} == {"victim.png": b"precious"}
    assert solution.is_symlink()
    assert not any(place.is_symlink() for place in rewritten)


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
