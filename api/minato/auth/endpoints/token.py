"""POST /token: the grant named in the query gives a session."""

from __future__ import annotations

from minato.auth.call import Answer, Call
from minato.auth.errors import AuthError
from minato.auth.grants.id_token import grant_id_token
from minato.auth.grants.password import grant_password
from minato.auth.grants.pkce import grant_pkce
from minato.auth.grants.refresh_token import grant_refresh_token
from minato.auth.grants.web3 import grant_web3

GRANTS = {
    "password": grant_password,
    "refresh_token": grant_refresh_token,
    "pkce": grant_pkce,
    "id_token": grant_id_token,
    "web3": grant_web3,
}


async def token(call: Call) -> Answer:
    name = call.query.get("grant_type", "")
    if name not in GRANTS:
        raise AuthError(400, "invalid_credentials", "unsupported_grant_type")
    return await GRANTS[name](call)
