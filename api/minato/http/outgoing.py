"""Calls that this server makes to others: hooks, senders of text messages, judges of captchas, sign-in providers.

One client with kept connections for the whole backend, opened with the first call; redirects are not followed. What
the operator configures may be anywhere; a URL that came over the network is called by a `PublicOutgoing`, which leads
to public addresses only.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

from minato.http.own_addresses import own_address
from minato.http.own_functions import is_own_function
from minato.http.public_addresses import Inside, PublicAddresses, Unresolved
from minato.json_text import JsonMapping

if TYPE_CHECKING:
    import httpx

LARGEST_REPLY = 1024 * 1024
# Schemes with their ports.
HTTPS: Mapping[str, int] = {"https": 443}
HTTP_TOO: Mapping[str, int] = {"http": 80, "https": 443}


class OutgoingError(Exception):
    """There is no reply; the text says why."""


class OutgoingTimeout(OutgoingError):
    """There was no reply in time."""


class Unreached(OutgoingError):
    """There was no connection, so nothing was sent."""


class ReplyTooLarge(OutgoingError):
    """The reply has more bytes than were asked for."""


@dataclass(frozen=True)
class Reply:
    """What came back; header names are in lower case, `fields` are the headers as they were sent."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    fields: Sequence[tuple[str, str]] = ()


class Bounds(NamedTuple):
    """What a call may take: so many seconds, and bytes of its reply."""

    seconds: float
    limit: int


Trace = Callable[[str, object], Awaitable[None]]
"""Is told each step of a call by httpcore's name for it: `connection.connect_tcp.started`."""


class Outgoing:
    """The way out of one backend."""

    def __init__(self) -> None:
        self._client: httpx.AsyncClient | None = None

    async def get(
        self, url: str, *, headers: Mapping[str, str] | None = None, seconds: float, limit: int = LARGEST_REPLY
    ) -> Reply:
        """What is at `url`: at most `limit` bytes, within `seconds`. Raises OutgoingError."""
        return await self._send("GET", url, {"headers": headers}, Bounds(seconds, limit))

    async def post(
        self,
        url: str,
        *,
        content: bytes | None = None,
        form: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        auth: tuple[str, str] | None = None,
        seconds: float,
        limit: int = LARGEST_REPLY,
    ) -> Reply:
        """Post bytes or a form and read the reply: at most `limit` bytes, within `seconds`. Raises OutgoingError."""
        call = {"content": content, "data": form, "headers": headers, "auth": auth}
        return await self._send("POST", url, call, Bounds(seconds, limit))

    async def request(
        self, method: str, url: str, headers: Mapping[str, str], content: bytes | None, bounds: Bounds, trace: Trace
    ) -> Reply:
        """Send what others worded, telling `trace` how far it came. Raises OutgoingError."""
        encoded = {name.encode(): value.encode() for name, value in headers.items()}
        call = {"content": content, "headers": encoded, "extensions": {"trace": trace}}
        return await self._send(method, url, call, bounds)

    async def _send(self, method: str, url: str, call: JsonMapping, bounds: Bounds) -> Reply:
        import httpx  # 10 MB that a server which calls nobody has no use for

        seconds = bounds.seconds
        try:
            opened = self._opened().stream(method, url, timeout=seconds, **call)
            async with asyncio.timeout(seconds), opened as response:
                body = await _read(response, bounds.limit)
                fields = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in response.headers.raw]
                return Reply(response.status_code, {k.lower(): v for k, v in response.headers.items()}, body, fields)
        except (TimeoutError, httpx.TimeoutException) as error:
            raise OutgoingTimeout(f"no reply from {url} within {seconds:g} seconds") from error
        except httpx.LocalProtocolError as error:
            # Its text shows the header, which may be a secret.
            raise OutgoingError("the request cannot be written as HTTP") from error
        except httpx.ConnectError as error:
            raise Unreached(str(error) or type(error).__name__) from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise OutgoingError(str(error) or type(error).__name__) from error

    async def close(self) -> None:
        """Let the kept connections go."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    def _opened(self) -> httpx.AsyncClient:
        if self._client is None:
            import httpx

            _search_for_sniffio_once()
            # No proxy of the environment, but its authorities (SSL_CERT_FILE).
            self._client = httpx.AsyncClient(
                trust_env=False,
                verify=httpx.create_ssl_context(),
                limits=httpx.Limits(**self._kept()),
                headers={"accept-encoding": "identity"},
            )
        return self._client

    def _kept(self) -> Mapping[str, int]:
        """httpx's own numbers of connections."""
        return {"max_connections": 100, "max_keepalive_connections": 20}


