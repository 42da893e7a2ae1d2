"""A user with the ways to sign in and the factors, as a value and as GoTrue's JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from api.auth.wire import render_time, sorted_map, without_empty

OPTIONAL_TIMES = (
    "email_confirmed_at",
    "invited_at",
    "phone_confirmed_at",
    "confirmation_sent_at",
    "confirmed_at",
    "recovery_sent_at",
    "email_change_sent_at",
    "phone_change_sent_at",
    "reauthentication_sent_at",
    "last_sign_in_at",
    "banned_until",
    "deleted_at",
)
OMITTED = (*OPTIONAL_TIMES, "new_email", "new_phone", "factors")


@dataclass(frozen=True)
class Identity:
    """One way to sign in."""

    id: UUID
    user_id: UUID
    provider: str
    provider_id: str
    identity_data: dict[str, Any]
    created_at: datetime
    updated_at: datetime
    last_sign_in_at: datetime | None = None
    email: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The fields in GoTrue's order."""
        document = {
            "identity_id": str(self.id),
            "id": self.provider_id,
            "user_id": str(self.user_id),
            "identity_data": sorted_map(self.identity_data),
            "provider": self.provider,
            "last_sign_in_at": _time(self.last_sign_in_at),
            "created_at": _time(self.created_at),
            "updated_at": _time(self.updated_at),
            "email": self.email,
        }
        return without_empty(document, "identity_data", "last_sign_in_at", "email")


@dataclass(frozen=True)
class Factor:
    """A second factor, without its secret."""

    id: UUID
    friendly_name: str | None
    factor_type: str
    status: str
    phone: str | None
    created_at: datetime
    updated_at: datetime
    last_challenged_at: datetime | None

    def as_json(self) -> dict[str, Any]:
        """The fields in GoTrue's order."""
        document = {
            "id": str(self.id),
            "created_at": _time(self.created_at),
            "updated_at": _time(self.updated_at),
            "status": self.status,
            "friendly_name": self.friendly_name,
            "factor_type": self.factor_type,
            "phone": self.phone or "",
            "last_challenged_at": _time(self.last_challenged_at),
        }
        return without_empty(document, "friendly_name")


@dataclass(frozen=True)
class User:
    """A row of auth.users with its relations. `identities` is None where they were not loaded (the admin's list)."""

    id: UUID
    aud: str
    role: str
    email: str | None
    phone: str | None
    encrypted_password: str | None
    app_metadata: dict[str, Any]
    user_metadata: dict[str, Any]
    created_at: datetime
    updated_at: datetime
    times: dict[str, datetime | None]
    confirmation_token: str = ""
    recovery_token: str = ""
    email_change: str = ""
    email_change_token_new: str = ""
    email_change_token_current: str = ""
    email_change_confirm_status: int = 0
    phone_change: str = ""
    reauthentication_token: str = ""
    is_anonymous: bool = False
    is_sso_user: bool = False
    identities: list[Identity] | None = field(default_factory=list)
    factors: list[Factor] = field(default_factory=list)

    @property
    def email_confirmed(self) -> bool:
        return self.times["email_confirmed_at"] is not None

    @property
    def phone_confirmed(self) -> bool:
        return self.times["phone_confirmed_at"] is not None

    @property
    def confirmed(self) -> bool:
        return self.email_confirmed or self.phone_confirmed

    def is_banned(self, now: datetime) -> bool:
        """Whether the user may not be used at `now`."""
        until = self.times["banned_until"]
        return until is not None and until > now

    def as_json(self) -> dict[str, Any]:
        """The fields in GoTrue's order; what is empty and optional is left out."""
        shown = {name: _time(moment) for name, moment in self.times.items()}
        document = {
            "id": str(self.id),
            "aud": self.aud,
            "role": self.role,
            "email": self.email or "",
            **_pick(shown, "email_confirmed_at", "invited_at"),
            "phone": self.phone or "",
            **_pick(shown, "phone_confirmed_at", "confirmation_sent_at", "confirmed_at", "recovery_sent_at"),
            "new_email": self.email_change,
            **_pick(shown, "email_change_sent_at"),
            "new_phone": self.phone_change,
            **_pick(shown, "phone_change_sent_at", "reauthentication_sent_at", "last_sign_in_at"),
            "app_metadata": sorted_map(self.app_metadata),
            "user_metadata": sorted_map(self.user_metadata),
            "factors": [factor.as_json() for factor in self.factors],
            "identities": None if self.identities is None else [identity.as_json() for identity in self.identities],
            "created_at": _time(self.created_at),
            "updated_at": _time(self.updated_at),
            **_pick(shown, "banned_until", "deleted_at"),
            "is_anonymous": self.is_anonymous,
        }
        return without_empty(document, *OMITTED)


def _pick(shown: dict[str, str | None], *names: str) -> dict[str, str | None]:
    return {name: shown.get(name) for name in names}


def _time(moment: datetime | None) -> str | None:
    return render_time(moment) if moment is not None else None
