"""The functions room: `/<name>/…` goes to the function's process, after who calls was asked."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

import orjson

from minato.at_work import Part
from minato.backend import Backend
from minato.background import ended
from minato.config import Settings
from minato.functions import answers
from minato.functions.attached import NOTHING, Attachment, attachment
from minato.functions.authorize import is_of_service, refusal
from minato.functions.child import BootFailed
from minato.functions.command import SENTENCE, find_deno
from minato.functions.discovery import Function, Functions
from minato.functions.folders import clear_temporary, functions_folder, packages_folder, work_folder
from minato.functions.inspector import inspect_mode
from minato.functions.pool import SWEEP_SECONDS, NoRoom, Pool
from minato.functions.proxy import Exchange, NoAnswer, Served, Silent
from minato.functions.shared import runtime_of
from minato.functions.sockets import refuse, relay
from minato.http.asgi import JSON, Header, Message, Receive, Scope, Send, header_map, send_response

HEALTH = "/_internal/health"
# Which processes there are; the reference tells anybody, we only who has the service's key.
METRIC = "/_internal/metric"


class FunctionsRoom:
    """A `Room`. Without Deno it serves functions in Python; for others it answers 501 and says how to get it."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._settings = backend.settings.functions
        folder = functions_folder(backend.settings)
        deno = find_deno(self._settings.deno)
        self._functions = Functions(folder, self._settings, self._asked) if folder is not None else None
        self.pool = self._own_pool(folder, deno)
        self._runtime = runtime_of(backend.machine, self.pool)
        self._has_deno = deno is not None
        self._sweeper: asyncio.Task[None] | None = None
        self.app = self._serve

    @property
    def parts(self) -> Sequence[Part]:
        """What goes on behind the answers of functions."""
        return (self.pool,) if self.pool is not None else ()

    def _own_pool(self, folder: Path | None, deno: Path | None) -> Pool | None:
        """A worker has none: its parent has the processes."""
        backend = self._backend
        if self._functions is None or folder is None or backend.is_worker:
            return None
        packages = packages_folder(backend.settings, folder)
        return Pool(backend, self._functions, deno, work_folder(backend.settings), packages)

    async def start(self) -> None:
        """Begin to end what is idle; no function is started before it is asked for."""
        if self.pool is not None:
            await asyncio.to_thread(clear_temporary, work_folder(self._backend.settings))
            self._sweeper = self._backend.supervisor.begin("functions", self.pool.sweep, SWEEP_SECONDS)

    async def stop(self) -> None:
        """End every process."""
        await ended(self._sweeper)
        if self.pool is not None:
            await self.pool.close()

    def renew(self, settings: Settings) -> None:
        """Go on with these settings, and with the functions' files as they are now; what is at work goes on."""
        self._settings = settings.functions
        if self._functions is not None:
            self._functions = Functions(self._functions.folder, self._settings, self._asked)
            if self.pool is not None:
                self.pool.renew(self._functions, self._settings)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        socket = scope["type"] == "websocket"
        if socket:
            await receive()
            send = _as_refusal(scope, send)
        function = self._named(scope)
        if not self._has_deno and (function is None or not function.is_python):
            body = {"code": "functions_not_implemented", "message": SENTENCE}
            await send_response(send, 501, [JSON], orjson.dumps(body))
        elif scope["path"] == HEALTH:
            await answers.answer_json(send, 200, {"message": "ok"})
        elif scope["path"] == METRIC and self._is_of_service(scope):
            await answers.answer_json(send, 200, await self._figures())
        elif function is None:
            await answers.not_found(send)
        elif (reason := self._refusal(scope, function)) is not None:
            await answers.answer_json(send, 401, {"msg": reason})
        else:
            await self._call(function, scope, receive, send)

    def _asked(self) -> Attachment:
        """What `functions serve` asks for, which only a developer may."""
        return attachment(work_folder(self._backend.settings)) if self._backend.development else NOTHING

    def _named(self, scope: Scope) -> Function | None:
        """By the path as it was sent: what only decoding makes a name is none."""
        name = scope["path"].split("/")[1]
        written = scope["raw_path"].split(b"/")
        if self._functions is None or self._runtime is None or len(written) < 2 or written[1] != name.encode():
            return None
        return self._functions.find(name)

    async def _figures(self) -> Mapping[str, object]:
        return await self._runtime.figures() if self._runtime is not None else {}

    def _is_of_service(self, scope: Scope) -> bool:
        return is_of_service(header_map(scope), self._backend.keys, self._backend.clock)

    def _refusal(self, scope: Scope, function: Function) -> str | None:
        if scope.get("method") == "OPTIONS" or not function.settings.verify_jwt:
            return None
        return refusal(header_map(scope), self._backend.accepted_keys, self._backend.clock)

    async def _call(self, function: Function, scope: Scope, receive: Receive, send: Send) -> None:
        assert self._runtime is not None
        unhurried = inspect_mode(function, self._settings, self._backend.development)
        longest = None if unhurried else self._settings.wall_clock_limit
        try:
            async with asyncio.timeout(longest) as limit, self._runtime.lease(function) as child:
                silence = None if longest is None else self._settings.idle_timeout
                await self._exchange(child, scope, receive, send, silence)
        except BootFailed as error:
            await answers.failed(send, answers.BOOT_ERROR, str(error) if self._backend.development else "")
        except NoRoom:
            self._backend.log.warning("all processes of functions are busy", function=function.name)
            await answers.failed(send, answers.WORKER_LIMIT)
        except TimeoutError:
            if not limit.expired():
                raise
            self._backend.log.warning("a function took too long", function=function.name)
            await _unless_begun(scope, send, answers.WORKER_LIMIT)

    async def _exchange(
        self, child: Served, scope: Scope, receive: Receive, send: Send, longest_silence: float | None
    ) -> None:
        if scope["type"] == "websocket":
            try:
                await relay(scope, receive, send, child)
            except NoAnswer:
                await answers.failed(send, await child.cause())
            return
        exchange = Exchange(scope, receive, _noting(scope, send), longest_silence)
        try:
            await exchange.run(child)
        except (Silent, NoAnswer) as error:
            if exchange.begun:
                self._backend.log.warning("an answer of a function broke off", path=scope["path"])
            elif isinstance(error, Silent):
                await answers.timed_out(send)
            else:
                await answers.failed(send, await child.cause())


def _noting(scope: Scope, send: Send) -> Send:
    async def noting(message: Message) -> None:
        scope["minato.begun"] = True
        await send(message)

    return noting


async def _unless_begun(scope: Scope, send: Send, status: int) -> None:
    if not scope.get("minato.begun"):
        await answers.failed(send, status)


def _as_refusal(scope: Scope, send: Send) -> Send:
    """For a socket: an answer of HTTP refuses it, everything else goes its way."""
    head: list[tuple[int, list[Header]]] = []

    async def refusing(message: Message) -> None:
        if message["type"] == "http.response.start":
            head.append((message["status"], message["headers"]))
        elif message["type"] == "http.response.body":
            await refuse(scope, send, *head[0], message["body"])
        else:
            scope["minato.begun"] = True
            await send(message)

    return refusing


def create_functions(backend: Backend) -> FunctionsRoom:
    """The room of one backend."""
    return FunctionsRoom(backend)
