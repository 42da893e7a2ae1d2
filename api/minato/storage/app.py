"""The storage room: finds the endpoint, finds out who calls, answers, and words whatever went wrong."""

from __future__ import annotations

import errno
from contextlib import suppress
from urllib.parse import quote

import orjson
from sqlalchemy.exc import DBAPIError, TimeoutError

from minato.backend import Backend, UnsentRequest
from minato.database.engines import DatabaseUnreachable
from minato.database.wire.session import ConnectionLost, StatementError
from minato.http.asgi import JSON, Message, Receive, Scope, Send
from minato.http.body_memory import BodyMemory
from minato.journal.record import record_of
from minato.json_text import encode
from minato.project.jobs import job_statement
from minato.storage.access_token import read_caller
from minato.storage.backend.base import FileBackend
from minato.storage.backend.faulty import FaultyFiles
from minato.storage.backend.namespace import Namespace
from minato.storage.backend.object_store import create_file_backend, is_remote
from minato.storage.backend.told import StoreFailed, StoreHealth, ToldStore, shown_store
from minato.storage.content import guards
from minato.storage.errors import (
    StorageError,
    disk_full,
    from_database,
    internal_error,
    no_connection_free,
    not_implemented,
    route_not_found,
    store_failed,
    unreachable,
)
from minato.storage.explaining import object_attempt, upload_attempt
from minato.storage.housekeeping import Housekeeping
from minato.storage.imaging.cache import PictureCache
from minato.storage.imaging.pool import ImagePool
from minato.storage.installation import Installation
from minato.storage.removals import FAREWELL, Removals
from minato.storage.reply import Reply
from minato.storage.request import KeptBody, Request
from minato.storage.routes import NOT_IMPLEMENTED, ROUTES, VECTOR_ROUTES, VECTORS, Access, Route, Router
from minato.storage.s3.routes import answer_s3, is_s3
from minato.storage.s3_wire.caller import S3Credentials
from minato.storage.s3_wire.errors import error_reply
from minato.storage.services import Services
from minato.storage.signed_url import UrlSigner
from minato.storage.signer import Seal
from minato.storage.transactions import Transactions
from minato.storage.tus.upload_folder import UploadFolder
from minato.storage.tus.upload_store import StoredUploads
from minato.storage.tus.uploads import Uploads
from minato.storage.uploading import probe_values
from minato.storage.vectors.errors import not_enabled
from minato.storage.writers import KnownWriters
from minato.tokens.caller import Caller
from minato.why.attempt import Attempt
from minato.why.hints import Hints


