"""`/upload/resumable[/sign]`: TUS 1.0. POST creates, HEAD tells the offset, PATCH appends, DELETE gives up."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime

from sqlalchemy.exc import DBAPIError

from minato.database.wire.session import StatementError
from minato.storage.backend.told import StoreFailed
from minato.storage.buckets import require_bucket
from minato.storage.errors import StorageError, from_database
from minato.storage.limits import require_mime_type
from minato.storage.names import is_empty_folder, require_bucket_name, require_key
from minato.storage.reply import Reply, encode_headers, http_time
from minato.storage.request import Request
from minato.storage.resumable.finish import finish
from minato.storage.resumable.rights import find_writer, judged_type, require_writer
from minato.storage.services import Services
from minato.storage.tus.headers import (
    CHECKSUMS,
    EXTENSIONS,
    LENGTH_REQUIRED,
    OFFSET_STREAM,
    VERSION,
    TusError,
    invalid,
    read_checksum,
    read_length,
    read_metadata,
    read_number,
    require_version,
)
from minato.storage.tus.uploads import CONFLICT, Upload, UploadId, parse_upload_id
from minato.storage.upload_content import counted
from minato.storage.uploading import size_limit

Endpoint = Callable[[Services, Request], Awaitable[Reply]]
Headers = dict[str, str | None]
TOO_LARGE = "Maximum size exceeded\n"
# The words of @tus/server, which the reference leaves a failure of its store to: clients try again.
UNKNOWN = "Something went wrong with that request\n"
COMPLETED = "Cannot terminate an already completed upload"


def _tus(endpoint: Endpoint) -> Endpoint:
    """The endpoint, its refusals in plain text and its answers with the protocol's version."""

    async def answer(services: Services, request: Request) -> Reply:
        try:
            require_version(request.headers)
            reply = await endpoint(services, request)
        except TusError as error:
            reply = _plain(error.status, error.body)
        except StorageError as error:
            reply = _plain(error.meant, error.message)
        except (DBAPIError, StatementError) as error:
            refusal = from_database(error)
            reply = _plain(refusal.meant, refusal.message)
        except StoreFailed:
            reply = _plain(500, UNKNOWN)
        reply.headers += encode_headers({"tus-resumable": VERSION})
        return reply

    return answer


async def describe_resumable(services: Services, request: Request) -> Reply:
    """What the server can do; for OPTIONS no version need be said."""
    headers: Headers = {
        "tus-resumable": VERSION,
        "tus-version": VERSION,
        "tus-extension": EXTENSIONS,
        "tus-checksum-algorithm": ",".join(CHECKSUMS),
        "tus-max-size": str(services.settings.file_size_limit),
    }
    return Reply(204, encode_headers(headers))


@_tus
async def create_resumable(services: Services, request: Request) -> Reply:
    """201 with the upload's URL; bytes that come along are the first."""
    length = read_length(request.headers)
    header = request.headers.get("upload-metadata")
    metadata = read_metadata(header)
    upload_id = UploadId(metadata.get("bucketName", ""), metadata.get("objectName", ""), str(services.entropy.uuid4()))
    require_bucket_name(upload_id.bucket)
    require_key(upload_id.key)
    limits = await require_bucket(services.transactions, upload_id.bucket)
    writer = await require_writer(services, request, upload_id, metadata, length)
    await _limit(services, upload_id, length)
    mime_type = judged_type(services, metadata)
    if mime_type is not None and not is_empty_folder(upload_id.key):
        require_mime_type(mime_type, limits.allowed_mime_types)
    upload = Upload(
        upload_id.bucket, upload_id.key, upload_id.version, length, header or "", services.clock.timestamp()
    )
    upload.owner, upload.upsert = writer.owner, writer.upsert
    await services.uploads.save(upload)
    headers: Headers = {
        "location": _location(services, request, upload_id),
        "upload-expires": _expires(services, upload),
    }
    if request.headers.get("content-type") == OFFSET_STREAM or length == 0:
        async with services.uploads.alone(upload_id):
            headers |= await _append(services, request, upload)
    return Reply(201, encode_headers(headers))


@_tus
async def head_resumable(services: Services, request: Request) -> Reply:
    """How far the upload is."""
    upload_id = parse_upload_id(request.bucket)
    find_writer(services, request, upload_id)
    upload = await _find(services, upload_id)
    offset = await services.uploads.offset(upload)
    if offset == upload.length and not upload.finished:
        # The server died between the last byte and the row: without this the client would take it for done.
        await require_writer(services, request, upload_id, read_metadata(upload.metadata), upload.length)
        async with services.uploads.alone(upload_id):
            await finish(services, request, upload)
    headers: Headers = {
        "cache-control": "no-store",
        "upload-offset": str(offset),
        "upload-length": None if upload.length is None else str(upload.length),
        "upload-defer-length": "1" if upload.length is None else None,
        "upload-metadata": upload.metadata,
        "upload-expires": None if upload.finished else _expires(services, upload),
    }
    return Reply(200, encode_headers(headers))


