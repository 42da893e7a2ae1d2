"""What each provider tells about who signed in: its fields as GoTrue's claims, and the addresses it vouches for.

The facts are those of supabase/auth, internal/api/provider.
"""

from __future__ import annotations

from collections.abc import Mapping

from minato.auth.providers.claims import standard_claims
from minato.auth.providers.provider import Address, ProviderError
from minato.auth.providers.record import Known
from minato.auth.providers.told import at, each, flag, number, text, whole

SNAPCHAT = "https://accounts.snapchat.com/accounts/oauth2/token"
AZURE_ONLY = frozenset(
    "aud iss iat nbf exp c_hash at_hash aio nonce rh uti jti ver sub name preferred_username".split()
)


def _one(email: str, verified: bool) -> list[Address]:
    return [Address(email, verified, True)] if email else []


def _person(subject: str, name: str, avatar: str = "", **more: object) -> dict[str, object]:
    """The claims most have, with those that old clients read."""
    named = {"sub": subject, "name": name, "full_name": name, "picture": avatar, "avatar_url": avatar}
    return named | more


def apple(claims: object, _: object = None) -> Known:
    private = at(claims, "is_private_email")
    custom = {"auth_time": at(claims, "auth_time"), "transfer_sub": text(claims, "transfer_sub") or None}
    # Apple has sent it as text, too.
    custom["is_private_email"] = {"true": True, "false": False}.get(str(private).lower())
    kept = {name: value for name, value in custom.items() if value is not None}
    return _one(text(claims, "email"), True), {"sub": text(claims, "sub"), "custom_claims": kept}


def azure(claims: Mapping[str, object], _: object = None) -> Known:
    # Without the claim the address is taken for verified: only the apps of one tenant are sent others.
    verified = at(claims, "xms_edov") is None or flag(claims, "xms_edov") or text(claims, "xms_edov") in ("1", "true")
    custom = {name: value for name, value in claims.items() if name not in AZURE_ONLY}
    known = {"sub": text(claims, "sub"), "full_name": text(claims, "name"), "custom_claims": custom}
    known["preferred_username"] = text(claims, "preferred_username")
    return _one(text(claims, "email"), verified), known


def bitbucket(user: object, emails: object) -> Known:
    addresses = [
        Address(text(one, "email"), flag(one, "is_confirmed"), flag(one, "is_primary"))
        for one in each(emails, "values")
        if text(one, "email")
    ]
    return addresses, _person(text(user, "uuid"), text(user, "display_name"), text(user, "avatar", "href"))


def discord(user: object, _: object) -> Known:
    name, tag = text(user, "username"), text(user, "discriminator")
    known = _person(text(user, "id"), f"{name}#{tag}", _discord_picture(user), full_name=name)
    known["custom_claims"] = {"global_name": text(user, "global_name")}
    return _one(text(user, "email"), flag(user, "verified")), known


def _discord_picture(user: object) -> str:
    """discord.com/developers/docs/reference#image-formatting."""
    avatar, tag = text(user, "avatar"), text(user, "discriminator")
    if avatar:
        kind = "gif" if avatar.startswith("a_") else "png"
        return f"https://cdn.discordapp.com/avatars/{text(user, 'id')}/{avatar}.{kind}"
    if not tag.isdecimal():
        raise ProviderError("neither a picture nor a discriminator")
    return f"https://cdn.discordapp.com/embed/avatars/{int(tag) % 5}.png"


def facebook(user: object, _: object) -> Known:
    name = f"{text(user, 'first_name')} {text(user, 'last_name')}".strip()
    alias, picture = text(user, "name"), text(user, "picture", "data", "url")
    return _one(text(user, "email"), True), _person(text(user, "id"), name, picture, nickname=alias, slug=alias)


def facebook_token(claims: object) -> Known:
    known = {name: text(claims, name) for name in ("sub", "name", "picture")}
    return _one(text(claims, "email"), True), known


