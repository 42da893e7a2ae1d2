"""`/_dev/v1/tapes` of a developer's server: a tape is begun, ended, and listed. While none runs, nothing is noticed."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Mapping
from pathlib import Path
from typing import Final

import orjson

from minato.front_door import names_its_host
from minato.gateway import guard_of
from minato.http.asgi import JSON, ASGIApp, Receive, Scope, Send, read_body, send_response
from minato.http.errors import BodyTooLarge
from minato.main import Application
from minato.tape.recorder import Recorder

PATH: Final = "/_dev/v1/tapes"
SUFFIX: Final = ".jsonl"
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,60}", re.IGNORECASE)
_WANTED: Final = 'Wanted: {"name": "…"}, of letters, digits, _ and -; "replace": true for a tape that is there'
Told = tuple[int, object]


class Tapes:
    """The ASGI app around a developer's server, whose tapes lie in the data folder. Of branches nothing is taped."""

    def __init__(self, app: ASGIApp, main: Application) -> None:
        guard = guard_of(main.backend)
        assert guard is not None, "tapes are a developer's"
        self._app, self._guard = app, guard
        self._folder = main.backend.settings.server.data_dir.absolute() / "tapes"
        self._recorder: Recorder | None = None

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        if scope["type"] == "http" and scope["path"] == PATH:
            return self._command(scope, receive, send)
        if self._recorder is None:
            return self._app(scope, receive, send)
        return self._recorder.record(self._app, scope, receive, send)

    async def _command(self, scope: Scope, receive: Receive, send: Send) -> None:
        status: int
        told: object
        refused = self._guard.refusal(scope) if names_its_host(scope) else None
        if not names_its_host(scope):
            status, told = 400, _refused("bad_request", "A request names its host exactly once")
        elif refused is not None:
            status, told = 403, _refused(refused.code, refused.message)
        else:
            status, told = await self._done(scope["method"], receive)
        await send_response(send, status, [JSON], orjson.dumps(told))

    async def _done(self, method: str, receive: Receive) -> Told:
        if method == "GET":
            return 200, {"tapes": [_told(path) for path in self._files()], "recording": self._running()}
        if method == "DELETE":
            return self._stop()
        if method != "POST":
            return 404, _refused("no_such_endpoint", f"There is no {method} {PATH}")
        try:
            asked = orjson.loads(await read_body(receive, 1024))
        except (ValueError, BodyTooLarge):
            asked = None
        name = asked.get("name") if isinstance(asked, Mapping) else None
        replace = asked.get("replace", False) if isinstance(asked, Mapping) else False
        if not isinstance(name, str) or _NAME.fullmatch(name) is None or not isinstance(replace, bool):
            return 400, _refused("bad_request", _WANTED)
        return self._start(name, replace)

    def _start(self, name: str, replace: bool) -> Told:
        if self._recorder is not None:
            return 409, _refused("tape_runs", f'The tape "{self._running()}" runs already.')
        path = self._folder / f"{name}{SUFFIX}"
        try:
            self._recorder = Recorder(path, replace)
        except FileExistsError:
            return 409, _refused("tape_exists", f'There is a tape "{name}" already, {path}.')
        except OSError as error:
            return 503, _refused("tape_refused", f"{path} can't be written: {error.strerror}")
        return 201, {"name": name, "file": str(path)}

    def _stop(self) -> Told:
        ended, self._recorder = self._recorder, None
        if ended is None:
            return 409, _refused("no_tape", "No tape runs.")
        ended.close()
        return 200, {"name": ended.path.stem, "file": str(ended.path), "requests": ended.count}

    def _running(self) -> str | None:
        return self._recorder.path.stem if self._recorder is not None else None

    def _files(self) -> list[Path]:
        return sorted(self._folder.glob(f"*{SUFFIX}"))


def _told(path: Path) -> dict[str, object]:
    return {"name": path.stem, "file": str(path), "requests": path.read_bytes().count(b"\n")}


def _refused(code: str, message: str) -> dict[str, str]:
    return {"code": code, "message": message}