def _search_for_sniffio_once() -> None:
    """httpcore 1.0 imports `sniffio` anew for each of its locks, half a dozen a call. Where it is not installed each
    import searches every folder of the path, which takes a third of a call's processor time. Python's word for a
    module that is known to be missing is None."""
    if find_spec("sniffio") is None:
        vars(sys)["modules"]["sniffio"] = None


async def _read(response: httpx.Response, limit: int) -> bytes:
    """The body as it is sent: nothing small unpacks into something large. Raises ReplyTooLarge."""
    body = bytearray()
    async for part in response.aiter_raw():
        body += part
        if len(body) > limit:
            raise ReplyTooLarge(f"the reply has more than {limit} bytes")
    return bytes(body)


class LocalOutgoing(Outgoing):
    """The way out in development: the names by which containers of the Supabase CLI reach its platform lead to ours."""

    def __init__(self, public_url: str) -> None:
        super().__init__()
        self._public_url = public_url

    async def _send(self, method: str, url: str, call: JsonMapping, bounds: Bounds) -> Reply:
        return await super()._send(method, own_address(url, self._public_url), call, bounds)


class PublicOutgoing(Outgoing):
    """The way out for URLs that others gave: https (or `schemes`), and to addresses of the public internet.

    The host is resolved and judged for each call, and the connection goes to the very address that was judged, so a
    name that resolves differently a moment later gains nothing. Functions of the server at `own` may be called wherever
    it is, and nothing else there.
    """

    def __init__(self, addresses: PublicAddresses, schemes: Mapping[str, int] = HTTPS, own: str = "") -> None:
        super().__init__()
        self._own = own
        self._addresses = addresses
        self._schemes = schemes

    async def _send(self, method: str, url: str, call: JsonMapping, bounds: Bounds) -> Reply:
        import httpx

        try:
            asked = httpx.URL(url)
        except httpx.InvalidURL as error:
            raise OutgoingError("the URL is none") from error
        if asked.scheme not in self._schemes or not asked.host:
            raise OutgoingError(f"only {' and '.join(self._schemes)} URLs may be called")
        if self._own and is_own_function(asked, httpx.URL(self._own)):
            return await super()._send(method, str(asked), call, bounds)
        found = await self._judged(asked.host, asked.port or self._schemes[asked.scheme], bounds.seconds)
        # The certificate is checked for the host that was asked, which is also who is told to be called.
        headers = {**(call.get("headers") or {}), "host": asked.netloc.decode("ascii")}
        extensions = {**(call.get("extensions") or {}), "sni_hostname": asked.raw_host.decode("ascii")}
        pinned = {**call, "headers": headers, "extensions": extensions}
        for address in found[:-1]:
            with suppress(Unreached):
                return await super()._send(method, str(asked.copy_with(host=address)), pinned, bounds)
        return await super()._send(method, str(asked.copy_with(host=found[-1])), pinned, bounds)

    async def _judged(self, host: str, port: int, seconds: float) -> list[str]:
        try:
            async with asyncio.timeout(seconds):
                return await self._addresses.of(host, port)
        except TimeoutError as error:
            raise OutgoingTimeout(f"{host} was not resolved within {seconds:g} seconds") from error
        except Unresolved as error:
            raise OutgoingError("unable to resolve hostname") from error
        except Inside as error:
            raise OutgoingError(f"the URL cannot resolve to {error}") from error

    def _kept(self) -> Mapping[str, int]:
        """None is kept: of two hosts at one address each proves who it is."""
        return {"max_connections": 100, "max_keepalive_connections": 0}