def figma(user: object, _: object) -> Known:
    known = _person(text(user, "id"), text(user, "handle"), text(user, "img_url"), picture="")
    return _one(text(user, "email"), True), known


def fly(user: object, _: object) -> Known:
    known: dict[str, object] = {"sub": text(user, "user_id"), "full_name": text(user, "user_name")}
    custom = {name: at(user, name) for name in ("application", "scope")}
    custom |= {"resource_owner_id": text(user, "resource_owner_id"), "created_at": whole(user, "created_at")}
    given = at(user, "organizations")
    roles = [{"id": text(one, "id"), "role": text(one, "role")} for one in each(given)]
    custom["organizations"] = None if given is None else roles
    return _one(text(user, "email"), True), {**known, "custom_claims": custom}


def generic(claims: Mapping[str, object]) -> Known:
    known = standard_claims(claims)
    return _one(known.get("email", ""), known.get("email_verified", False)), {"provider_id": "", **known}


def github(user: object, emails: object) -> Known:
    login = text(user, "login")
    known = _person(number(user, "id"), text(user, "name"), text(user, "avatar_url"), picture="")
    addresses = [
        Address(text(one, "email"), flag(one, "verified"), flag(one, "primary"))
        for one in each(emails)
        if text(one, "email")
    ]
    return addresses, {**known, "preferred_username": login, "user_name": login}


def gitlab(user: object, emails: object) -> Known:
    # It does not tell whether further addresses are verified.
    addresses = [Address(text(one, "email"), False, False) for one in each(emails) if text(one, "email")]
    addresses += _one(text(user, "email"), bool(at(user, "confirmed_at")))
    return addresses, _person(number(user, "id"), text(user, "name"), text(user, "avatar_url"))


def google(claims: object, _: object = None) -> Known:
    # Userinfo has `id` and `verified_email` where an ID token has `sub` and `email_verified`.
    subject = text(claims, "sub") or text(claims, "id")
    verified = flag(claims, "email_verified") or flag(claims, "verified_email")
    known = _person(subject, text(claims, "name"), text(claims, "picture"))
    known |= {"custom_claims": {"hd": text(claims, "hd")}} if text(claims, "hd") else {}
    return _one(text(claims, "email"), verified), known


def kakao(user: object, _: object) -> Known:
    account = at(user, "kakao_account")
    name, picture = text(account, "profile", "nickname"), text(account, "profile", "profile_image_url")
    known = _person(number(user, "id"), name, picture, picture="", preferred_username=name, user_name=name)
    return _one(text(account, "email"), flag(account, "is_email_valid") and flag(account, "is_email_verified")), known


def kakao_token(claims: object) -> Known:
    name = text(claims, "nickname")
    known = {"sub": text(claims, "sub"), "name": name, "preferred_username": name, "picture": text(claims, "picture")}
    return _one(text(claims, "email"), True), known


def keycloak(user: Mapping[str, object], _: object) -> Known:
    name = text(user, "name")
    custom = {key: value for key, value in user.items() if key not in ("name", "sub", "email", "email_verified")}
    known = {"sub": text(user, "sub"), "name": name, "full_name": name, "custom_claims": custom}
    return _one(text(user, "email"), flag(user, "email_verified")), known


def linkedin(user: object, emails: object) -> Known:
    name = f"{_localized(user, 'firstName')} {_localized(user, 'lastName')}".strip()
    picture = text(user, "profilePicture", "displayImage~", "elements", 0, "identifiers", 0, "identifier")
    email = text(emails, "elements", 0, "handle~", "emailAddress")
    return _one(email, True), _person(text(user, "id"), name, picture)


def _localized(user: object, field: str) -> str:
    locale = at(user, field, "preferredLocale")
    return text(user, field, "localized", f"{text(locale, 'language')}_{text(locale, 'country')}")


def linkedin_oidc(claims: object, _: object = None) -> Known:
    given, family = text(claims, "given_name"), text(claims, "family_name")
    known = {name: text(claims, name) for name in ("sub", "locale", "picture", "given_name", "family_name")}
    # It has sent the flag as text.
    verified = str(at(claims, "email_verified")).lower() in ("true", "1", "t")
    return _one(text(claims, "email"), verified), {**known, "name": f"{given} {family}".strip()}


