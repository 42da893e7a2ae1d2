"""What each provider answers about a person, in its own words: its userinfo, and its list of addresses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from minato.dev.idp.person import Person

Shape = Callable[[Person], object]
NOTHING: Mapping[str, object] = {}


def oidc(one: Person) -> dict[str, object]:
    """OpenID's standard claims."""
    known = {"sub": one.sub, "name": one.name, "given_name": one.given_name, "family_name": one.family_name}
    pictured = {"picture": one.picture} if one.picture else {}
    addressed = {"email": one.email, "email_verified": one.email_verified} if one.email else {}
    return {**known, **pictured, **addressed, **one.claims}


def _bitbucket(one: Person) -> object:
    return {"uuid": one.sub, "display_name": one.name, "avatar": {"href": one.picture}}


def _bitbucket_emails(one: Person) -> object:
    return {"values": [{"email": one.email, "is_primary": True, "is_confirmed": one.email_verified}]}


def _discord(one: Person) -> object:
    known = {"id": one.sub, "username": one.name, "global_name": one.name, "discriminator": "0", "avatar": None}
    return {**known, "email": one.email, "verified": one.email_verified}


def _facebook(one: Person) -> object:
    names = {"first_name": one.given_name, "last_name": one.family_name, "name": one.name}
    return {"id": one.sub, **names, "email": one.email, "picture": {"data": {"url": one.picture}}}


def _figma(one: Person) -> object:
    return {"id": one.sub, "handle": one.name, "email": one.email, "img_url": one.picture}


def _fly(one: Person) -> object:
    known = {"resource_owner_id": one.sub, "user_id": one.sub, "user_name": one.name, "email": one.email}
    return {**known, "organizations": [], "application": None, "scope": ["read"], "created_at": 0}


def _github(one: Person) -> object:
    login = (one.email or one.name).partition("@")[0]
    return {"id": one.number, "login": login, "name": one.name, "avatar_url": one.picture}


def _github_emails(one: Person) -> object:
    return [{"email": one.email, "primary": True, "verified": one.email_verified}] if one.email else []


def _gitlab(one: Person) -> object:
    confirmed = "2026-01-01T00:00:00Z" if one.email_verified else None
    known = {"id": one.number, "name": one.name, "avatar_url": one.picture}
    return {**known, "email": one.email, "confirmed_at": confirmed}


def _kakao(one: Person) -> object:
    profile = {"nickname": one.name, "profile_image_url": one.picture}
    checked = {"email": one.email, "is_email_valid": True, "is_email_verified": one.email_verified}
    return {"id": one.number, "kakao_account": {"profile": profile, **checked}}


def _linkedin(one: Person) -> object:
    def localized(text: str) -> object:
        return {"localized": {"en_US": text}, "preferredLocale": {"country": "US", "language": "en"}}

    picture = {"displayImage~": {"elements": [{"identifiers": [{"identifier": one.picture}]}]}}
    names = {"firstName": localized(one.given_name), "lastName": localized(one.family_name)}
    return {"id": one.sub, **names, "profilePicture": picture}


def _linkedin_emails(one: Person) -> object:
    return {"elements": [{"handle": "urn:li:emailAddress:1", "handle~": {"emailAddress": one.email}}]}


def _notion(one: Person) -> object:
    user = {"id": one.sub, "name": one.name, "avatar_url": one.picture, "person": {"email": one.email}}
    return {"bot": {"owner": {"user": user}}}


def _slack(one: Person) -> object:
    return {**oidc(one), "https://slack.com/user_id": one.sub, "https://slack.com/team_id": "T0"}


def _snapchat(one: Person) -> object:
    known = {"externalId": one.sub, "displayName": one.name, "email": one.email}
    return {"data": {"me": {**known, "bitmoji": {"avatar": one.picture}}}}


def _spotify(one: Person) -> object:
    images = [{"url": one.picture, "height": 300, "width": 300}] if one.picture else []
    return {"id": one.sub, "display_name": one.name, "email": one.email, "images": images}


def _twitch(one: Person) -> object:
    known = {"id": one.sub, "login": one.name, "display_name": one.name, "profile_image_url": one.picture}
    return {"data": [{**known, "email": one.email, "view_count": 0}]}


def _twitter(one: Person) -> object:
    known = {"id_str": one.sub, "screen_name": one.name, "name": one.name}
    return {**known, "profile_image_url_https": one.picture, "email": one.email}


def _vercel(one: Person) -> dict[str, object]:
    known = {"user_email": one.email, "user_name": one.name, "user_avatar_url": one.picture}
    return {**oidc(one), **known}


def _workos(one: Person) -> object:
    known = {"id": one.sub, "first_name": one.given_name, "last_name": one.family_name, "email": one.email}
    return {**known, "connection_id": "conn_0", "organization_id": "org_0"}


def _x(one: Person) -> object:
    known = {"id": one.sub, "name": one.name, "username": one.name, "profile_image_url": one.picture}
    confirmed = {"confirmed_email": one.email} if one.email_verified else {}
    return {"data": {**known, **confirmed, "created_at": "2026-01-01T00:00:00Z"}}


def _zoom(one: Person) -> object:
    known = {"id": one.sub, "first_name": one.given_name, "last_name": one.family_name, "pic_url": one.picture}
    return {**known, "email": one.email, "login_type": "100", "verified": int(one.email_verified)}


# Those that are not here speak OpenID Connect.
USERINFO: Final[Mapping[str, Shape]] = {
    "bitbucket": _bitbucket,
    "discord": _discord,
    "facebook": _facebook,
    "figma": _figma,
    "fly": _fly,
    "github": _github,
    "gitlab": _gitlab,
    "kakao": _kakao,
    "linkedin": _linkedin,
    "notion": _notion,
    "slack": _slack,
    "slack_oidc": _slack,
    "snapchat": _snapchat,
    "spotify": _spotify,
    "twitch": _twitch,
    "twitter": _twitter,
    "workos": _workos,
    "x": _x,
    "zoom": _zoom,
}
EMAILS: Final[Mapping[str, Shape]] = {
    "bitbucket": _bitbucket_emails,
    "github": _github_emails,
    "gitlab": lambda one: [],
    "linkedin": _linkedin_emails,
}
# What stands in the token endpoint's answer itself, and what ID tokens say.
WITH_TOKEN: Final[Mapping[str, Shape]] = {"workos": lambda one: {"profile": _workos(one)}}
ID_TOKEN: Final[Mapping[str, Callable[[Person], dict[str, object]]]] = {"vercel_marketplace": _vercel}


def about(provider: str, one: Person, path: str) -> object:
    """What `provider` answers at `path` about a person."""
    shapes = EMAILS if "email" in path.lower() and provider in EMAILS else USERINFO
    return shapes.get(provider, oidc)(one)
