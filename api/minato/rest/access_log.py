"""The access log of a data API served alone: a line of Apache's combined format per answer, as `log-level` wants."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from minato.clock import Clock
from minato.config.postgrest import LOGGED_FROM
from minato.http.asgi import ASGIApp, Message, Receive, Scope, Send, header_map


@dataclass(frozen=True)
class AccessLog:
    """ASGI: passes requests on, and hands `write` a line for every answer at or above the level's status."""

    app: ASGIApp
    level: str
    clock: Clock
    write: Callable[[str], None]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        least = LOGGED_FROM[self.level]
        if scope["type"] != "http" or least is None:
            await self.app(scope, receive, send)
            return

        async def noting(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] >= least:
                self.write(self._line(scope, message))
            await send(message)

        await self.app(scope, receive, noting)

    def _line(self, scope: Scope, answer: Message) -> str:
        sent, given = header_map(scope), dict(answer["headers"])
        client = (scope.get("client") or ("-",))[0]
        moment = self.clock.now().strftime("%d/%b/%Y:%H:%M:%S +0000")
        query = b"?" + scope["query_string"] if scope["query_string"] else b""
        path = (scope["raw_path"] + query).decode("latin-1")
        size = given.get(b"content-length", b"-").decode()
        request = f"{scope['method']} {_quotable(path)} HTTP/{scope['http_version']}"
        names = f'"{_quotable(sent.get("referer", ""))}" "{_quotable(sent.get("user-agent", ""))}"'
        return (
            f'{client} - {_quotable(scope.get("user", "-"))} [{moment}] "{request}" {answer["status"]} {size} {names}'
        )


def _quotable(text: str) -> str:
    """What clients send may not end a field or a line.

    >>> _quotable('a" b')
    'a\\\\x22 b'
    """
    return "".join(each if each.isprintable() and each != '"' else f"\\x{ord(each):02x}" for each in text)
