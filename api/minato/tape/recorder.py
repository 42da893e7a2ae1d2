"""Writes a tape of what goes through an ASGI app, and notices nothing else of it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from minato.http.asgi import ASGIApp, Message, Receive, Scope, Send, header_map
from minato.tape.entry import COMPARED, LARGEST_BODY, SENT, Callers, Entry, kept_body, kept_path

PREFIXES: Final = ("/rest/v1", "/auth/v1", "/storage/v1", "/functions/v1", "/graphql/v1")


class Recorder:
    """One tape, in the file `path`; what is no request to the API is left out, and so are sockets.

    Raises `FileExistsError` for a tape that is there and not to be replaced.
    """

    def __init__(self, path: Path, replace: bool = False) -> None:
        self.path = path
        self.count = 0
        self._began = 0
        self._callers = Callers()
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("wb" if replace else "xb")
        path.chmod(0o600)

    def close(self) -> None:
        """Nothing is added any more."""
        self._file.close()

    async def record(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """One request to `app`, which is told nothing of it."""
        if scope["type"] != "http" or scope["method"] == "OPTIONS" or not scope["path"].startswith(PREFIXES):
            await app(scope, receive, send)
            return
        self._began += 1
        taken = _Taken(self._began, scope)
        await app(scope, taken.receiving(receive), taken.sending(send))
        self._keep(taken)

    def _keep(self, taken: _Taken) -> None:
        if self._file.closed or not taken.status:
            return
        self._file.write(taken.entry(self._callers).line())
        self._file.flush()
        self.count += 1


class _Taken:
    """What was heard of one request so far."""

    def __init__(self, number: int, scope: Scope) -> None:
        self.status = 0
        self._number = number
        self._method: str = scope["method"]
        query = scope["query_string"].decode("latin-1")
        self._path = scope["raw_path"].decode("latin-1").partition("?")[0] + (f"?{query}" if query else "")
        self._sent = header_map(scope)
        self._headers: dict[str, str] = {}
        self._body, self._answer = bytearray(), bytearray()

    def receiving(self, receive: Receive) -> Receive:
        async def hearing() -> Message:
            message = await receive()
            if message["type"] == "http.request":
                _add(self._body, message.get("body", b""))
            return message

        return hearing

    def sending(self, send: Send) -> Send:
        async def hearing(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.status = message["status"]
                self._headers = header_map({"headers": message.get("headers", ())})
            elif message["type"] == "http.response.body":
                _add(self._answer, message.get("body", b""))
            await send(message)

        return hearing

    def entry(self, callers: Callers) -> Entry:
        answered = {name.lower(): value for name, value in self._headers.items()}
        return Entry(
            number=self._number,
            method=self._method,
            path=kept_path(self._path),
            caller=callers.name(self._sent),
            sent={name: self._sent[name] for name in SENT if name in self._sent},
            body=kept_body(bytes(self._body), self._sent.get("content-type", "")),
            status=self.status,
            headers={name: kept_path(answered[name]) for name in COMPARED if name in answered},
            answer=kept_body(bytes(self._answer), answered.get("content-type", "")),
        )


def _add(taken: bytearray, piece: bytes) -> None:
    """One byte more than is kept says that it was too much."""
    taken += piece[: LARGEST_BODY + 1 - len(taken)]
