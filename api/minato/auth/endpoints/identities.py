"""/authorize and /user/identities: off to a provider, as nobody or as the account to link to, and one identity less."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from minato.auth.external import client_states
from minato.auth.external.catalogue import find_provider
from minato.auth.messages.notifications import Notification, notify
from minato.auth.providers.provider import Provider, ProviderError, SignedWay
from minato.auth.request.context import RequestContext, Transaction
from minato.auth.request.data import RequestData
from minato.auth.request.response import Response
from minato.auth.rows import flow_states, identities, one_time_tokens, users
from minato.auth.rows.identities import Identity
from minato.auth.rows.users import NOTHING_PENDING, User
from minato.auth.sessions.authentication import require_user
from minato.auth.wire.errors import AuthError, invalid
from minato.auth.wire.redirects import with_query
from minato.auth.wire.validation import validate_pkce

# what this server decides about, whatever the caller adds
RESERVED = frozenset(
    "client_id client_secret redirect_uri response_type state code_challenge code_challenge_method "
    "code_verifier".split()
)
# what could not be passed on under its own name
RENAMED = {"workos_provider": "provider"}


async def authorize(context: RequestContext) -> Response:
    return Response(status=302, headers={"Location": await _authorize_url(context)})


async def authorize_link(context: RequestContext) -> Response:
    async with context.read() as tx:
        who = await require_user(tx)
    if not context.settings.security_manual_linking_enabled:
        raise AuthError(404, "manual_linking_disabled", "Manual linking is disabled")
    url = await _authorize_url(context, who.user)
    if context.query.get("skip_http_redirect") == "true":
        return Response({"url": url})
    return Response(status=302, headers={"Location": url})


async def _authorize_url(context: RequestContext, linking: User | None = None) -> str:
    """Where to send the caller; `linking` is the account that wants one more identity."""
    name, query = context.query.get("provider", ""), context.query
    try:
        provider = await find_provider(context, name, query.get("scopes", ""))
    except ProviderError as error:
        raise invalid(f"Unsupported provider: {error}") from error
    flow_id, pkce = (
        context.backend.entropy.uuid4(),
        (query.get("code_challenge", ""), query.get("code_challenge_method", "")),
    )
    invitation = query.get("invite_token", "")
    values: dict[str, object] = {"referrer": context.redirect_to, "email_optional": provider.email_optional}
    values |= {"invite_token": invitation or None, "linking_target_id": linking.id if linking else None}
    await _require_invited(context, invitation)
    validate_pkce(*pkce)
    signed = await _signed_url(context, provider, provider.oauth1, str(flow_id)) if provider.oauth1 else ""
    code = context.backend.entropy.uuid4() if pkce[0] else None
    async with context.transaction() as tx:
        extra, values["oauth_client_state_id"] = await _challenge_provider(tx, provider)
        await flow_states.begin_external(tx.db, flow_id, provider.name, code, pkce, tx.now, **values)
    return signed or _url(context, provider, str(flow_id), extra)


async def _require_invited(context: RequestContext, invitation: str) -> None:
    if not invitation:
        return
    async with context.read() as tx:
        if await users.find_by_confirmation_token(tx.db, invitation) is None:
            raise AuthError(404, "user_not_found", "User identified by token not found")


async def _challenge_provider(tx: Transaction, provider: Provider) -> tuple[dict[str, str], UUID | None]:
    if not provider.pkce:
        return {}, None
    state_id, verifier = tx.backend.entropy.uuid4(), client_states.new_verifier(tx.backend.entropy)
    await client_states.keep(tx.writer, state_id, provider.name, verifier)
    challenge = {"code_challenge": client_states.challenge_of(verifier), "code_challenge_method": "S256"}
    return challenge, state_id


async def _signed_url(context: RequestContext, provider: Provider, way: SignedWay, state: str) -> str:
    callback = with_query(provider.redirect_uri, {"state": state})
    try:
        token = await way.begin(callback)
    except ProviderError as error:
        context.backend.log.warning("no request token", provider=provider.name, reason=str(error))
        raise AuthError(500, "unexpected_failure", "Unable to retrieve request token") from error
    return with_query(provider.authorize_url, {"oauth_token": token})


def _url(data: RequestData, provider: Provider, state: str, extra: dict[str, str]) -> str:
    passed = {name: value for name, value in data.query.items() if name.lower() not in RESERVED}
    values = {RENAMED.get(name, name): value for name, value in passed.items() if name not in ("provider", "scopes")}
    values |= {"client_id": provider.client_id, "redirect_uri": provider.redirect_uri, "response_type": "code"}
    values |= {"state": state, **extra, **provider.params}
    if provider.scopes:
        values["scope"] = " ".join(dict.fromkeys(provider.scopes))
    return with_query(provider.authorize_url, values)


async def unlink_identity(tx: Transaction) -> Response:
    who = await require_user(tx)
    if not tx.settings.security_manual_linking_enabled:
        raise AuthError(404, "manual_linking_disabled", "Manual linking is disabled")
    wanted = _identity_id(tx)
    if not who.is_for(tx):
        raise AuthError(403, "unexpected_audience", "Token audience doesn't match request audience")
    # One at a time: of two identities that leave at once, the second would be the last.
    account = await users.lock(tx.db, who.user)
    owned = await identities.of_user(tx.db, account.id)
    if len(owned) <= 1:
        message = "User must have at least 1 identity after unlinking"
        raise AuthError(422, "single_identity_not_deletable", message)
    leaving = next((one for one in owned if one.id == wanted), None)
    if leaving is None:
        raise AuthError(422, "identity_not_found", "Identity doesn't exist")
    traits = {"identity_id": str(wanted), "provider": leaving.provider, "provider_id": leaving.provider_id}
    await tx.record(who.user, "identity_unlinked", **traits)
    await identities.remove(tx.db, wanted)
    user = await _readdress(tx, account, leaving, [row for row in owned if row is not leaving])
    await identities.recompute_providers(tx.db, user, tx.now)
    # To the address it had: the present one may be another.
    await notify(tx, user, Notification("identity_unlinked", provider=leaving.provider), to=who.user.email)
    return Response({})


def _identity_id(tx: Transaction) -> UUID:
    try:
        return UUID(tx.path_params["id"])
    except ValueError as error:
        raise invalid("identity_id must be an UUID", 404) from error


async def _readdress(tx: Transaction, user: User, leaving: Identity, staying: Sequence[Identity]) -> User:
    """The account's number goes with its identity; its address becomes one of an identity that stays."""
    if leaving.provider == "phone":
        return await users.change(tx.db, user, tx.now, phone=None, phone_confirmed_at=None)
    if any((one.email or "") == (user.email or "") for one in staying):
        return user
    chosen = await _best_identity(tx, user, staying)
    one_time_tokens.forget(tx.db, user.id)
    values: dict[str, object] = {"email": chosen.email or None, "email_confirmed_at": None}
    if chosen.email and (_is_verified(chosen) or tx.settings.mailer_autoconfirm):
        values["email_confirmed_at"] = user.email_confirmed_at or tx.now
    else:
        values["raw_user_meta_data"] = {**user.user_metadata, "email_verified": False}
    return await users.change(tx.db, user, tx.now, **values, **NOTHING_PENDING)


async def _best_identity(tx: Transaction, user: User, staying: Sequence[Identity]) -> Identity:
    """The first whose address is nobody else's: verified ones come first, those without an address last."""
    for one in sorted(staying, key=lambda one: 2 if not one.email else int(not _is_verified(one))):
        if not one.email or not await users.find_duplicate(tx.db, one.email, beside=user.id):
            return one
    message = "Unable to unlink identity due to email conflict"
    raise AuthError(422, "email_conflict_identity_not_deletable", message)


def _is_verified(identity: Identity) -> bool:
    return (identity.identity_data or {}).get("email_verified") is True
