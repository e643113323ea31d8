"""The journal is whole after any interruption."""

from pathlib import Path

from flowvision.batch.store import Journal


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
