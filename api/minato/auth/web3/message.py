"""Sign-in messages of wallets: EIP-4361 (Ethereum) and its sibling for Solana, which differ in little.

The grammar and its refusals are GoTrue's (internal/utilities/siwe, siws).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import SplitResult, urlsplit

from minato.auth.redirects import is_request_uri

_DOMAIN = re.compile(r"(localhost|(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z]{2,})(?::\d{1,5})?")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:\d\d)")
_TIMES = ("Issued At", "Expiration Time", "Not Before")


class MessageError(ValueError):
    """A message outside the grammar."""


@dataclass(frozen=True)
class Chain:
    """What tells the two kinds of message apart."""

    name: str
    title: str
    prefix: str
    address: re.Pattern[str]
    not_an_address: str
    network: re.Pattern[str]


SOLANA = Chain(
    "solana",
    "Solana",
    "siws",
    re.compile(r"[a-zA-Z0-9]{32,44}"),
    "wallet address is not in base58 format",
    re.compile(r"(solana:(main|dev|test|local)net)?"),
)
ETHEREUM = Chain(
    "ethereum",
    "Ethereum",
    "siwe",
    re.compile(r"0x[a-fA-F0-9]{40}"),
    "wallet address is not a valid Ethereum address",
    re.compile(r"\+?0*[1-9][0-9]{0,17}"),
)


@dataclass
class SignInMessage:
    """A parsed message; `raw` is what was signed."""

    chain: Chain
    raw: str
    domain: str
    address: str
    statement: str | None = None
    uri: SplitResult | None = None
    version: str = ""
    network: str = ""
    times: dict[str, datetime] = field(default_factory=dict)


def parse_message(raw: str, chain: Chain) -> SignInMessage:
    """The message in `raw`. Raises MessageError in GoTrue's words."""
    try:
        return _parse(raw, chain)
    except MessageError as error:
        raise MessageError(f"{chain.prefix}: {error}") from None


def _parse(raw: str, chain: Chain) -> SignInMessage:
    lines = raw.split("\n")
    if len(lines) < 6:
        raise MessageError("message needs at least 6 lines")
    suffix = f" wants you to sign in with your {chain.title} account:"
    if not lines[0].endswith(suffix):
        raise MessageError(f'message first line does not end in "{suffix}"')
    message = SignInMessage(chain, raw, lines[0].removesuffix(suffix).strip(), lines[1].strip())
    if not _DOMAIN.fullmatch(message.domain):
        raise MessageError("domain in first line of message is not valid")
    if not chain.address.fullmatch(message.address):
        raise MessageError(chain.not_an_address)
    if lines[2]:
        raise MessageError("third line must be empty")
    start = 3
    if lines[3] and not lines[4]:
        message.statement, start = lines[3], 5
    _read_fields(message, lines, start)
    _require_whole(message)
    return message


def _read_fields(message: SignInMessage, lines: list[str], start: int) -> None:
    resources: int | None = None
    for index in range(start, len(lines)):
        line = lines[index].strip()
        if resources is not None and line.startswith("- "):
            if not is_request_uri(line[2:].strip()):
                raise MessageError(f"Resource at position {resources} has invalid URI")
            resources += 1
            continue
        resources = 0 if line == "Resources:" else None
        if not line or resources is not None:
            continue
        name, colon, value = line.partition(":")
        if not colon:
            raise MessageError(f"encountered unparsable line at index {index}")
        _read_field(message, name, value.strip())


def _read_field(message: SignInMessage, name: str, value: str) -> None:
    if name == "URI":
        if not is_request_uri(value):
            raise MessageError("URI is not valid")
        message.uri = urlsplit(value)
    elif name == "Version":
        message.version = value
    elif name == "Chain ID":
        if not message.chain.network.fullmatch(value):
            raise MessageError("Chain ID is not valid")
        message.network = value
    elif name in _TIMES:
        message.times[name] = _read_time(name, value)


def _read_time(name: str, value: str) -> datetime:
    try:
        if _TIME.fullmatch(value):
            return datetime.fromisoformat(value)
    except ValueError:
        pass
    raise MessageError(f"{name} is not a valid ISO8601 timestamp")


def _require_whole(message: SignInMessage) -> None:
    if message.version != "1":
        raise MessageError(f'Version value is not supported, expected 1 got "{message.version}"')
    issued, expires, begins = (message.times.get(name) for name in _TIMES)
    if issued is None:
        raise MessageError("Issued At is not specified")
    if message.uri is None:
        raise MessageError("URI is not specified")
    if expires is not None and issued > expires:
        raise MessageError("Issued At is after Expiration Time")
    if expires is not None and begins is not None and begins > expires:
        raise MessageError("Not Before is after Expiration Time")
