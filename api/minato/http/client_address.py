"""Who the peer is: the address at the other end of the connection, or the one that a trusted proxy names for it.

A client writes what it likes into X-Forwarded-For, and each proxy adds at the right whom it heard. So the list is read
from the right, and only for as long as the writer of an entry is a proxy we trust.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from minato.http.asgi import Header, Scope

FORWARDED_FOR = b"x-forwarded-for"
UNKNOWN = "0.0.0.0"
# Where the gateway leaves the address for the rooms.
CLIENT_ADDRESS = "minato.client_address"
# What one subscriber has of IPv6: whoever is limited by less has as many addresses as they want.
SUBSCRIBER_BITS = 64

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network


class TrustedProxies:
    """The peers whose word about others is taken: addresses and networks (`10.0.0.0/8`)."""

    def __init__(self, given: Iterable[str]) -> None:
        self._networks: tuple[Network, ...] = tuple(ip_network(text, strict=False) for text in given)

    def trusts(self, peer: str | None) -> bool:
        """Whether `peer` is one of them."""
        if not self._networks or peer is None:
            return False
        address = parse_address(peer)
        return address is not None and self._include(address)

    def client(self, peer: str | None, headers: Iterable[Header], name: bytes = FORWARDED_FOR) -> str:
        """The address behind `peer`: by the header `name`, the rightmost that is no trusted proxy; else `peer` itself.

        What cannot be read ends the search, for nobody knows who wrote what stands left of it.
        """
        if peer is None or not self._networks:
            return peer or UNKNOWN
        address = parse_address(peer)
        if address is None:
            return peer
        for entry in reversed(_entries(headers, name)):
            told = parse_address(entry) if self._include(address) else None
            if told is None:
                break
            address = told
        return str(address)

    def _include(self, address: Address) -> bool:
        return any(address in network for network in self._networks)


def client_address(scope: Scope) -> str:
    """The address that the gateway found for this request."""
    found: str | None = scope.get(CLIENT_ADDRESS)
    peer = scope.get("client")
    return found or (peer[0] if peer else UNKNOWN)


def client_subscriber(scope: Scope) -> str:
    """Whose share of what is scarce this request counts to, where nobody is signed in."""
    return subscriber(client_address(scope))


def parse_address(text: str) -> Address | None:
    """The address in `text`, which may have a port, brackets, quotes or a zone; None for anything else.

    >>> parse_address(' "[2001:db8::1]:4711" '), parse_address("10.0.0.1:80"), parse_address("::ffff:10.0.0.1")
    (IPv6Address('2001:db8::1'), IPv4Address('10.0.0.1'), IPv4Address('10.0.0.1'))
    >>> parse_address("unknown")
    """
    text = text.strip().strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address


@lru_cache(maxsize=4096)
def subscriber(address: str) -> str:
    """What `address` is counted by: itself, or the /64 around it in IPv6.

    >>> subscriber("10.0.0.1"), subscriber("2001:db8::1:2:3:4")
    ('10.0.0.1', '2001:db8::/64')
    """
    parsed = parse_address(address)
    if isinstance(parsed, IPv6Address):
        return str(ip_network((parsed, SUBSCRIBER_BITS), strict=False))
    return str(parsed or address)


def is_loopback(address: str) -> bool:
    """Whether `address` is this machine's own."""
    parsed = parse_address(address)
    return parsed is not None and parsed.is_loopback


def _entries(headers: Iterable[Header], name: bytes) -> list[str]:
    """The entries of a list header, from all its lines."""
    return [entry for key, value in headers if key == name for entry in value.decode("latin-1").split(",")]
