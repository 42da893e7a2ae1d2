"""One request of the queue goes out and comes back as an answer, with curl's words where there is none."""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final
from urllib.parse import urljoin, urlsplit

from minato.http.outgoing import (
    Bounds,
    Outgoing,
    OutgoingError,
    OutgoingTimeout,
    ReplyTooLarge,
    Unreached,
)
from minato.http.outgoing import Reply as HttpReply
from minato.jobs.net.tables import Answer, Request

AGENT: Final = "pg_net/0.20.4"
# curl waits for ever when told 0; here nobody does.
LONGEST_SECONDS: Final = 300.0
LARGEST_ANSWER: Final = 5 * 1024 * 1024
HOPS: Final = 10
REDIRECTS: Final = frozenset((301, 302, 303, 307, 308))
# The HTTP client says these, whatever a row says.
OURS: Final = frozenset(("host", "content-length", "transfer-encoding", "connection"))
# What must not follow a redirect to another host.
SECRETS: Final = frozenset(("authorization", "cookie"))


@dataclass
class Steps:
    """How far a request came, and when, in seconds of `time.monotonic`."""

    began: float = field(default_factory=time.monotonic)
    connected: float | None = None

    async def trace(self, name: str, _info: object) -> None:
        """Hear of a step from the HTTP client."""
        if self.connected is None and name.endswith("send_request_headers.started"):
            self.connected = time.monotonic()

    def timeout(self, milliseconds: int) -> str:
        """pg_net's words for a request that took too long. Names are looked up within the handshake."""
        now = time.monotonic()
        handshake = (self.connected or now) - self.began
        http = now - self.connected if self.connected else 0.0
        total, shaken, asked = (f"{seconds * 1000:f} ms" for seconds in (now - self.began, handshake, http))
        return (
            f"Timeout of {milliseconds} ms reached. Total time: {total} (DNS time: {0:f} ms, "
            f"TCP/SSL handshake time: {shaken}, HTTP Request/Response time: {asked})"
        )


async def deliver(outgoing: Outgoing, request: Request) -> Answer:
    """Send `request` once and follow where it is sent on to; never raises."""
    steps = Steps()
    seconds = min(request.milliseconds / 1000, LONGEST_SECONDS) if request.milliseconds > 0 else LONGEST_SECONDS
    try:
        reply = await _followed(outgoing, request, seconds, steps)
    except OutgoingTimeout:
        return Answer(request.id, timed_out=True, error=steps.timeout(request.milliseconds))
    except OutgoingError as error:
        return Answer(request.id, error=_words(error))
    except Exception as error:
        # Rows are whatever users wrote: one that nobody thought of must not stop the queue.
        return Answer(request.id, error=f"the request cannot be sent: {type(error).__name__}")
    return Answer(
        request.id,
        status=reply.status,
        content_type=_clean(reply.headers.get("content-type")),
        headers={name: value.replace("\0", "") for name, value in reply.fields},
        content=_clean(reply.body.decode("utf-8", "replace").partition("\0")[0]) or None,
    )


async def _followed(outgoing: Outgoing, request: Request, seconds: float, steps: Steps) -> HttpReply:
    headers, left = _headers(request), seconds
    for _ in range(HOPS):
        bounds = Bounds(left, LARGEST_ANSWER)
        if urlsplit(request.url).scheme not in ("http", "https"):
            raise OutgoingError("Unsupported protocol")
        reply = await outgoing.request(request.method, request.url, headers, request.body, bounds, steps.trace)
        place = reply.headers.get("location")
        if reply.status not in REDIRECTS or not place:
            return reply
        left = seconds - (time.monotonic() - steps.began)
        if left <= 0:
            raise OutgoingTimeout("redirected for too long")
        request, headers = _next_hop(request, headers, reply.status, urljoin(request.url, place))
    raise OutgoingError("Number of redirects hit maximum amount")


def _next_hop(request: Request, headers: Mapping[str, str], status: int, url: str) -> tuple[Request, Mapping[str, str]]:
    """The request as it is sent on, as curl sends it on: a POST becomes a GET, and secrets stay with their host."""
    if urlsplit(url)[:2] != urlsplit(request.url)[:2]:
        headers = {name: value for name, value in headers.items() if name.lower() not in SECRETS}
    if request.method == "POST" and status in (301, 302, 303):
        headers = {name: value for name, value in headers.items() if name.lower() != "content-type"}
        return replace(request, method="GET", body=None, url=url), headers
    return replace(request, url=url), headers


def _headers(request: Request) -> Mapping[str, str]:
    pairs = (line.partition(": ")[::2] for line in request.fields)
    return {**{name: value for name, value in pairs if name and name.lower() not in OURS}, "User-Agent": AGENT}


def _words(error: OutgoingError) -> str:
    """What curl says in this case, or what we say where curl has no word."""
    causes = list(_causes(error))
    if any(isinstance(cause, socket.gaierror) for cause in causes):
        return "Could not resolve hostname"
    if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in causes):
        return "SSL peer certificate or SSH remote key was not OK"
    if any(isinstance(cause, ssl.SSLError) for cause in causes):
        return "SSL connect error"
    if isinstance(error, Unreached):
        return "Could not connect to server"
    if isinstance(error, ReplyTooLarge) or error.__cause__ is None:
        return str(error)
    return _LOST.get(type(error.__cause__).__name__, str(error))


# By the names of httpx's errors.
_LOST: Final = {
    "RemoteProtocolError": "Server returned nothing (no headers, no data)",
    "ReadError": "Failure when receiving data from the peer",
    "WriteError": "Failed sending data to the peer",
}


def _causes(error: BaseException | None) -> list[BaseException]:
    """An error and what led to it, groups of attempts opened."""
    if error is None:
        return []
    members = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
    below = [found for member in members for found in _causes(member)]
    return [error, *below, *_causes(error.__cause__ or error.__context__)]


def _clean(text: str | None) -> str | None:
    return None if text is None else text.replace("\0", "")
