"""Phones that are connected, and pictures of their screens, through a server that speaks adb's protocol."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from flowvision.errors import ExitCode, MissingExtraError, PhoneError
from flowvision.image.codec import decode, encode
from flowvision.phone import adb
from flowvision.phone.adb import Device, devices, output_of
from flowvision.phone.screen import capture, chosen
from tests.commands import exit_code as run
from tests.drawing import FIVE, FIVE_SOLVED, screenshot_of
from tests.phone.fake_adb import FakeServer, serving
from tests.phone.fake_phone import raw_capture


class StillPhones(FakeServer):
    """Phones that all show one picture. ``answer``: sent in place of a capture."""

    def __init__(self) -> None:
        super().__init__(self.captured)
        self.picture = screenshot_of(FIVE)
        self.header, self.answer = 16, None

    def captured(self, command: str) -> bytes:
        """What a command writes."""
        if self.answer is not None:
            return self.answer
        if command == "screencap -p":
            return encode(self.picture)
        return raw_capture(self.picture, self.header)


@pytest.fixture
def phones(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[StillPhones]:
    """Phones at a server, which is where adb's would be."""
    made = StillPhones()
    monkeypatch.chdir(tmp_path)
    with serving(made) as port:
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(port))
        yield made


def test_phones_are_listed(phones: StillPhones, capsys: pytest.CaptureFixture[str]) -> None:
    """Their serial numbers, models and states, in words; one that can be used is enough."""
    phones.states = {"FAKE0001": "device", "FAKE0002": "unauthorized", "10.0.0.2:5555": "offline"}
    assert devices()[0] == Device("FAKE0001", "device", "Fake Phone")
    assert [device.is_wireless for device in devices()] == [False, False, True]
    assert run("phone") == 0
    said = capsys.readouterr().out
    assert "FAKE0001  Fake Phone: ready" in said
    assert "FAKE0002  Fake Phone: has not allowed this computer" in said
    assert "is offline" in said


@pytest.mark.parametrize("header", [12, 16])
@pytest.mark.parametrize("serial", ["FAKE0001", "10.0.0.2:5555"])
def test_a_capture_has_the_pixels_of_the_screen(phones: StillPhones, header: int, serial: str) -> None:
    """Raw over USB, with the headers of old and new phones; as PNG over the network."""
    phones.states, phones.header = {serial: "device"}, header
    (device,) = devices()
    assert np.array_equal(capture(device), phones.picture)
    assert phones.asked[-1] == ("exec:screencap -p" if device.is_wireless else "exec:screencap")


def test_a_screenshot_is_written(phones: StillPhones, tmp_path: Path) -> None:
    """Where it is said, or under a name with its time."""
    assert run("phone", "shot", "-o", "a.png") == 0
    assert run("phone", "shot") == 0
    assert len(list(tmp_path.glob("phone-*.png"))) == 1
    for path in tmp_path.iterdir():
        assert np.array_equal(decode(path.read_bytes()).bgr, phones.picture)


def test_what_a_phone_shows_is_solved(
    phones: StillPhones, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the options of solve; nothing but captures is asked of the phone."""
    assert run("phone", "solve", "--serial", "FAKE0001", "-o", "out.png") == 0
    assert FIVE_SOLVED in capsys.readouterr().out
    assert (tmp_path / "out.png").exists()
    assert run("phone", "solve", "--json", "--hint", "next", "-o", "hint.png") == 0
    assert json.loads(capsys.readouterr().out)["ok"]
    assert {text.partition(":")[2] for text in phones.asked if text.startswith("exec")} == {"screencap"}


@pytest.mark.parametrize(
    ("states", "serial", "words", "hint"),
    [
        ({}, None, "No phone is connected", "USB debugging"),
        ({"A": "unauthorized"}, None, "A has not allowed this computer", "tap Allow"),
        ({"A": "offline"}, None, "A is offline", "adb reconnect"),
        ({"A": "no permissions"}, None, "may not be used by your account", "plugdev"),
        ({"A": "recovery"}, None, "its state is 'recovery'", "USB debugging"),
        ({"A": "device", "B": "device"}, None, "2 phones are connected: A, B", "--serial A"),
        ({"A": "device"}, "C", "There is no phone 'C'", "Connected: A"),
        ({"A": "device", "B": "offline"}, "B", "B is offline", "reconnect"),
    ],
)
def test_why_there_is_no_phone(
    phones: StillPhones, states: dict[str, str], serial: str | None, words: str, hint: str
) -> None:
    """One sentence that names it, and what to do; exit code 3."""
    phones.states = states
    with pytest.raises(PhoneError, match=words) as raised:
        chosen(devices(), serial)
    assert hint in raised.value.hint
    assert run("phone", "shot", *(["--serial", serial] if serial else [])) == ExitCode.IMAGE_UNREADABLE


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"", "0 bytes that are no capture"),
        (b"/system/bin/sh: screencap: not found\n", "screencap: not found"),
        (b"\0" * 500, "500 bytes that are no capture"),
        (b"\xff" * 12, "12 bytes"),
        (np.array([100, 100, 1, 1], "<u4").tobytes() + bytes(40_000), "is black"),
        (np.array([100, 100, 5, 1], "<u4").tobytes() + bytes(40_000), "no capture"),
        (np.array([2**31, 2**31, 1, 1], "<u4").tobytes(), "no capture"),
    ],
)
def test_what_is_no_capture_is_refused(phones: StillPhones, answer: bytes, words: str) -> None:
    """Whatever the phone sends."""
    phones.answer = answer
    (device,) = devices()
    with pytest.raises(PhoneError, match=words):
        capture(device)


def test_a_connection_that_ends_is_said(phones: StillPhones) -> None:
    """In the middle of a capture, and a phone that is gone by then."""
    (device,) = devices()
    phones.cut = 1000
    with pytest.raises(PhoneError, match="no picture"):
        capture(device)
    phones.states = {}
    with pytest.raises(PhoneError, match="not found"):
        output_of(device, "screencap")


def test_without_adb_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a server nor the program that starts one: exit code 9."""

    def refuse(*_: object) -> None:
        raise ConnectionRefusedError(111, "Connection refused")

    monkeypatch.setattr(adb.socket, "create_connection", refuse)
    monkeypatch.setattr(adb.shutil, "which", lambda _: None)
    with pytest.raises(MissingExtraError, match="adb is not installed"):
        devices()
    assert run("phone") == ExitCode.MISSING_EXTRA
    monkeypatch.setattr(adb.shutil, "which", lambda _: "/bin/true")
    with pytest.raises(PhoneError, match="does not answer"):
        devices()
