"""Whose connections count together."""

from __future__ import annotations

import pytest
from minato.config.connections import ConnectionSettings
from minato.http.connections import Connections, Pace, Standing


class Busy:
    """A connection in the middle of a request: it makes room for nobody."""

    pace: Pace | None = None
    is_idle = False

    def __init__(self, address: str) -> None:
        self.address = address

    def standing(self) -> Standing | None:
        return None

    def abort(self) -> None:
        raise AssertionError("it is in use")


@pytest.mark.parametrize(
    ("addresses", "admitted"),
    [
        (["10.0.0.1", "10.0.0.1", "10.0.0.1"], [True, True, False]),
        (["10.0.0.1", "10.0.0.2", "10.0.0.3"], [True, True, True]),
        (["2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8:0:1::1"], [True, True, False, True]),
        (["10.0.0.1", "::ffff:10.0.0.1", "10.0.0.1"], [True, True, False]),
    ],
)
async def test_one_subscriber_has_only_so_many_connections_by_whatever_addresses(
    addresses: list[str], admitted: list[bool]
) -> None:
    connections = Connections(ConnectionSettings(max_connections=10, max_connections_per_address=2))
    opened = [Busy(address) for address in addresses]
    assert [connections.admit(each) for each in opened] == admitted
    for each in opened:
        connections.leave(each)
    assert len(connections) == 0
    assert connections.admit(Busy(addresses[0]))


async def test_a_proxy_has_as_many_as_there_are_beside_a_client_of_its_own_network() -> None:
    settings = ConnectionSettings(max_connections=10, max_connections_per_address=1)
    connections = Connections(settings, trusted=["2001:db8::2"])
    opened = [Busy(f"2001:db8::{last}") for last in (1, 2, 2, 3)]
    assert [connections.admit(each) for each in opened] == [True, True, True, False]
