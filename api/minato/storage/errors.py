"""Every refusal of this room: the HTTP status is 400 for nearly all, `statusCode` says what is meant.

Codes, words and texts are those of supabase/storage internal/errors/codes.ts.
"""

from __future__ import annotations

import asyncpg
import orjson
from sqlalchemy.exc import DBAPIError

from minato.database.wire.session import StatementError
from minato.database.wording import Fields, fields_of, is_refused_by_policy, is_still_referenced, is_unknown_role
from minato.http.errors import ApiError


class StorageError(ApiError):
    """`status` is the HTTP status, `meant` the status inside the body, `error` the legacy word beside the code."""

    def __init__(self, meant: int, code: str, message: str, error: str | None = None, status: int = 400) -> None:
        super().__init__(status, code, message)
        self.meant = meant
        self.error = error or code
        self.hint: str | None = None

    def body(self) -> bytes:
        """The error as JSON, its fields in the service's order; in development it may say why behind them."""
        told = {"statusCode": str(self.meant), "error": self.error, "message": self.message, "code": self.code}
        return orjson.dumps(told if self.hint is None else {**told, "hint": self.hint})


def invalid_request(message: str, error: str = "InvalidRequest", meant: int = 400) -> StorageError:
    """A request that can't be understood; schema validation says `Error`, the body parser `FastifyError`."""
    return StorageError(meant, "InvalidRequest", message, error)


def access_denied(message: str, status: int = 400) -> StorageError:
    return StorageError(403, "AccessDenied", message, "Unauthorized", status)


def no_such_bucket() -> StorageError:
    return StorageError(404, "NoSuchBucket", "Bucket not found", "Bucket not found")


def no_such_key() -> StorageError:
    return StorageError(404, "NoSuchKey", "Object not found", "not_found")


class FileMissing(StorageError):
    """The row is there and its file is not, or no more: another may have taken its place."""


def file_missing() -> StorageError:
    return FileMissing(404, "NoSuchKey", "The resource was not found", "Not found")


def already_exists(code: str) -> StorageError:
    """`code` is KeyAlreadyExists, BucketAlreadyExists or ResourceAlreadyExists."""
    return StorageError(409, code, "The resource already exists", "Duplicate")


def invalid_bucket_name() -> StorageError:
    return StorageError(400, "InvalidBucketName", "Bucket name invalid", "Invalid Input")


def invalid_key(key: str) -> StorageError:
    return StorageError(400, "InvalidKey", f"Invalid key: {key}")


def too_large() -> StorageError:
    return StorageError(413, "EntityTooLarge", "The object exceeded the maximum allowed size", "Payload too large")


def invalid_mime_type(mime_type: str) -> StorageError:
    return StorageError(415, "InvalidMimeType", f"mime type {mime_type} is not supported", "invalid_mime_type")


def invalid_parameter(name: str) -> StorageError:
    return StorageError(400, "InvalidParameter", f"Invalid Parameter {name}")


def invalid_signature(message: str = "Invalid signature") -> StorageError:
    return StorageError(400, "InvalidSignature", message)


def invalid_range() -> StorageError:
    return StorageError(416, "InvalidRange", "invalid range provided", "invalid_range", status=416)


def disk_full() -> StorageError:
    return StorageError(507, "InsufficientStorage", "There is no space left to store the object", status=507)


def internal_error() -> StorageError:
    return StorageError(500, "InternalError", "Internal Server Error", "Internal", status=500)


def store_failed(meant: int | None, name: str | None) -> StorageError:
    """The store of the files refused, with a status and a name of its own, or did not answer.

    As `fromError` in supabase/storage internal/errors/storage-error.ts words it; only what the store said beside the
    name stays here, for it may name accounts and keys.
    """
    status = 500 if meant in (None, 500) else 400
    return StorageError(meant or 500, "S3Error", name or "UnknownError", status=status)


def not_implemented(feature: str) -> StorageError:
    return StorageError(501, "NotImplemented", f"{feature} is not implemented; see docs/compatibility.md", status=501)


def route_not_found(method: str, url: str) -> StorageError:
    return StorageError(404, "InvalidRequest", f"Route {method}:{url} not found", "Not Found", status=404)


OUT_OF_SYNC = "The database schema is out of sync. Please run migrations or contact support."
REFERENCED = "The resource could not be updated or removed due to a foreign key constraint"

# SQLSTATE → refusal, for those whose text does not depend on the message.
SQLSTATES = {
    "23505": ("ResourceAlreadyExists", 409, "The resource already exists", "Duplicate", 400),
    "55P03": ("LockTimeout", 503, "acquiring lock timeout", "acquiring_lock_timeout", 400),
    "57014": ("DatabaseTimeout", 544, "The connection to the database timed out", None, 544),
    "53300": ("SlowDown", 429, "Too many connections issued to the database", "too_many_connections", 429),
    "42P01": ("DatabaseSchemaMismatch", 503, OUT_OF_SYNC, None, 400),
    "42703": ("DatabaseSchemaMismatch", 503, OUT_OF_SYNC, None, 400),
    "42P17": (
        "DatabaseInvalidObjectDefinition",
        503,
        "The database schema is invalid or incompatible.",
        None,
        400,
    ),
    "53100": ("InsufficientStorage", 507, "The database has no space left", None, 507),
    "25006": (
        "DatabaseReadOnly",
        503,
        "The database is currently in read-only mode. Please try again later.",
        None,
        400,
    ),
}
# Texts PostgreSQL could not read as what a column holds, a NUL character among them.
UNREADABLE = ("22P02", "22021", "22P05", "22003")


def from_database(error: DBAPIError | StatementError) -> StorageError:
    """The refusal that stands for what PostgreSQL refused."""
    if isinstance(error, StatementError):
        return unreachable() if error.is_farewell else _from_fields(error.fields)
    if error.connection_invalidated:
        return unreachable()
    cause = error.orig.__cause__ if error.orig is not None else None
    if isinstance(cause, asyncpg.PostgresError):
        return _from_fields(fields_of(cause))
    return _from_fields({"C": getattr(error.orig, "sqlstate", None) or "", "M": str(error.orig)})


def _from_fields(fields: Fields) -> StorageError:
    state, message = fields.get("C", ""), fields.get("M", "")
    if state == "42501":
        hidden = is_refused_by_policy(fields)
        return access_denied("new row violates row-level security policy" if hidden else message)
    if state == "28000":
        return access_denied(message)
    if is_unknown_role(fields):
        return StorageError(401, "AccessDenied", message, "Unauthorized", status=401)
    if state == "23503":
        if is_still_referenced(fields):
            return StorageError(409, "ResourceReferenced", REFERENCED)
        return invalid_request("The related resource does not exist", meant=404)
    if state == "54000" and message.startswith("index row"):
        return StorageError(400, "InvalidKey", "The key is too long")
    if state in UNREADABLE:
        return StorageError(400, "InvalidParameter", message)
    if state in SQLSTATES:
        code, meant, text, word, status = SQLSTATES[state]
        return StorageError(meant, code, text, word, status)
    return StorageError(500, "DatabaseError", f"database error, code: {state}", status=500)


def unreachable() -> StorageError:
    """There is no connection, or it broke."""
    return StorageError(503, "DatabaseError", "The database cannot be reached", status=503)


def too_many_bodies() -> StorageError:
    """As the other rooms refuse it; clients of S3 know the word and come again."""
    return StorageError(503, "SlowDown", "Too many large request bodies at once", status=503)


def no_connection_free() -> StorageError:
    """The pool gave no connection in time."""
    return StorageError(429, "SlowDown", "Too many connections issued to the database", "too_many_connections", 429)
