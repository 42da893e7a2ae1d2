"""The web3 grant: a message that a wallet signed for this app a moment ago, for a session."""

from __future__ import annotations

import asyncio
import base64
import binascii
from dataclasses import dataclass
from datetime import timedelta

from minato.auth.external.accounts import WALLETS, announce_profile, sign_in_profile
from minato.auth.providers.provider import Profile, make_profile
from minato.auth.request.context import RequestContext
from minato.auth.request.data import RequestData
from minato.auth.request.response import Response
from minato.auth.sessions.sign_in import answer_session
from minato.auth.web3.signed_message import (
    ETHEREUM,
    SOLANA,
    Chain,
    MessageError,
    SignInMessage,
    is_signed_by_ethereum,
    is_signed_by_solana,
    parse_message,
)
from minato.auth.wire.errors import AuthError, OAuthError, invalid
from minato.auth.wire.redirects import is_allowed

CHAINS = {chain.name: chain for chain in (SOLANA, ETHEREUM)}


@dataclass
class Web3GrantParams:
    message: str = ""
    signature: str = ""
    chain: str = ""


async def grant_web3(context: RequestContext) -> Response:
    if not any(_is_enabled(context, chain) for chain in CHAINS.values()):
        raise _disabled("")
    params = context.params(Web3GrantParams)
    chain = CHAINS.get(params.chain)
    if chain is None:
        raise AuthError(400, "web3_unsupported_chain", "Unsupported chain")
    if not _is_enabled(context, chain):
        raise _disabled(f"{chain.title} ")
    message = await _signed_message(params, chain)
    _require_for_this_app(context, message)
    _require_recent(context, message)
    profile = _profile(message)
    new = await announce_profile(context, profile, WALLETS)
    claims = profile.claims["custom_claims"]
    traits = {name: claims[name] for name in ("chain", "network", "address", "domain")}
    traits["uri"] = message.uri.geturl() if message.uri else ""
    async with context.transaction() as tx:
        user = await sign_in_profile(tx, profile, WALLETS, new, email_optional=True)
        await tx.record(user, "login", provider=WALLETS, **traits)
        return await answer_session(tx, user, "web3")


def _is_enabled(data: RequestData, chain: Chain) -> bool:
    settings = data.settings
    return settings.external_web3_solana_enabled if chain is SOLANA else settings.external_web3_ethereum_enabled


async def _signed_message(params: Web3GrantParams, chain: Chain) -> SignInMessage:
    """The message, signed by the wallet it names."""
    size = len(params.message.encode())
    if size < 64:
        raise invalid("message is too short")
    if size > 20 * 1024:
        raise invalid("message must not exceed 20KB")
    signature = _solana_signature(params.signature) if chain is SOLANA else b""
    if chain is ETHEREUM and len(params.signature.removeprefix("0x").encode()) != 130:
        raise invalid("signature must be 65 bytes long, encoded as a 130 character-long hexadecimal string")
    try:
        message = parse_message(params.message, chain)
    except MessageError as error:
        raise invalid(str(error)) from error
    if chain is SOLANA:
        signed = is_signed_by_solana(message.raw, message.domain, message.address, signature)
    else:
        # 13 ms of arithmetic
        signed = await asyncio.to_thread(is_signed_by_ethereum, message.raw, message.address, params.signature)
    if not signed:
        raise _refused("Signature does not match address in message")
    return message


def _solana_signature(text: str) -> bytes:
    if len(text.encode()) not in (86, 88):
        raise invalid("signature must be 64 bytes encoded as base64 with or without padding")
    try:
        plain = text.rstrip("=").replace("-", "+").replace("_", "/")
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except (binascii.Error, ValueError) as error:
        raise invalid("signature does not contain valid base64 characters") from error


def _require_for_this_app(data: RequestData, message: SignInMessage) -> None:
    """What was signed for another site is worth nothing here."""
    signed, uri = f"Signed {message.chain.title} message", message.uri
    assert uri is not None, "a parsed message has a URI"
    local = uri.hostname == "localhost"
    if uri.scheme != "https" and not local:
        raise _refused(f"{signed} is using URI which does not use HTTPS")
    allowed = (data.site_url, data.settings.allowed_redirects)
    if not is_allowed(uri.geturl(), *allowed):
        reason = "is using URI which is not allowed on this server, message was signed for another app"
        raise _refused(f"{signed} {reason}")
    if not local and (uri.netloc != message.domain or not is_allowed(f"https://{message.domain}/", *allowed)):
        reason = "is using a Domain that does not match the one in URI which is not allowed on this server"
        raise _refused(f"{signed} {reason}")


def _require_recent(data: RequestData, message: SignInMessage) -> None:
    title, now = message.chain.title, data.now
    issued, begins = message.times["Issued At"], message.times.get("Not Before")
    expires = message.times.get("Expiration Time")
    if begins is not None and now < begins:
        raise _refused(f"Signed {title} message becomes valid in the future")
    # GoTrue looks at an Ethereum message's expiry only beside a beginning.
    if expires is not None and now > expires and (begins is not None or message.chain is SOLANA):
        raise _refused(f"Signed {title} message is expired")
    settings = data.settings
    solana, ethereum = (
        settings.external_web3_solana_maximum_validity_duration,
        settings.external_web3_ethereum_maximum_validity_duration,
    )
    validity = timedelta(seconds=solana if message.chain is SOLANA else ethereum)
    if now > issued + validity:
        raise _refused(f"{title} message was issued too long ago")
    if now < issued - validity:
        raise _refused(f"{title} message was issued too far in the future")


def _profile(message: SignInMessage) -> Profile:
    claims = {
        "address": message.address,
        "chain": message.chain.name,
        "network": message.network,
        "domain": message.domain,
        "statement": message.statement or ("" if message.chain is SOLANA else None),
    }
    subject = f"{WALLETS}:{message.chain.name}:{message.address}"
    return make_profile([], {"sub": subject, "custom_claims": claims})


def _disabled(chain: str) -> AuthError:
    return AuthError(422, "web3_provider_disabled", f"{chain}Web3 provider is disabled")


def _refused(description: str) -> OAuthError:
    return OAuthError("invalid_grant", description)
