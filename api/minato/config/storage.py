"""Settings of the storage room: where files live and how large they may be."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

from pydantic import AliasChoices, Field, SecretStr, field_validator
from pydantic_settings import SettingsConfigDict

from minato.config.base import RoomSettings

# Of object stores, by the names that obstore knows them by.
STORES = ("s3", "s3a", "gs", "az", "adl", "azure", "abfs", "abfss", "http", "https", "memory")
OPTIONS = frozenset({"endpoint", "region"})


class S3ProtocolSettings(RoomSettings):
    """`S3_PROTOCOL_*`; without a key pair one is derived from the JWT secret (`minato keys` prints it)."""

    s3_protocol_enabled: bool = Field(
        True, validation_alias="S3_PROTOCOL_ENABLED", description="Whether /storage/v1/s3 speaks S3."
    )
    s3_protocol_prefix: str = Field(
        "/storage/v1", validation_alias="S3_PROTOCOL_PREFIX", description="What clients see, and sign, in front of /s3."
    )
    s3_protocol_access_key_id: str | None = Field(
        None, validation_alias="S3_PROTOCOL_ACCESS_KEY_ID", description="Overrides the derived S3 access key."
    )
    s3_protocol_access_key_secret: SecretStr | None = Field(
        None, validation_alias="S3_PROTOCOL_ACCESS_KEY_SECRET", description="Overrides the derived S3 secret key."
    )
    s3_protocol_enforce_region: bool = Field(
        False,
        validation_alias="S3_PROTOCOL_ENFORCE_REGION",
        description="Take signatures for STORAGE_S3_REGION alone, not for auto and us-east-1 too.",
    )
    s3_region: str = Field("local", validation_alias="STORAGE_S3_REGION", description="The region S3 clients name.")
    tenant_id: str = Field(
        "stub",
        validation_alias=AliasChoices("TENANT_ID", "PROJECT_REF"),
        description="The access key of S3 clients that bring a user's token; their secret is the anon key.",
    )

    def s3_key_pair(self, access_key: str, secret: str) -> tuple[str, str]:
        """Access key and secret as set; where they are not, those given."""
        given = self.s3_protocol_access_key_secret
        return self.s3_protocol_access_key_id or access_key, given.get_secret_value() if given else secret


class VectorSettings(RoomSettings):
    """`VECTOR_*`: buckets of vectors, which lie in the database."""

    vector_enabled: bool = Field(
        False,
        validation_alias="VECTOR_ENABLED",
        description="Whether /storage/v1/vector keeps vectors; the database needs the extension pgvector.",
    )
    vector_max_buckets: int = Field(
        10, ge=0, validation_alias="VECTOR_MAX_BUCKETS", description="Most buckets of vectors."
    )
    vector_max_indexes: int = Field(
        20, ge=0, validation_alias="VECTOR_MAX_INDEXES", description="Most indexes of one bucket of vectors."
    )


class StorageSettings(S3ProtocolSettings, VectorSettings):
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
    body_memory: int = Field(
        1024 * 1024 * 1024,
        ge=64 * 1024 * 1024,
        description="Most bytes of bodies in memory at once, of an upload at most ten MiB; one caller has half.",
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

    @field_validator("url")
    @classmethod
    def _is_a_place(cls, given: str | None) -> str | None:
        address, _, query = (given or "file:///").partition("?")
        scheme, separator, place = address.partition("://")
        if not separator or scheme not in ("file", *STORES):
            raise ValueError("must begin with file://, s3://, gs://, az:// or another store's scheme")
        if not place and scheme != "memory":
            raise ValueError("names no folder or bucket")
        options = dict(parse_qsl(query, strict_parsing=True)) if query and scheme != "file" else {}
        if unknown := options.keys() - OPTIONS:
            raise ValueError(f"unknown option {', '.join(sorted(unknown))}")
        if "endpoint" in options and not _is_server(options["endpoint"]):
            raise ValueError("endpoint must be http://… or https://…")
        return given


def _is_server(address: str) -> bool:
    parts = urlsplit(address)
    return parts.scheme in ("http", "https") and parts.hostname is not None