@_tus
async def append_resumable(services: Services, request: Request) -> Reply:
    """204 with the new offset; the last byte makes the object."""
    content_type, offset = request.headers.get("content-type"), read_number(request.headers, "upload-offset")
    if offset is None:
        raise TusError(403, "Upload-Offset header required\n")
    if content_type is None:
        raise TusError(403, "Content-Type header required\n")
    if content_type != OFFSET_STREAM:
        raise invalid("content-type")
    upload_id = parse_upload_id(request.bucket)
    async with services.uploads.alone(upload_id):
        upload = await _find(services, upload_id)
        writer = await require_writer(services, request, upload_id, read_metadata(upload.metadata), upload.length)
        if offset != await services.uploads.offset(upload):
            raise TusError(409, CONFLICT)
        await _declare_length(services, request, upload, offset)
        upload.owner, upload.upsert = writer.owner, writer.upsert
        await services.uploads.save(upload)
        return Reply(204, encode_headers(await _append(services, request, upload)))


@_tus
async def delete_resumable(services: Services, request: Request) -> Reply:
    """204: what came is thrown away."""
    upload_id = parse_upload_id(request.bucket)
    async with services.uploads.alone(upload_id), services.uploads.finishing(upload_id):
        upload = await _find(services, upload_id)
        if upload.finished:
            raise TusError(400, COMPLETED)
        await require_writer(services, request, upload_id, read_metadata(upload.metadata), upload.length)
        await services.uploads.remove(upload)
    return Reply(204)


async def _append(services: Services, request: Request, upload: Upload) -> Headers:
    limit = await _limit(services, upload.id, upload.length)
    most = limit if upload.length is None else upload.length
    # In a folder what comes is written at once, for others a piece is gathered.
    chunks = counted(request, _body(request)) if services.uploads.shared else _body(request)
    offset = await services.uploads.append(upload, chunks, most, read_checksum(request.headers))
    if offset != upload.length:
        return {"upload-offset": str(offset), "upload-expires": _expires(services, upload)}
    await finish(services, request, upload)
    return {"upload-offset": str(offset), "tus-complete": "1"}


async def _declare_length(services: Services, request: Request, upload: Upload, offset: int) -> None:
    """Take the length of an upload that was begun without."""
    length = read_number(request.headers, "upload-length")
    if length is None:
        return
    if upload.length is not None or length < offset:
        raise TusError(400, LENGTH_REQUIRED)
    await _limit(services, upload.id, length)
    upload.length = length


async def _limit(services: Services, upload_id: UploadId, length: int | None) -> int:
    """The largest size the object may have. Raises TusError when more is declared."""
    largest = size_limit(services, upload_id.key, await require_bucket(services.transactions, upload_id.bucket))
    if length is not None and length > largest:
        raise TusError(413, TOO_LARGE)
    return largest


async def _find(services: Services, upload_id: UploadId) -> Upload:
    return await services.uploads.find(upload_id, services.clock.timestamp() - services.settings.tus_url_expiry)


def _expires(services: Services, upload: Upload) -> str:
    return http_time(datetime.fromtimestamp(upload.created + services.settings.tus_url_expiry, UTC))


def _location(services: Services, request: Request, upload_id: UploadId) -> str:
    """The upload's URL, as clients call this server, or else as this one reached it.

    The gateway lets only trusted proxies say under which name.
    """
    path = f"{request.path.rstrip('/')}/{upload_id}"
    if services.base_url is not None:
        return services.base_url + path
    host = request.headers.get("x-forwarded-host") or request.headers.get("host", "")
    return f"{request.scope.get('scheme', 'http')}://{host}{request.scope.get('root_path', '')}{path}"


async def _body(request: Request) -> AsyncIterator[bytes]:
    """The body as it comes. Raises ConnectionAbortedError when the client goes: what came is kept."""
    more = True
    while more:
        message = await request.receive()
        if message["type"] != "http.request":
            raise ConnectionAbortedError
        yield message.get("body", b"")
        more = message.get("more_body", False)


def _plain(status: int, body: str) -> Reply:
    return Reply(status, encode_headers({"content-type": "text/plain; charset=utf-8"}), body.encode())
