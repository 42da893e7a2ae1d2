"""POST /token: the grant named in the query gives a session."""

from __future__ import annotations

from collections.abc import Mapping

from minato.auth.grants.id_token import grant_id_token
from minato.auth.grants.password import grant_password
from minato.auth.grants.pkce import grant_pkce
from minato.auth.grants.refresh_token import grant_refresh_token
from minato.auth.grants.web3 import grant_web3
from minato.auth.request.context import RequestContext, in_transaction
from minato.auth.request.response import Endpoint, Response
from minato.auth.wire.errors import AuthError

GRANTS: Mapping[str, Endpoint] = {
    "password": grant_password,
    "refresh_token": in_transaction(grant_refresh_token),
    "pkce": in_transaction(grant_pkce),
    "id_token": grant_id_token,
    "web3": grant_web3,
}


async def token(context: RequestContext) -> Response:
    name = context.query.get("grant_type", "")
    if name not in GRANTS:
        raise AuthError(400, "invalid_credentials", "unsupported_grant_type")
    return await GRANTS[name](context)
