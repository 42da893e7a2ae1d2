"""Settings of hooks: functions of the database, or services on the web, that have a say in what the auth room does."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, model_validator

from minato.config.base import RoomSettings, Seconds

_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]{0,62}")
_SECRET = re.compile(r"v1,whsec_[A-Za-z0-9+/=]{32,88}")
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1", "host.docker.internal"})
HOOKS = (
    "custom_access_token",
    "send_email",
    "send_sms",
    "mfa_verification_attempt",
    "password_verification_attempt",
    "before_user_created",
    "after_user_created",
)


@dataclass(frozen=True)
class HookPoint:
    """Where a hook lives. `secrets` are `v1,whsec_<base64>`; a web hook is signed with each of them."""

    uri: str
    secrets: tuple[str, ...] = field(repr=False)

    @property
    def function(self) -> tuple[str, str] | None:
        """Schema and name of a database function; None for a hook on the web."""
        url = urlsplit(self.uri)
        if url.scheme.lower() != "pg-functions":
            return None
        _, schema, name, *_ = [*url.path.split("/"), "", ""]
        return schema, name


def _switch(what: str) -> Any:
    return Field(False, description=f"Call the {what} hook.")


def _address(what: str) -> Any:
    return Field("", description=f"{what}: pg-functions://postgres/<schema>/<function>, https, or http on loopback.")


def _secrets(what: str) -> Any:
    return Field(SecretStr(""), description=f"Secrets that sign {what}: v1,whsec_<base64>, separated by |.")


class HookSettings(RoomSettings):
    """`GOTRUE_HOOK_*`."""

    hook_custom_access_token_enabled: bool = _switch("custom_access_token")
    hook_custom_access_token_uri: str = _address("Changes the claims of access tokens")
    hook_custom_access_token_secrets: SecretStr = _secrets("it")
    hook_send_email_enabled: bool = _switch("send_email")
    hook_send_email_uri: str = _address("Sends mail in place of SMTP")
    hook_send_email_secrets: SecretStr = _secrets("it")
    hook_send_sms_enabled: bool = _switch("send_sms")
    hook_send_sms_uri: str = _address("Sends text messages in place of a provider")
    hook_send_sms_secrets: SecretStr = _secrets("it")
    hook_mfa_verification_attempt_enabled: bool = _switch("mfa_verification_attempt")
    hook_mfa_verification_attempt_uri: str = _address("Judges attempts at second factors")
    hook_mfa_verification_attempt_secrets: SecretStr = _secrets("it")
    hook_password_verification_attempt_enabled: bool = _switch("password_verification_attempt")
    hook_password_verification_attempt_uri: str = _address("Judges attempts at passwords")
    hook_password_verification_attempt_secrets: SecretStr = _secrets("it")
    hook_before_user_created_enabled: bool = _switch("before_user_created")
    hook_before_user_created_uri: str = _address("Refuses accounts before they are opened")
    hook_before_user_created_secrets: SecretStr = _secrets("it")
    hook_after_user_created_enabled: bool = _switch("after_user_created")
    hook_after_user_created_uri: str = _address("Hears of accounts once they are opened")
    hook_after_user_created_secrets: SecretStr = _secrets("it")
    hook_http_timeout: Seconds = Field(5.0, gt=0, description="Seconds a hook on the web has for all its tries.")
    hook_http_backoff: Seconds = Field(2.0, ge=0, description="Seconds between two tries to reach a hook on the web.")

    def hook(self, name: str) -> HookPoint | None:
        """Where the hook `name` lives; None while it is off."""
        if not getattr(self, f"hook_{name}_enabled"):
            return None
        secrets = getattr(self, f"hook_{name}_secrets").get_secret_value()
        return HookPoint(getattr(self, f"hook_{name}_uri"), tuple(part for part in secrets.split("|") if part))

    @model_validator(mode="after")
    def _hooks_are_sound(self) -> HookSettings:
        for name in HOOKS:
            point = self.hook(name)
            if point is not None and (reason := _flaw(point)) is not None:
                raise ValueError(f"GOTRUE_HOOK_{name.upper()}: {reason}")
        return self


def _flaw(point: HookPoint) -> str | None:
    if point.function is not None:
        wrong = [part for part in point.function if not _NAME.fullmatch(part)]
        return f"{wrong[0]!r} is no name of a schema or function" if wrong else None
    url = urlsplit(point.uri)
    if url.scheme == "http" and url.hostname not in _LOOPBACK:
        return "only localhost, 127.0.0.1, and ::1 are supported with http"
    if url.scheme not in ("http", "https"):
        return "only postgres hooks and HTTPS functions are supported"
    return None if all(_SECRET.fullmatch(secret) for secret in point.secrets) else "invalid secret format"
