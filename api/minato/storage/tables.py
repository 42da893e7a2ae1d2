"""The tables of the storage schema this room works on; `migrations/` has the full definition.

They name no primary key: SQLAlchemy would read it back from every insert, and uploading needs no right to see.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, DateTime, Integer, MetaData, Table, Text, Uuid
from sqlalchemy.dialects.postgresql import ARRAY, ENUM, JSONB

metadata = MetaData(schema="storage")
TIME = DateTime(timezone=True)

buckets = Table(
    "buckets",
    metadata,
    Column("id", Text),
    Column("name", Text),
    Column("owner", Uuid(as_uuid=False)),
    Column("created_at", TIME),
    Column("updated_at", TIME),
    Column("public", Boolean),
    Column("file_size_limit", BigInteger),
    Column("allowed_mime_types", ARRAY(Text)),
    Column("owner_id", Text),
    Column("type", ENUM("STANDARD", "ANALYTICS", "VECTOR", name="buckettype", schema="storage", create_type=False)),
)

objects = Table(
    "objects",
    metadata,
    Column("id", Uuid(as_uuid=False)),
    Column("bucket_id", Text),
    Column("name", Text),
    Column("owner", Uuid(as_uuid=False)),
    Column("created_at", TIME),
    Column("updated_at", TIME),
    Column("last_accessed_at", TIME),
    Column("metadata", JSONB(none_as_null=True)),
    Column("version", Text),
    Column("owner_id", Text),
    Column("user_metadata", JSONB(none_as_null=True)),
)

multipart_uploads = Table(
    "s3_multipart_uploads",
    metadata,
    Column("id", Text),
    Column("in_progress_size", BigInteger),
    Column("upload_signature", Text),
    Column("bucket_id", Text),
    Column("key", Text),
    Column("version", Text),
    Column("owner_id", Text),
    Column("created_at", TIME),
    Column("user_metadata", JSONB(none_as_null=True)),
    Column("metadata", JSONB(none_as_null=True)),
)

multipart_parts = Table(
    "s3_multipart_uploads_parts",
    metadata,
    Column("upload_id", Text),
    Column("size", BigInteger),
    Column("part_number", Integer),
    Column("bucket_id", Text),
    Column("key", Text),
    Column("etag", Text),
    Column("owner_id", Text),
    Column("version", Text),
    Column("created_at", TIME),
)
