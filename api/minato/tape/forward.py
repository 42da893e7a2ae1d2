"""A proxy on loopback that hands everything on to a project somewhere and tapes it: to compare Minato with it later."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Final, Self

import httpx

from minato.dev.guard import is_loopback
from minato.http.asgi import Header, Message, Receive, Scope, Send, client_address, read_body, send_response
from minato.http.errors import BodyTooLarge, ClientLeft
from minato.tape.recorder import Recorder

SECONDS: Final = 60.0
LARGEST: Final = 100 * 1024 * 1024
# Of one connection, not of the message.
_HOPS: Final = frozenset({b"connection", b"keep-alive", b"transfer-encoding", b"host", b"content-length", b"upgrade"})


class Forward:
    """The ASGI app: what comes from this machine goes to `url`, and its answer back."""

    def __init__(self, url: str, tape: Path, replace: bool = False) -> None:
        self.recorder = Recorder(tape, replace)
        self._client = httpx.AsyncClient(base_url=url, timeout=SECONDS, trust_env=False, follow_redirects=False)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.recorder.close()
        await self._client.aclose()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        elif scope["type"] == "http" and not is_loopback(client_address(scope)):
            await send_response(send, 403)
        elif scope["type"] == "http":
            await self.recorder.record(self._hand_on, scope, receive, send)

    async def _hand_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [(name, value) for name, value in scope["headers"] if name not in _HOPS]
        # What is taped is read, so it comes as it is.
        headers = [*((name, value) for name, value in headers if name != b"accept-encoding"), _PLAIN]
        query = scope["query_string"]
        target = scope["raw_path"].partition(b"?")[0] + (b"?" + query if query else b"")
        try:
            body = await read_body(receive, LARGEST)
            base = self._client.base_url
            url = base.copy_with(raw_path=base.raw_path.rstrip(b"/") + target)
            request = self._client.build_request(scope["method"], url, headers=headers, content=body)
            answer = await self._client.send(request, stream=True)
        except (BodyTooLarge, ClientLeft):
            await send_response(send, 413)
            return
        except httpx.HTTPError as error:
            await send_response(send, 502, [], f"{self._client.base_url} does not answer: {error}\n".encode())
            return
        await _give_back(answer, send)


_PLAIN: Final[Header] = (b"accept-encoding", b"identity")


async def _give_back(answer: httpx.Response, send: Send) -> None:
    headers = [(name.lower(), value) for name, value in answer.headers.raw if name.lower() not in _HOPS]
    start: Message = {"type": "http.response.start", "status": answer.status_code, "headers": headers}
    await send(start)
    try:
        async for piece in answer.aiter_raw():
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
    finally:
        await answer.aclose()
