"""The ASGI application around a function: who may ask, where it is mounted, and what becomes of an error."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Awaitable, Callable
from typing import Final, Protocol, cast

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from minato.functions.python.speech import request_id, tell

Handler = Callable[[Request], object]
_PREFIX: Final = "/functions/v1"
_ERROR = (500, "WORKER_ERROR", "Function exited due to an error (please check logs)")
_LIMIT = (546, "WORKER_LIMIT", "Worker failed to respond due to a resource limit (please check logs)")


class Beat(Protocol):
    """Who is told that the event loop is free."""

    def beat(self) -> None:
        """It is."""


class Mounted:
    """Serves `application` below `/functions/v1/<name>`, to whoever knows `word`."""

    def __init__(
        self, application: ASGIApp, word: str, guard: Beat, trace: Callable[[BaseException], str], development: bool
    ) -> None:
        self._application = application
        self._word = word.encode()
        self._guard = guard
        self._trace = trace
        self._development = development
        self._background = 0
        self.failure = ""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, socket or lifespan."""
        if scope["type"] == "lifespan":
            await self._application(scope, receive, self._noting_failure(send))
            return
        headers = dict(scope["headers"])
        if headers.get(b"x-minato-pass") != self._word:
            await _refuse(scope, send)
        elif b"x-minato-pulse" in headers:
            self._guard.beat()
            await _answer(send, 204, b"")
        else:
            request_id.set(headers.get(b"x-request-id", b"").decode("latin-1"))
            await self._serve(_mounted(scope), receive, send)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = Answer(send, self._behind)
        try:
            await self._application(scope, receive, answer.send)
            await answer.flush()
        except BaseException as error:
            if _is_told_to_end(error):
                raise
            text = self._trace(error)
            tell(log=text[:10_000], level="error", id=request_id.get())
            if scope["type"] != "http" or answer.begun:
                raise
            await self._fail(_LIMIT if isinstance(error, MemoryError) else _ERROR, text, answer)
        finally:
            if answer.over:
                self._behind(-1)

    async def _fail(self, why: tuple[int, str, str], text: str, answer: Answer) -> None:
        status, code, message = why
        body = {"code": code, "message": message, **({"trace": text} if self._development else {})}
        await answer.replace(status, json.dumps(body).encode())

    def _behind(self, change: int) -> None:
        """Work that goes on behind an answer, such as a BackgroundTask: the process isn't idle before it is done."""
        self._background += change
        tell(background=self._background)

    def _noting_failure(self, send: Send) -> Send:
        async def noting(message: Message) -> None:
            if message["type"] == "lifespan.startup.failed":
                self.failure = message.get("message") or "The application did not start."
            await send(message)

        return noting


class Answer:
    """What a function answers. An error page is held back, for an error may follow that says more."""

    def __init__(self, send: Send, behind: Callable[[int], None]) -> None:
        self._send = send
        self._behind = behind
        self._held: list[Message] = []
        self.begun = False
        self.over = False

    async def send(self, message: Message) -> None:
        """As the server's own."""
        if message["type"] == "http.response.start" and message["status"] == 500:
            self._held.append(message)
        elif self._held and not message.get("more_body", False):
            self._held.append(message)
        else:
            await self.flush()
            await self._pass(message)

    async def flush(self) -> None:
        """Send what was held back."""
        held, self._held = self._held, []
        for message in held:
            await self._pass(message)

    async def replace(self, status: int, body: bytes) -> None:
        """Answer so instead of what was held back."""
        self._held = []
        await _answer(self._pass, status, body)

    async def _pass(self, message: Message) -> None:
        self.begun = True
        if message["type"] == "http.response.body" and not message.get("more_body", False) and not self.over:
            self.over = True
            self._behind(1)
        await self._send(message)


def _is_told_to_end(error: BaseException) -> bool:
    """Whether the server ends the request; a function may raise the same of its own work, or call `sys.exit`."""
    task = asyncio.current_task()
    return isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling() > 0


def of_handler(handle: Handler) -> ASGIApp:
    """The application of `handle(request)`, a coroutine function or a plain one, which runs in a thread."""
    is_async = inspect.iscoroutinefunction(handle)

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _live(receive, send)
            return
        if scope["type"] != "http":
            await _refuse(scope, send)
            return
        request = Request(scope, receive, send)
        if is_async:
            response = await cast("Awaitable[object]", handle(request))
        else:
            response = await run_in_threadpool(handle, request)
        if not isinstance(response, Response):
            raise TypeError(f"handle must return a response of Starlette's, not {type(response).__name__}")
        await response(scope, receive, send)

    return application


async def _live(receive: Receive, send: Send) -> None:
    for _ in ("startup", "shutdown"):
        message = await receive()
        await send({"type": f"{message['type']}.complete"})


def _mounted(scope: Scope) -> Scope:
    """Where the world finds it: `/functions/v1/<name>` is the root, and what follows the application's path."""
    name, _, rest = scope["path"].removeprefix("/").partition("/")
    raw = b"/" + (scope.get("raw_path") or b"").removeprefix(b"/").partition(b"/")[2]
    root = f"{_PREFIX}/{name}"
    headers = [(key, value) for key, value in scope["headers"] if key != b"x-minato-pass"]
    return {**scope, "root_path": root, "path": f"{root}/{rest}", "raw_path": root.encode() + raw, "headers": headers}


async def _refuse(scope: Scope, send: Send) -> None:
    if scope["type"] == "http":
        await _answer(send, 403, b"")
    else:
        await send({"type": "websocket.close", "code": 1008})


async def _answer(send: Send, status: int, body: bytes) -> None:
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())] if body else []
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
