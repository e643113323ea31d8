"""The real adb between us and phones that are none: its server is asked, it asks a device in its protocol."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from flowvision.errors import PhoneError
from flowvision.phone import device as phones
from flowvision.phone.device import Device, devices
from flowvision.phone.play import PlayRules, play, solve_screen
from tests.boards import MADE
from tests.drawing import FIVE
from tests.phone.fake_adb import FakeDevice, free_port, serving
from tests.phone.fake_phone import FAULTS, FakePhone, Faults, level_of

ADB = shutil.which("adb")
QUICK = PlayRules(patience=0.6, still=0.1, pause=0.01)
"""What is not there is given up soon."""
BROKEN = r"no picture|broke|cannot be reached"
"""What is said where adb loses a phone, by what was asked last."""


class RealAdb:
    """A server of the real adb at a port of its own, with a home of its own."""

    def __init__(self, home: str) -> None:
        self.port = str(free_port())
        self.environment = os.environ | {"HOME": home, "ANDROID_ADB_SERVER_PORT": self.port}

    def run(self, *words: str) -> str:
        """What adb says."""
        assert ADB is not None
        done = subprocess.run(
            [ADB, *words], env=self.environment, capture_output=True, text=True, check=False, timeout=60
        )
        return done.stdout + done.stderr


@pytest.fixture(scope="module")
def adb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealAdb]:
    """It runs as long as these tests."""
    if ADB is None:
        pytest.skip("adb is not installed: the protocol is tried against a server of our own alone")
    made = RealAdb(str(tmp_path_factory.mktemp("adb")))
    made.run("start-server")
    yield made
    made.run("kill-server")


Connect = Callable[[FakeDevice], str]


@pytest.fixture
def connect(adb: RealAdb, monkeypatch: pytest.MonkeyPatch) -> Iterator[Connect]:
    """Connects a phone for a test, and says its serial number."""
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", adb.port)
    monkeypatch.setattr(phones, "LIFT_PAUSE", 0.2)
    with ExitStack() as stack:

        def connected(phone: FakeDevice) -> str:
            serial = f"127.0.0.1:{stack.enter_context(serving(phone))}"
            stack.callback(adb.run, "disconnect", serial)
            assert "connected to" in adb.run("connect", serial)
            return serial

        yield connected


def played(device: Device, phone: FakePhone) -> list[str]:
    """The steps of a game on that phone; the finger is up afterwards, and was never beside the board."""
    try:
        shot, answer = solve_screen(device, QUICK)
        return [event.step for event in play(device, shot, answer, QUICK)]
    finally:
        assert not phone.strays
        assert not phone.is_down


def test_the_real_adb_plays(connect: Connect) -> None:
    """A phone is connected, asked for its screen and touched."""
    phone = FakePhone([level_of(MADE["bridge"])])
    serial = connect(FakeDevice(phone.run))
    (device,) = devices()
    assert device == Device(serial, "device", "Fake Phone")
    assert played(device, phone)[-1] == "end"
    assert phone.game.solved()


@pytest.mark.parametrize("faults", [faults for faults, _ in FAULTS if faults.gone])
def test_a_lost_phone_is_named_through_the_real_adb(connect: Connect, faults: Faults) -> None:
    """The finger is lifted once it is back."""
    phone = FakePhone([level_of(FIVE)], faults=faults)
    connect(FakeDevice(phone.run))
    (device,) = devices()
    with pytest.raises(PhoneError, match=BROKEN):
        played(device, phone)
    assert phone.asked[-1].startswith("input motionevent UP")
