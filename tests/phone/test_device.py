import json
import shutil
import sys
from pathlib import Path
from socket import socket

import numpy as np
import pytest

from flowvision.errors import ExitCode, MissingExtraError, PhoneError
from flowvision.image.codec import decode, encode
from flowvision.phone import device as phone_device
from flowvision.phone.device import Device, capture, chosen, devices
from tests.commands import exit_code
from tests.drawing import LEVEL_5X5, LEVEL_5X5_SOLVED, screenshot_of
from tests.phone.fake_phone import FakeAdb

PICTURE = screenshot_of(LEVEL_5X5)


@pytest.fixture
def phones(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FakeAdb:
    """Phones that all show one picture."""
    made = FakeAdb(lambda _: encode(PICTURE))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(phone_device, "adb", made)
    return made


def test_phones_are_listed(phones: FakeAdb, capsys: pytest.CaptureFixture[str]) -> None:
    phones.states = {"FAKE0001": "device", "FAKE0002": "unauthorized", "10.0.0.2:5555": "offline"}
    assert devices()[0] == Device("FAKE0001", "device", "Fake Phone")
    assert exit_code("phone") == 0
    printed = capsys.readouterr().out
    assert "FAKE0001  Fake Phone: ready" in printed
    assert "FAKE0002  Fake Phone: has not allowed this computer" in printed
    assert "is offline" in printed


def test_what_a_phone_shows_is_written(phones, tmp_path):
    assert exit_code("phone", "shot", "-o", "a.png") == exit_code("phone", "shot") == 0
    assert len(list(tmp_path.glob("phone-*.png"))) == 1
    for path in tmp_path.iterdir():
        assert np.array_equal(decode(path.read_bytes()).bgr, PICTURE)


def test_what_a_phone_shows_is_solved(phones, tmp_path, capsys):
    assert exit_code("phone", "solve", "--serial", "FAKE0001", "-o", "out.png") == 0
    assert LEVEL_5X5_SOLVED in capsys.readouterr().out
    assert (tmp_path / "out.png").exists()
    assert exit_code("phone", "solve", "--json", "--hint", "next", "-o", "hint.png") == 0
    assert json.loads(capsys.readouterr().out)["ok"]
    assert set(phones.commands) == {"screencap -p"}


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
def test_why_there_is_no_phone(phones, states, serial, words, hint):
    phones.states = states
    with pytest.raises(PhoneError, match=words) as raised:
        chosen(serial)
    assert hint in raised.value.hint
    assert exit_code("phone", "shot", *(["--serial", serial] if serial else [])) == ExitCode.IMAGE_UNREADABLE


@pytest.mark.parametrize(
    ("output", "words"),
    [
        (b"", "empty"),
        (b"/system/bin/sh: screencap: not found\n", "holds text"),
        (encode(screenshot_of(LEVEL_5X5))[:1000], "ends in the middle"),
        (encode(np.zeros((100, 100, 3), np.uint8)), "is black"),
    ],
)
def test_what_is_no_capture_is_refused(phones: FakeAdb, output: bytes, words: str) -> None:
    phones.run = lambda _: output
    (device,) = devices()
    with pytest.raises(PhoneError, match=words):
        capture(device)


def test_without_adb_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phone_device.shutil, "which", lambda _: None)
    with pytest.raises(MissingExtraError, match="adb is not installed"):
        devices()
    assert exit_code("phone") == ExitCode.MISSING_EXTRA


def test_what_another_program_called_adb_prints_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phone_device.shutil, "which", lambda _: sys.executable)
    with pytest.raises(PhoneError, match="can't open file"):
        devices()


@pytest.mark.skipif(shutil.which("adb") is None, reason="adb is not installed")
def test_the_real_adb_lists_no_phone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(port))
    assert devices() == []
    phone_device.adb("kill-server")
