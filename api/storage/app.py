"""The storage room: finds the endpoint, finds out who calls, answers, and words whatever went wrong."""

from __future__ import annotations

import asyncio
import contextlib

import orjson
from sqlalchemy.exc import DBAPIError, TimeoutError

from api.backend import Backend
from api.database.engines import DatabaseUnreachable
from api.http.asgi import JSON, Receive, Scope, Send
from api.storage.access_token import read_caller
from api.storage.backend.object_store import create_file_backend
from api.storage.errors import (
    StorageError,
    from_database,
    internal_error,
    invalid_request,
    no_connection_free,
    not_implemented,
    route_not_found,
    unreachable,
)
from api.storage.imaging.pool import ImagePool
from api.storage.reply import Reply
from api.storage.request import Request
from api.storage.router import Router
from api.storage.routes import NOT_IMPLEMENTED, ROUTES, Access, Route
from api.storage.services import Services
from api.storage.signed_url import UrlSigner
from api.storage.sweep import sweep_orphans
from api.storage.transactions import Transactions
from api.storage.tus.upload_folder import UploadFolder
from api.tokens.caller import Caller

MISSING_HEADER = "headers must have required property 'authorization'"


class StorageRoom:
    """A `Room`. At its start it collects, beside the requests, the files a crash left without a row."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.app = self._serve
        self._router = Router(ROUTES)
        self._sweep: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin the sweep; nothing waits for it."""
        self._sweep = asyncio.create_task(self._sweep_once())

    async def stop(self) -> None:
        """Give the sweep up if it is still at work, and the pictures that wait."""
        self.services.images.close()
        if self._sweep is not None:
            self._sweep.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._sweep

    async def _sweep_once(self) -> None:
        try:
            await sweep_orphans(self.services)
            self.services.uploads.clear(self.services.clock.timestamp() - self.services.settings.tus_url_expiry)
        except Exception:
            self.services.log.exception("the sweep of orphaned files failed")

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        try:
            reply = await self._answer(scope, receive)
        except StorageError as error:
            reply = _refusal(error)
        except DBAPIError as error:
            reply = _refusal(from_database(error))
        except DatabaseUnreachable:
            reply = _refusal(unreachable())
        except TimeoutError as error:
            reply = _refusal(no_connection_free(error))
        except Exception:
            self.services.log.exception("storage request failed")
            reply = _refusal(internal_error())
        await (reply.send_head(send) if scope["method"] == "HEAD" else reply.send(send))

    async def _answer(self, scope: Scope, receive: Receive) -> Reply:
        raw_path = scope["raw_path"].decode("latin-1").partition("?")[0]
        found = self._router.find(scope["method"], raw_path)
        if found is None:
            return _unknown(scope, raw_path)
        route, bucket, key = found
        request = Request(scope, receive, route.operation, bucket, key)
        request.caller = self._caller(route, request.headers.get("authorization"))
        return await route.endpoint(self.services, request)

    def _caller(self, route: Route, authorization: str | None) -> Caller | None:
        """Who calls, as far as the route wants to know. Raises InvalidRequest or AccessDenied."""
        if route.access is Access.NONE:
            return None
        if authorization is None and route.access is Access.HEADER:
            raise invalid_request(MISSING_HEADER, "Error")
        try:
            return read_caller(self.services.keys, self.services.clock, authorization)
        except StorageError:
            if route.access is Access.OPTIONAL:
                return None
            raise


def _refusal(error: StorageError) -> Reply:
    return Reply(error.status, [JSON], error.body())


def _unknown(scope: Scope, raw_path: str) -> Reply:
    """Nothing leads there: not yet, or not at all."""
    root = raw_path.lstrip("/").partition("/")[0]
    if root in NOT_IMPLEMENTED:
        raise not_implemented(NOT_IMPLEMENTED[root])
    query = scope["query_string"].decode("latin-1")
    url = raw_path + (f"?{query}" if query else "")
    if root in ("bucket", "object", "render", "upload"):
        raise route_not_found(scope["method"], url)
    body = {"message": f"Route {scope['method']}:{url} not found", "error": "Not Found", "statusCode": 404}
    return Reply(404, [JSON], orjson.dumps(body))


def create_storage(backend: Backend) -> StorageRoom:
    """The room of one backend."""
    settings = backend.settings.storage
    services = Services(
        settings=settings,
        clock=backend.clock,
        entropy=backend.entropy,
        keys=backend.keys,
        transactions=Transactions(backend.database, settings),
        files=create_file_backend(settings.url, backend.settings.server.data_dir),
        uploads=UploadFolder(backend.settings.server.data_dir.absolute() / "uploads"),
        images=ImagePool(settings),
        signer=UrlSigner(backend.keys, backend.clock),
        log=backend.log,
    )
    return StorageRoom(services)
