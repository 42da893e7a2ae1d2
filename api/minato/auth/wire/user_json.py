"""Accounts, identities and factors as clients see them: fields in GoTrue's order, empty ones left out."""

from __future__ import annotations

from collections.abc import Iterable

from minato.auth.rows.factors import Factor
from minato.auth.rows.identities import Identity
from minato.auth.rows.users import User
from minato.auth.wire.json_format import render_time, sorted_map


def user_json(user: User, identities: Iterable[Identity] | None, factors: Iterable[Factor] = ()) -> dict[str, object]:
    """The User object. Without loaded identities (the admin list) they are null."""
    known = {
        "id": str(user.id),
        "aud": user.aud or "",
        "role": user.role or "",
        "email": user.email or "",
        "email_confirmed_at": render_time(user.email_confirmed_at),
        "invited_at": render_time(user.invited_at),
        "phone": user.phone or "",
        "phone_confirmed_at": render_time(user.phone_confirmed_at),
        "confirmation_sent_at": render_time(user.confirmation_sent_at),
        "confirmed_at": render_time(user.confirmed_at),
        "recovery_sent_at": render_time(user.recovery_sent_at),
        "new_email": user.email_change or None,
        "email_change_sent_at": render_time(user.email_change_sent_at),
        "new_phone": user.phone_change or None,
        "phone_change_sent_at": render_time(user.phone_change_sent_at),
        "reauthentication_sent_at": render_time(user.reauthentication_sent_at),
        "last_sign_in_at": render_time(user.last_sign_in_at),
        "app_metadata": sorted_map(user.app_metadata),
        "user_metadata": sorted_map(user.user_metadata),
        # GoTrue leaves an empty list out; the marketplace's clients find the key in every answer
        "factors": [factor_json(factor) for factor in factors],
        "identities": [],
        "created_at": render_time(user.created_at),
        "updated_at": render_time(user.updated_at),
        "banned_until": render_time(user.banned_until),
        "deleted_at": render_time(user.deleted_at),
        "is_anonymous": user.is_anonymous,
    }
    shown = {name: value for name, value in known.items() if value is not None}
    shown["identities"] = None if identities is None else [identity_json(identity) for identity in identities]
    return shown


def identity_json(identity: Identity) -> dict[str, object]:
    """The Identity object; `id` is the provider's, `identity_id` the row's."""
    shown = {
        "identity_id": str(identity.id),
        "id": identity.provider_id,
        "user_id": str(identity.user_id),
        "identity_data": sorted_map(identity.identity_data) or None,
        "provider": identity.provider,
        "last_sign_in_at": render_time(identity.last_sign_in_at),
        "created_at": render_time(identity.created_at),
        "updated_at": render_time(identity.updated_at),
        "email": identity.email or None,
    }
    return {name: value for name, value in shown.items() if value is not None}


def factor_json(factor: Factor) -> dict[str, object]:
    """The Factor object."""
    shown: dict[str, object] = {
        "id": str(factor.id),
        "created_at": render_time(factor.created_at),
        "updated_at": render_time(factor.updated_at),
        "status": factor.status,
        **({"friendly_name": factor.friendly_name} if factor.friendly_name else {}),
        "factor_type": factor.factor_type,
        "phone": factor.phone or "",
        "last_challenged_at": render_time(factor.last_challenged_at),
    }
    if factor.web_authn_aaguid:
        shown["web_authn_aaguid"] = str(factor.web_authn_aaguid)
    if factor.last_webauthn_challenge_data:
        shown["last_webauthn_challenge_data"] = factor.last_webauthn_challenge_data
    return shown
