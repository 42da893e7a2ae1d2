"""Settings of the S3 protocol, by the names supabase/storage has for them."""

from __future__ import annotations

from pydantic import AliasChoices, Field, SecretStr

from minato.config.base import RoomSettings


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
