"""Refusals of vector buckets. Codes and statuses are those of supabase/storage internal/errors/codes.ts.

Unlike elsewhere in this room the HTTP status is the one inside the body: `minato.storage.app` sees to that.
"""

from __future__ import annotations

from minato.storage.errors import StorageError, access_denied

OFF = "Vector buckets are switched off: VECTOR_ENABLED=true, or enabled = true in [storage.vector], switches them on"
NO_PGVECTOR = (
    "Vector buckets need the extension pgvector, which this PostgreSQL does not have: install pgvector "
    "on the database server, or use the PostgreSQL that comes along"
)


def not_enabled() -> StorageError:
    """As the hosted service answers a project without the feature, in words of our own."""
    return StorageError(403, "FeatureNotEnabled", OFF, status=403)


def no_pgvector() -> StorageError:
    return StorageError(501, "NotImplemented", NO_PGVECTOR, status=501)


def out_of_reach(schema: str) -> StorageError:
    """pgvector lies in a schema of the project's that the service can't enter."""
    told = f'pgvector lies in the schema "{schema}": grant usage on that schema to supabase_storage_admin'
    return StorageError(501, "NotImplemented", told, status=501)


def wrong_role() -> StorageError:
    return access_denied("Access denied: Invalid role", status=403)


def conflict(resource: str, name: str) -> StorageError:
    """`resource` is "vector bucket" or "vector index"."""
    return StorageError(409, "ConflictException", f'{resource} "{name}" already exists')


def not_found(name: str) -> StorageError:
    return StorageError(404, "NotFoundException", f'resource "{name}" not found')


def bucket_not_empty(name: str) -> StorageError:
    return StorageError(400, "VectorBucketNotEmpty", f'Vector Bucket "{name}" not empty')


def too_many_buckets(most: int) -> StorageError:
    told = f"Maximum number of buckets exceeded. Max allowed is {most}; VECTOR_MAX_BUCKETS says so"
    return StorageError(400, "S3VectorMaxBucketsExceeded", told)


def too_many_indexes(most: int) -> StorageError:
    told = f"Maximum number of indexes exceeded. Max allowed is {most} in a bucket; VECTOR_MAX_INDEXES says so"
    return StorageError(400, "S3VectorMaxIndexesExceeded", told)


def invalid(message: str) -> StorageError:
    """A value that has the right type and can't be used."""
    return StorageError(400, "InvalidParameter", message)


def invalid_record(key: str, message: str) -> StorageError:
    """A vector of many that can't be stored; nothing was."""
    return invalid(f"Invalid record for key '{key}': {message}")