class StorageRoom:
    """A `Room`. Beside the requests it keeps house among its files: `minato.storage.housekeeping`."""

    def __init__(
        self, services: Services, house: Housekeeping, keeps_house: bool = True, health: StoreHealth | None = None
    ) -> None:
        self.services = services
        self.house = house
        self._health = health
        if health is not None:
            self.collector = health
        self._keeps_house = keeps_house
        self.app = self._serve
        self._router = Router((*ROUTES, *VECTOR_ROUTES) if services.settings.vector_enabled else ROUTES)

    async def start(self) -> None:
        """Begin to keep house, where that is not the parent's; nothing waits for it."""
        if self._keeps_house:
            self.house.start()

    async def stop(self) -> None:
        """End that, and the threads that write."""
        try:
            await self.house.stop()
        finally:
            await self.services.removals.end(FAREWELL)
            self.services.files.close()

    def hampered(self) -> str | None:
        """What the store does not do at present."""
        return self._health.hampered() if self._health is not None else None

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        raw_path = scope["raw_path"].decode("latin-1").partition("?")[0]
        as_s3 = is_s3(raw_path) and self.services.settings.s3_protocol_enabled
        try:
            if as_s3:
                reply = await answer_s3(self.services, scope, receive, raw_path)
            else:
                reply = await self._answer(scope, receive, raw_path)
        except Exception as error:
            refusal = self._word(error, as_s3)
            if _root(raw_path) == VECTORS:
                # Of these routes alone the reference's answers have the status that is meant.
                refusal.status = refusal.meant
            reply = error_reply(refusal, raw_path, _expects(scope)) if as_s3 else _refusal(refusal)
        reply.headers = [*reply.headers, *guards(reply.status, reply.headers)]
        # A store that breaks off in the middle of a file: all that is left is to close the connection, which the server
        # does for an answer without an end.
        with suppress(StoreFailed):
            await (reply.send_head(send) if scope["method"] == "HEAD" else reply.send(send))

    def _word(self, error: Exception, as_s3: bool) -> StorageError:
        """The refusal that stands for whatever went wrong."""
        if isinstance(error, StorageError):
            return error
        if isinstance(error, (DBAPIError, StatementError)):
            return from_database(error)
        if isinstance(error, (DatabaseUnreachable, ConnectionLost)):
            return unreachable()
        if isinstance(error, TimeoutError):
            return no_connection_free()
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
            # The observer notes every answer of this kind, and there is no more to say.
            return disk_full()
        if isinstance(error, StoreFailed):
            # The log has been told by `StoreHealth`. Of a read the reference passes nothing on, but to clients of S3.
            hidden = error.operation == "read" and not as_s3
            return internal_error() if hidden else store_failed(error.status, error.code)
        self.services.log.error("storage request failed", exc_info=error)
        return internal_error()

    async def _answer(self, scope: Scope, receive: Receive, raw_path: str) -> Reply:
        found = self._router.find(scope["method"], raw_path)
        if found is None:
            return self._unknown(scope, raw_path)
        route, bucket, key = found
        kept = KeptBody(self.services.bodies)
        request = Request(scope, receive, route.operation, bucket, key, kept=kept)
        request.caller = caller = self._caller(route, request.headers.get("authorization"))
        record = record_of(scope)
        if record is not None and caller is not None:
            record.role, record.claims = caller.role, caller.claims
        with kept:
            return await route.endpoint(self.services, request)

    def _unknown(self, scope: Scope, raw_path: str) -> Reply:
        """Nothing leads there: not yet, not while it is switched off, or not at all."""
        root = _root(raw_path)
        if root in NOT_IMPLEMENTED:
            raise not_implemented(NOT_IMPLEMENTED[root])
        if root == VECTORS and not self.services.settings.vector_enabled:
            raise not_enabled()
        query = scope["query_string"].decode("latin-1")
        url = raw_path + (f"?{query}" if query else "")
        if root in ("bucket", "object", "render", "upload", VECTORS):
            raise route_not_found(scope["method"], url)
        body = {"message": f"Route {scope['method']}:{url} not found", "error": "Not Found", "statusCode": 404}
        return Reply(404, [JSON], orjson.dumps(body))

    async def why(self, asked: UnsentRequest) -> tuple[int, bytes]:
        """What the caller of a token may do with `/<bucket>/<key>`, and why not: POST and PUT store it, DELETE deletes
        it, others read it."""
        found = self._router.find(asked.method, f"/object{quote(asked.target.partition('?')[0])}")
        if self.services.hints is None or found is None or not found[2]:
            return 404, orjson.dumps({"code": "not_explained", "message": "A path is /<bucket>/<key>"})
        route, bucket, key = found
        scope: Scope = {
            "type": "http",
            "method": asked.method,
            "path": asked.target,
            "headers": [],
            "query_string": b"",
        }
        request = Request(scope, nothing_more, route.operation, bucket, key, kept=KeptBody(self.services.bodies))
        try:
            known = asked.caller
            request.caller = known or read_caller(self.services.keys, self.services.clock, f"Bearer {asked.token}")
            told = await self.services.hints.told(self._attempt(request, asked.method))
        except StorageError as error:
            return 401, error.body()
        if told is None:
            return 500, orjson.dumps({"code": "not_explained", "message": "PostgreSQL did not answer in time"})
        return 200, encode(told)

    def _attempt(self, request: Request, method: str) -> Attempt:
        caller, settings = request.known_caller, self.services.transactions.settings_of(request)
        if method in ("POST", "PUT"):
            values = probe_values(request, caller.subject, None, None)
            return upload_attempt(values, method == "PUT", caller.role, settings)
        return object_attempt(request.bucket, request.key, caller.role, settings, deletes=method == "DELETE")

    def _caller(self, route: Route, authorization: str | None) -> Caller | None:
        """Who calls, as far as the route wants to know. Raises AccessDenied."""
        if route.access is Access.NONE:
            return None
        try:
            return read_caller(self.services.keys, self.services.clock, authorization)
        except StorageError:
            if route.access is Access.OPTIONAL:
                return None
            raise


