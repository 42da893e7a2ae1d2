"""Where a URL that somebody else gave may lead: to the public internet, and to networks the operator names."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Sequence
from dataclasses import dataclass

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

# An IPv4 address inside an IPv6 one, which a gateway unpacks: NAT64 (RFC 6052, 8215). 6to4 is known to ipaddress.
_NAT64 = tuple(ipaddress.IPv6Network(name) for name in ("64:ff9b::/96", "64:ff9b:1::/48"))


class Unresolved(Exception):
    """Nobody knows the host."""


class Inside(Exception):
    """The host is where strangers' URLs must not lead; the text says what is there."""


@dataclass(frozen=True)
class PublicAddresses:
    """The rule; `networks` are private ones that are allowed all the same."""

    networks: Sequence[Network] = ()

    async def of(self, host: str, port: int) -> list[str]:
        """The addresses of `host`, every one allowed. Raises Unresolved or Inside."""
        found = await resolve(host, port)
        for text in found:
            kind = self.forbidden(text)
            if kind:
                raise Inside(kind)
        return found

    def forbidden(self, text: str) -> str:
        """What kind of place an address is that may not be called; empty for one that may.

        >>> PublicAddresses().forbidden("10.1.2.3"), PublicAddresses().forbidden("8.8.8.8")
        ('private network addresses', '')
        """
        address = _unpacked(ipaddress.ip_address(text))
        if any(address in network for network in self.networks):
            return ""
        if address.is_loopback:
            return "loopback addresses"
        if address.is_unspecified:
            return "unspecified addresses"
        if address.is_link_local:
            return "link-local addresses"
        if address.is_multicast:
            return "multicast addresses"
        return "" if address.is_global and not address.is_reserved else "private network addresses"


async def resolve(host: str, port: int) -> list[str]:
    """The addresses of `host` as texts. Raises Unresolved."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError, OverflowError) as error:
        raise Unresolved(host) from error
    return list(dict.fromkeys(str(entry[4][0]).partition("%")[0] for entry in found))


def _unpacked(address: Address) -> Address:
    """The IPv4 address that an IPv6 one stands for, if any."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    inner = address.ipv4_mapped or address.sixtofour
    if inner is None and any(address in network for network in _NAT64):
        inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return inner or address
