"""Whom a request comes from: what proxies say, and whom of them to believe."""

from __future__ import annotations

import pytest
from minato.config.server import ServerSettings
from minato.http.client_address import TrustedProxies, subscriber
from pydantic import ValidationError

PROXIES = TrustedProxies(["127.0.0.1", "10.0.0.0/8", "2001:db8:ffff::/48"])


@pytest.mark.parametrize(
    ("lines", "client"),
    [
        ([], "127.0.0.1"),
        (["203.0.113.9"], "203.0.113.9"),
        (["6.6.6.6, 203.0.113.9"], "203.0.113.9"),
        (["6.6.6.6, 203.0.113.9, 10.1.2.3"], "203.0.113.9"),
        (["6.6.6.6", "203.0.113.9", "10.1.2.3"], "203.0.113.9"),
        (["10.9.9.9, 10.1.2.3"], "10.9.9.9"),
        (["203.0.113.9:4711"], "203.0.113.9"),
        (["::ffff:203.0.113.9"], "203.0.113.9"),
        (['"[2001:db8::5]:4711"'], "2001:db8::5"),
        (["2001:db8::5, 2001:db8:ffff::1"], "2001:db8::5"),
        (["6.6.6.6, unknown"], "127.0.0.1"),
        (["6.6.6.6, nonsense, 10.1.2.3"], "10.1.2.3"),
        (["6.6.6.6,"], "127.0.0.1"),
        (["\xff\0, 999.1.1.1"], "127.0.0.1"),
    ],
)
def test_the_rightmost_address_that_is_no_trusted_proxy_is_the_client(lines: list[str], client: str) -> None:
    headers = [(b"x-forwarded-for", line.encode("latin-1")) for line in lines]
    assert PROXIES.client("127.0.0.1", [(b"host", b"x"), *headers]) == client


@pytest.mark.parametrize("proxies", [PROXIES, TrustedProxies([])])
def test_who_is_no_trusted_proxy_speaks_for_nobody(proxies: TrustedProxies) -> None:
    assert proxies.client("203.0.113.1", [(b"x-forwarded-for", b"6.6.6.6")]) == "203.0.113.1"
    assert not proxies.trusts("203.0.113.1")


def test_an_address_of_version_6_counts_with_its_neighbours() -> None:
    assert subscriber("2001:db8::1") == subscriber("2001:db8::ffff:2") != subscriber("2001:db8:0:1::1")
    assert subscriber("::ffff:10.0.0.1") == subscriber("10.0.0.1") != subscriber("10.0.0.2")


def test_a_proxy_that_is_no_address_stops_the_start() -> None:
    with pytest.raises(ValidationError):
        ServerSettings(trusted_proxies=["nginx"])
