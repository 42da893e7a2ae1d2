"""`/_dev/v1/branches` and `/_dev/v1/snapshots`: they are made, told of and dropped. Who may ask is asked before."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import asdict
from functools import wraps
from typing import IO, Annotated, TypeVar

import asyncpg
import orjson
from pydantic import BaseModel, Field, ValidationError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from minato.host.archive import PIECE
from minato.host.branch import Branch
from minato.host.branches import LIMIT, TTL, Branches, Wish
from minato.host.errors import BranchError
from minato.host.names import seconds_of
from minato.host.own import Keys, Own, secret_of
from minato.host.shown import dotenv, figures, shown, variables
from minato.http.asgi import read_body
from minato.http.errors import BodyTooLarge
from minato.tokens.issuers import MAIN

PATH, SNAPSHOTS = "/_dev/v1/branches", "/_dev/v1/snapshots"
LARGEST_BODY = 64 * 1024
Handler = Callable[[Request], Awaitable[Response]]
Asked = TypeVar("Asked", bound=BaseModel)


class NewBranch(BaseModel, extra="forbid", populate_by_name=True):
    """The body of POST; all of it may be left out."""

    id: str | None = None
    source: str = Field("base", alias="from")
    ttl: float | str = TTL
    label: str = Field("", max_length=200)
    keys: Keys = "shared"
    seed: Annotated[int, Field(ge=0, lt=2**63)] | None = None
    force: bool = False


class Change(BaseModel, extra="forbid"):
    """The body of PATCH."""

    ttl: float | str | None = None
    label: str | None = Field(None, max_length=200)


class Reset(BaseModel, extra="forbid"):
    """The body of a reset: to where it came from, or to another source."""

    to: str | None = None
    force: bool = False


class NewSnapshot(BaseModel, extra="forbid"):
    """The body of POST: what it is called, and of what it is made."""

    name: str
    of: str = "main"
    replace: bool = False
    force: bool = False


class Control:
    """The calls of one host."""

    def __init__(self, branches: Branches, jwt_secret: str) -> None:
        self._branches = branches
        self._secret = jwt_secret
        one = f"{PATH}/{{id}}"
        routes = [
            Route(PATH, answered(self.create), methods=["POST"]),
            Route(PATH, answered(self.list), methods=["GET"]),
            Route(one, answered(self.show), methods=["GET"]),
            Route(one, answered(self.change), methods=["PATCH"]),
            Route(one, answered(self.drop), methods=["DELETE"]),
            Route(PATH, answered(self.drop_labelled), methods=["DELETE"]),
            Route(f"{one}/reset", answered(self.reset), methods=["POST"]),
            Route(SNAPSHOTS, answered(self.save), methods=["POST"]),
            Route(SNAPSHOTS, answered(self.snapshots), methods=["GET"]),
            Route(f"{SNAPSHOTS}/import", answered(self.arrive), methods=["POST"]),
            Route(f"{SNAPSHOTS}/{{id}}", answered(self.forget), methods=["DELETE"]),
            Route(f"{SNAPSHOTS}/{{id}}/export", answered(self.leave), methods=["GET"]),
            Route(f"{one}/env", answered(self.env), methods=["GET"]),
        ]
        self.app = Starlette(routes=routes, exception_handlers={HTTPException: _no_such_endpoint})

    async def create(self, request: Request) -> Response:
        asked = await body_of(request, NewBranch)
        branch = await self._branches.create(
            Wish(
                asked.id,
                asked.source,
                seconds_of(asked.ttl),
                asked.label,
                asked.force,
                Own(asked.keys, asked.seed),
            )
        )
        return json(self._shown(branch), 201)

    async def list(self, request: Request) -> Response:
        base = self._branches.base.known
        templates = [{"name": base.name, "database": base.database}] if base is not None else []
        told = [self._shown(branch) for branch in self._branches.living]
        if request.query_params.get("figures") == "true":
            await self._add_figures(told)
        leaving = len(self._branches.leavings.waiting)
        return json({"branches": told, "limit": LIMIT, "leaving": leaving, "templates": templates})

    async def _add_figures(self, told: Sequence[dict[str, object]]) -> None:
        """What a list of them shows besides. No branch is asked: it would be awake, and live longer for it."""
        living = {branch.id: branch for branch in self._branches.living}
        sizes = await self._branches.databases.sizes([branch.database for branch in living.values()])
        now = self._branches.now()
        for one in told:
            branch = living.get(str(one["id"]))
            if branch is not None:
                one |= figures(branch, now, sizes.get(branch.database))

    async def show(self, request: Request) -> Response:
        branch = await self._asked(request)
        size, connections = await self._branches.databases.figures(branch.database)
        told = figures(branch, self._branches.now(), size)
        return json({**self._shown(branch), **told, "connections": connections})

    async def drop(self, request: Request) -> Response:
        await self._branches.drop((await self._asked(request)).id)
        return Response(status_code=204)

    async def change(self, request: Request) -> Response:
        asked = await body_of(request, Change)
        branch = await self._asked(request)
        if asked.ttl is not None:
            branch.ttl, branch.used_at = seconds_of(asked.ttl), self._branches.now()
        branch.label = branch.label if asked.label is None else asked.label
        return json(self._shown(branch))

    async def drop_labelled(self, request: Request) -> Response:
        prefix = request.query_params.get("label", "")
        if not prefix:
            raise BranchError(400, "bad_request", "Say which: ?label= and what the labels begin with.")
        return json({"deleted": await self._branches.drop_labelled(prefix)})

    async def reset(self, request: Request) -> Response:
        if request.path_params["id"] == MAIN:
            return await self._restore(await body_of(request, Reset))
        asked = await body_of(request, Reset)
        branch = await self._asked(request)
        return json(self._shown(await self._branches.reset(branch.id, asked.to, asked.force)))

    async def _restore(self, asked: Reset) -> Response:
        await self._branches.open()
        return json(await self._branches.restore.into_main(asked.to or "", asked.force))

    async def save(self, request: Request) -> Response:
        asked = await body_of(request, NewSnapshot)
        await self._branches.open()
        made = await self._branches.sources.save(asked.name, asked.of, asked.replace, asked.force)
        return json(asdict(made), 201)

    async def snapshots(self, request: Request) -> Response:
        return json({"snapshots": [asdict(one) for one in self._branches.sources.snapshots.all()]})

    async def forget(self, request: Request) -> Response:
        await self._branches.open()
        await self._branches.sources.forget(request.path_params["id"])
        return Response(status_code=204)

    async def leave(self, request: Request) -> Response:
        await self._branches.open()
        draft = self._branches.transfer.draft()
        try:
            await self._branches.transfer.leave(name := request.path_params["id"], draft)
            size = os.stat(draft.fileno()).st_size
        except BaseException:
            draft.close()
            raise
        named = {"content-disposition": f'attachment; filename="{name}.tar.gz"', "content-length": str(size)}
        return StreamingResponse(_pieces(draft), 200, {**named, "cache-control": "no-store"}, "application/gzip")

    async def arrive(self, request: Request) -> Response:
        await self._branches.open()
        asked = request.query_params
        with self._branches.transfer.draft() as draft:
            async for piece in request.stream():
                await asyncio.to_thread(draft.write, piece)
            draft.seek(0)
            made = await self._branches.transfer.arrive(draft, asked.get("name"), asked.get("replace") == "true")
        return json(asdict(made), 201)

    async def env(self, request: Request) -> Response:
        named = variables(self._shown(await self._asked(request)), request.query_params.get("prefix", ""))
        form = request.query_params.get("format", "dotenv")
        if form not in ("dotenv", "json"):
            raise BranchError(400, "bad_request", f'There is no format "{form}".', "Known: dotenv, json.")
        return json(named) if form == "json" else PlainTextResponse(dotenv(named))

    async def _asked(self, request: Request) -> Branch:
        """The branch that a call is about; one that is being reset is waited for. Raises BranchError."""
        await self._branches.arrived(id_ := request.path_params["id"])
        return self._branches.require(id_)

    def _shown(self, branch: Branch) -> dict[str, object]:
        return shown(branch, secret_of(branch.id, branch.own, self._secret))


def answered(handler: Handler) -> Handler:
    """The handler, whose refusals become answers; a database that is away is one of them."""

    @wraps(handler)
    async def answering(request: Request) -> Response:
        try:
            return await handler(request)
        except BranchError as error:
            return json(error.as_json(), error.status)
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            message = f"PostgreSQL or the disk refused: {error}"
            return json({"code": "branches_unavailable", "message": message}, 503)

    return answering


async def body_of(request: Request, kind: type[Asked]) -> Asked:
    """The body, which may be empty. Raises BranchError."""
    try:
        given = await read_body(request.receive, LARGEST_BODY)
        return kind.model_validate(orjson.loads(given or b"{}"))
    except ValidationError as error:
        details = error.errors(include_url=False, include_context=False, include_input=False)
        message = "; ".join(f"{'.'.join(map(str, each['loc'])) or 'body'}: {each['msg']}" for each in details)
        raise BranchError(400, "bad_request", message, details=details) from None
    except (ValueError, BodyTooLarge):
        raise BranchError(400, "bad_request", "The body is not a JSON object of at most 64 kB") from None


def json(value: object, status: int = 200) -> Response:
    """An answer that nobody keeps: it has keys in it."""
    headers = {"cache-control": "no-store"}
    return Response(orjson.dumps(value), status, headers, media_type="application/json")


def _pieces(draft: IO[bytes]) -> Iterator[bytes]:
    with draft:
        while piece := draft.read(PIECE):
            yield piece


async def _no_such_endpoint(request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 404)
    return json({"code": "no_such_endpoint", "message": f"There is no {request.method} {request.url.path}"}, status)