async def nothing_more() -> Message:
    """What a request that is not sent brings."""
    return {"type": "http.request", "body": b"", "more_body": False}


def _expects(scope: Scope) -> bool:
    return any(name == b"expect" for name, _ in scope["headers"])


def _refusal(error: StorageError) -> Reply:
    return Reply(error.status, [JSON], error.body())


def _root(raw_path: str) -> str:
    return raw_path.lstrip("/").partition("/")[0]


def create_storage(backend: Backend) -> StorageRoom:
    """The room of one backend."""
    settings = backend.settings.storage
    transactions = Transactions(backend.database, settings)
    installation = Installation(transactions, backend.entropy)
    store, health = _store(backend)
    if backend.development:
        store = FaultyFiles(store, backend.faults)
    files = Namespace(store, installation.prefix)
    services = Services(
        settings=settings,
        clock=backend.clock,
        entropy=backend.entropy,
        keys=backend.accepted_keys,
        transactions=transactions,
        installation=installation,
        files=files,
        removals=Removals(files, backend.log),
        uploads=_uploads(backend, files, transactions),
        bodies=BodyMemory(lambda: settings.body_memory),
        images=ImagePool(settings, backend.workers.pictures),
        pictures=PictureCache(settings.image_cache_bytes),
        writers=KnownWriters(),
        signer=UrlSigner(backend.keys, backend.clock, Seal(backend.sealing_key), settings.check_every_way_in),
        s3=_s3_credentials(backend),
        base_url=_base_url(backend.settings.server.public_url),
        log=backend.log,
        hints=Hints(lambda: backend.database.sessions) if backend.explains else None,
    )
    unused = job_statement(backend.settings.server.project, "storage.unused_objects")
    return StorageRoom(services, Housekeeping(services, backend.supervisor, unused), backend.keeps_house, health)


def _store(backend: Backend) -> tuple[FileBackend, StoreHealth | None]:
    """Where the files lie, and how it is, of one that others run."""
    url = backend.settings.storage.url
    store = create_file_backend(url, backend.settings.server.data_dir)
    if url is None or not is_remote(url):
        return store, None
    health = StoreHealth(shown_store(url), backend.log)
    return ToldStore(store, url, health), health


def _uploads(backend: Backend, files: Namespace, transactions: Transactions) -> Uploads:
    """Where uploads under way lie: with the files where every node finds those, else in the data folder."""
    if is_remote(backend.settings.storage.url):
        return StoredUploads(files, transactions.turn)
    return UploadFolder(backend.settings.server.data_dir.absolute() / "uploads")


def _base_url(public_url: str | None) -> str | None:
    return f"{public_url.rstrip('/')}/storage/v1" if public_url else None


def _s3_credentials(backend: Backend) -> S3Credentials:
    settings, keys = backend.settings.storage, backend.api_keys
    access_key, secret = settings.s3_key_pair(keys.s3_access_key_id, keys.s3_access_key_secret)
    return S3Credentials(
        access_key=access_key,
        secret=secret,
        tenant=settings.tenant_id,
        anon_key=keys.anon,
        region=settings.s3_region,
        enforce_region=settings.s3_protocol_enforce_region,
        prefix=settings.s3_protocol_prefix.rstrip("/"),
    )
