"""Settings of the storage room: where files live and how large they may be."""

from __future__ import annotations

from pydantic import Field
from pydantic_settings import SettingsConfigDict

from minato.config.storage_s3 import S3ProtocolSettings


class StorageSettings(S3ProtocolSettings):
    """`STORAGE_*`; sizes in bytes, times in seconds."""

    model_config = SettingsConfigDict(env_prefix="STORAGE_", extra="ignore", frozen=True, populate_by_name=True)

    url: str | None = Field(
        None,
        description="Where files lie: file:///…, s3://bucket/prefix?endpoint=…&region=…, gs://…, az://…; "
        "default <data_dir>/storage.",
    )
    file_size_limit: int = Field(
        52_428_800, ge=1, validation_alias="UPLOAD_FILE_SIZE_LIMIT", description="Largest object of any bucket."
    )
    signed_upload_url_expiration: int = Field(
        7200,
        ge=1,
        validation_alias="SIGNED_UPLOAD_URL_EXPIRATION_TIME",
        description="How long a signed upload is good.",
    )
    statement_timeout: int = Field(30, ge=1, description="Longest statement of one request.")
    lock_timeout: int = Field(5, ge=1, description="Longest wait for another writer of the same object.")
    empty_bucket_max: int = Field(200_000, ge=1, description="Most objects that emptying a bucket deletes.")
    check_content: bool = Field(
        True, description="In buckets with allowed types, refuse files whose first bytes belie their type."
    )
    check_every_way_in: bool = Field(
        True,
        description="Ask the bucket's types of copies, moves and resumable uploads, and the signer's policies at a "
        "signed upload; false asks as Supabase does.",
    )
    orphan_age: int = Field(3600, ge=0, description="Our own files without a row are deleted at start when older.")
    image_workers: int = Field(2, ge=1, description="Pictures transformed at a time, each in a thread.")
    image_max_bytes: int = Field(25_000_000, ge=1, description="Largest file that is transformed.")
    image_max_pixels: int = Field(50_000_000, ge=1, description="Most pixels of a picture that is transformed.")
    image_timeout: int = Field(30, ge=1, description="Longest wait for a transformed picture.")
    image_cache_bytes: int = Field(67_108_864, ge=0, description="Memory for transformed pictures, 0: none is kept.")
    tus_url_expiry: int = Field(86_400, ge=1, description="How long a resumable upload may take.")
    s_maxage: int = Field(
        0, ge=0, validation_alias="RESPONSE_S_MAXAGE", description="s-maxage of revalidated responses, 0: none."
    )
