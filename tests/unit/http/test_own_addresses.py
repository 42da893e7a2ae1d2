"""Which names of the Supabase CLI's containers are ours, and that nothing else is touched."""

from __future__ import annotations

import pytest
from minato.http.own_addresses import own_address

OURS = "http://127.0.0.1:5999"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://kong:8000", OURS),
        ("http://kong:8000/functions/v1/x?a=1&b=%20#f", f"{OURS}/functions/v1/x?a=1&b=%20#f"),
        ("http://api.supabase.internal:8000/rest/v1/", f"{OURS}/rest/v1/"),
        ("http://supabase_kong_my-shop.2:8000/auth/v1/health", f"{OURS}/auth/v1/health"),
        ("http://supabase_auth_shop:9999/health", f"{OURS}/auth/v1/health"),
        ("http://supabase_rest_shop:3000/cars", f"{OURS}/rest/v1/cars"),
        ("http://supabase_storage_shop:5000/bucket", f"{OURS}/storage/v1/bucket"),
        ("http://supabase_edge_runtime_shop:8081/hello", f"{OURS}/functions/v1/hello"),
        ("http://realtime-dev.supabase_realtime_shop:4000/api/broadcast", f"{OURS}/realtime/v1/api/broadcast"),
        ("http://host.docker.internal:54321/functions/v1/x", f"{OURS}/functions/v1/x"),
        ("http://HOST.docker.internal:3000/hook", "http://127.0.0.1:3000/hook"),
        ("http://host.docker.internal/hook", "http://127.0.0.1/hook"),
    ],
)
def test_a_name_of_the_cli_leads_here(url: str, expected: str) -> None:
    assert own_address(url, OURS) == expected


@pytest.mark.parametrize(
    "url",
    [
        "http://kong/",
        "http://kong:8001/",
        "http://kong.example:8000/",
        "https://example.com/?u=http://kong:8000",
        "http://supabase_kong_:8000/",
        "http://127.0.0.1:54321/",
        "http://[::1/",
        "http://kong:port/",
        "nothing",
        "",
    ],
)
def test_every_other_address_stays(url: str) -> None:
    assert own_address(url, OURS) == url
