"""The server listens where it says, and nowhere else."""

from __future__ import annotations

import socket

import pytest

from flowvision.errors import OutputError
from flowvision.web.sockets import LOOPBACK, NEXT_PORTS, listen, network_address


def test_a_taken_port_leads_to_the_next() -> None:
    """Which both sides then know."""
    (first,), port = listen((LOOPBACK,), 0)
    (second,), other = listen((LOOPBACK,), port)
    with first, second:
        assert port < other <= port + NEXT_PORTS
        assert second.getsockname() == (LOOPBACK, other)


def test_nothing_but_loopback_is_open() -> None:
    """The port is not reached by the address that this machine has in a network."""
    (one,), port = listen((LOOPBACK,), 0)
    with one:
        try:
            address = network_address()
        except OutputError:
            pytest.skip("this machine is in no network")
        with pytest.raises(OSError, match=r"refused|timed out|unreachable"):
            socket.create_connection((address, port), 5).close()


def test_all_addresses_have_one_port() -> None:
    """Two of loopback stand for loopback and a network."""
    sockets, port = listen((LOOPBACK, "127.0.0.2"), 0)
    assert {one.getsockname() for one in sockets} == {(LOOPBACK, port), ("127.0.0.2", port)}
    for one in sockets:
        one.close()


def test_an_address_of_another_machine_is_an_error() -> None:
    """Said in words."""
    with pytest.raises(OutputError, match=r"Cannot listen on 192\.0\.2\.1"):
        listen(("192.0.2.1",), 0)


def test_a_machine_without_a_network_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rather than serve nobody."""

    class Lonely(socket.socket):
        def connect(self, address: object) -> None:
            raise OSError("unreachable")

    monkeypatch.setattr("flowvision.web.sockets.socket.socket", Lonely)
    with pytest.raises(OutputError, match="no address"):
        network_address()
