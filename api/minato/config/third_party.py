"""Other issuers whose users' tokens are taken: their addresses, and how `[auth.third_party]` names them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

SECTION: Final = "third_party"
SETTING: Final = "MINATO_THIRD_PARTY_ISSUERS"
ANY_ROLE: Final = "*"
CLERK_DOMAIN: Final = re.compile(r"clerk([.][a-z0-9-]+){2,}|([a-z0-9-]+[.])+clerk[.]accounts[.]dev")
BAD_CLERK_DOMAIN: Final = (
    "Invalid config: auth.third_party.clerk has invalid domain, it usually is like clerk.example.com or "
    "example.clerk.accounts.dev. Check https://clerk.com/setup/supabase on how to find the correct value."
)
ONLY_ONE: Final = "Invalid config: Only one third_party provider allowed to be enabled at a time."
# What must be said of each, behind the name by which the CLI asks for it.
REQUIRED: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "firebase": ("firebase", ("project_id",)),
    "auth0": ("auth0", ("tenant",)),
    "aws_cognito": ("cognito", ("user_pool_id", "user_pool_region")),
    "clerk": ("clerk", ("domain",)),
    "workos": ("workos", ("issuer_url",)),
}

Table = Mapping[str, str]


def issuer_of_section(values: Mapping[str, object]) -> str | None:
    """The issuer that the keys below `[auth]` name, as its tokens have it in `iss`; None where none is switched on.

    Raises ValueError in the words of the Supabase CLI.

    >>> issuer_of_section({"third_party.clerk.enabled": True, "third_party.clerk.domain": "clerk.harbour.example"})
    'https://clerk.harbour.example'
    """
    found = []
    for name in REQUIRED:
        prefix = f"{SECTION}.{name}."
        table = {key.removeprefix(prefix): value for key, value in values.items() if key.startswith(prefix)}
        if table.get("enabled") in (True, "true"):
            told = {key: str(value) for key, value in table.items()}
            _require(name, told)
            found.append(ISSUERS[name](told))
    if len(found) > 1:
        raise ValueError(ONLY_ONE)
    return found[0] if found else None


def _require(name: str, table: Table) -> None:
    shown, keys = REQUIRED[name]
    for key in keys:
        if not table.get(key):
            raise ValueError(f"Invalid config: auth.third_party.{shown} is enabled but without a {key}.")
    if name == "clerk" and not CLERK_DOMAIN.fullmatch(table["domain"]):
        raise ValueError(BAD_CLERK_DOMAIN)


def _auth0(table: Table) -> str:
    """With the slash that Auth0 puts at its end; the CLI, which never looks at `iss`, does without."""
    region = f".{table['tenant_region']}" if table.get("tenant_region") else ""
    return f"https://{table['tenant']}{region}.auth0.com/"


ISSUERS: Final[Mapping[str, Callable[[Table], str]]] = {
    "firebase": lambda table: f"https://securetoken.google.com/{table['project_id']}",
    "auth0": _auth0,
    "aws_cognito": lambda table: (
        f"https://cognito-idp.{table['user_pool_region']}.amazonaws.com/{table['user_pool_id']}"
    ),
    "clerk": lambda table: f"https://{table['domain']}",
    "workos": lambda table: table["issuer_url"],
}


def why_no_issuer(url: str, production: bool) -> str | None:
    """What is wrong with the address of an issuer; None for a good one.

    >>> why_no_issuer("https://clerk.harbour.example", True), why_no_issuer("http://127.0.0.1:9000", False)
    (None, None)
    >>> why_no_issuer("https://clerk.harbour.example?a=b", True)
    'must be a URL without user, query and fragment'
    """
    if "?" in url or "#" in url or "@" in url:
        return "must be a URL without user, query and fragment"
    return why_unsafe(url, production)


def why_unsafe(url: str, production: bool) -> str | None:
    """Why nothing that is believed may be fetched from there; None where it may.

    >>> why_unsafe("http://127.0.0.1:9000", True)
    'must be https in production'
    """
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return "is no URL"
    if not host or parts.scheme not in ("http", "https") or not re.fullmatch(r"[!-~]+", url):
        return "is no https URL"
    if parts.scheme == "https":
        return None
    if production:
        return "must be https in production"
    return None if _is_loopback(host) else "must be https, but at this machine itself"


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