def notion(user: object, _: object) -> Known:
    owner = at(user, "bot", "owner", "user")
    known = _person(text(owner, "id"), text(owner, "name"), text(owner, "avatar_url"))
    return _one(text(owner, "person", "email"), True), known


def slack(user: object, _: object) -> Known:
    known = _person(text(user, "https://slack.com/user_id"), text(user, "name"), text(user, "picture"))
    known["custom_claims"] = {"https://slack.com/team_id": text(user, "https://slack.com/team_id")}
    return _one(text(user, "email"), True), known


def slack_oidc(user: object, _: object) -> Known:
    return _one(text(user, "email"), flag(user, "email_verified")), slack(user, _)[1]


def snapchat(user: object, _: object) -> Known:
    me = at(user, "data", "me")
    name = text(me, "displayName")
    known = _person(text(me, "externalId"), name, text(me, "bitmoji", "avatar"), slug=name, iss=SNAPCHAT)
    return _one(text(me, "email"), True), known


def snapchat_token(claims: Mapping[str, object]) -> Known:
    addresses, known = generic(claims)
    return [Address(one.email, True, True) for one in addresses], known


def spotify(user: object, _: object) -> Known:
    def size(picture: object) -> int:
        return whole(picture, "height") * whole(picture, "width")

    picture = text(max(each(user, "images"), key=size, default={}), "url")
    # It does not tell whether the address is verified.
    return _one(text(user, "email"), False), _person(text(user, "id"), text(user, "display_name"), picture)


def twitch(users: object, _: object) -> Known:
    user = at(users, "data", 0)
    shown = text(user, "display_name")
    known = _person(text(user, "id"), text(user, "login"), text(user, "profile_image_url"), nickname=shown, slug=shown)
    names = ("broadcaster_type", "description", "type", "offline_image_url")
    known["custom_claims"] = {**{name: text(user, name) for name in names}, "view_count": whole(user, "view_count")}
    return _one(text(user, "email"), True), known


def twitter(user: object, _: object) -> Known:
    name, login = text(user, "name"), text(user, "screen_name")
    known = _person(text(user, "id_str"), name, text(user, "profile_image_url_https"))
    return _one(text(user, "email"), True), {**known, "preferred_username": login, "user_name": login}


def vercel_marketplace(claims: object, _: object = None) -> Known:
    everywhere = text(claims, "global_user_id")
    subject = f"global_user_id:{everywhere}" if everywhere else text(claims, "sub")
    known = {"sub": subject, "name": text(claims, "user_name"), "picture": text(claims, "user_avatar_url")}
    return _one(text(claims, "user_email"), True), known


def workos(profile: object, _: object) -> Known:
    name = f"{text(profile, 'first_name')} {text(profile, 'last_name')}".strip()
    custom = {key: text(profile, key) for key in ("connection_id", "organization_id")}
    return _one(text(profile, "email"), True), _person(text(profile, "id"), name, custom_claims=custom)


def x(user: object, _: object) -> Known:
    told = at(user, "data")
    login = text(told, "username")
    known = _person(text(told, "id"), text(told, "name"), text(told, "profile_image_url"))
    known |= {"preferred_username": login, "user_name": login, "profile": f"https://x.com/{login}"}
    known |= {"website": text(told, "url"), "custom_claims": {"created_at": text(told, "created_at")}}
    # It tells confirmed addresses only.
    return _one(text(told, "confirmed_email"), True), known


def zoom(user: object, _: object) -> Known:
    name = f"{text(user, 'first_name')} {text(user, 'last_name')}".strip()
    # 100 is a login by address, which zoom has confirmed or not.
    verified = text(user, "login_type") != "100" or at(user, "verified") not in (None, 0)
    return _one(text(user, "email"), verified), _person(text(user, "id"), name, text(user, "pic_url"))
