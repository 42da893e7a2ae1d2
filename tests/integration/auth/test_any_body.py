"""Whatever JSON a client sends to whatever endpoint, it gets an answer in words and never a server error."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
import re
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from minato.auth import endpoints, grants
from minato.auth.routes import ROUTES
from minato.config.auth import AuthSettings

from tests.integration.auth.test_factors import FACTORS
from tests.integration.auth.test_journey import NEW, bearer
from tests.support import server
from tests.support.examples import of_hundred
from tests.support.postgres import Cluster
from tests.support.server import Minato

# The reference itself answers these with 500, in these words.
WORDED = (
    "Error creating user",
    "Error generating QR Code",
    "Failed to validate WebAuthn MFA response",
    "Unable to get SMS provider",
    "Database error creating new user",
)
TAKE_BODIES = [(row.method, row.path) for row in ROUTES if row.method != "GET"]
NAME_SOMETHING = [(row.method, row.path) for row in ROUTES if "{" in row.path]


def names_of_fields() -> list[str]:
    """Every field that some endpoint reads."""
    found = set()
    for package in (endpoints, grants):
        for entry in pkgutil.iter_modules(package.__path__):
            module = importlib.import_module(f"{package.__name__}.{entry.name}")
            kinds = [
                kind for kind in vars(module).values() if isinstance(kind, type) and dataclasses.is_dataclass(kind)
            ]
            found |= {field.name for kind in kinds for field in dataclasses.fields(kind)}
    return sorted(found)


FIELDS = names_of_fields()
FITTING = [
    "anna@example.com", "+4915112345678", "correct horse", "totp", "phone", "webauthn", "signup", "email", "sms",
    "magiclink", "recovery", "email_change", "invite", "123456", "s256", "create", "solana", "ethereum", "google",
    "abcdefghijkl", "00000000-0000-4000-8000-000000000000", "x" * 50, "$2a$10$", "24h", "none", "pkce_x", "local",
]  # fmt: skip
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=12)
    | st.sampled_from(FITTING),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS) | st.text(), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
bodies = st.dictionaries(st.sampled_from(FIELDS), st.sampled_from(FITTING) | anything, max_size=5) | anything
QUERIES = ["", "?grant_type=password", "?grant_type=refresh_token", "?grant_type=pkce", "?grant_type=id_token"]


@dataclasses.dataclass
class Target:
    """A server with everything switched on, an account to speak as and one to be administered."""

    minato: Minato
    session: dict[str, Any]
    victim: str
    factor: str

    def path(self, path: str) -> str:
        """With its placeholders filled by what exists."""
        known = {"{id}": self.victim if "/admin/" in path else self.factor, "{factor}": self.factor}
        for name, value in known.items():
            path = path.replace(name, value)
        return path.replace("{passkey}", str(uuid4())).split("{")[0]


@pytest.fixture(scope="module")
async def target(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Target]:
    switches = [name for name, field in AuthSettings.model_fields.items() if field.annotation is bool]
    chosen = [name for name in switches if name.endswith("_enabled") and "hook" not in name and "captcha" not in name]
    auth = AuthSettings.model_validate({**dict.fromkeys(chosen, True), "mailer_autoconfirm": True})
    serving = server.settings_for(tmp_path_factory.mktemp("any"), auth=auth)
    async with cluster.fresh_database() as address, server.running(address, serving) as minato:
        async with minato.client() as client:
            opened = []
            for _ in range(2):
                body = {"email": f"{uuid4().hex}@example.com", "password": "correct horse"}
                opened.append((await client.post("/auth/v1/signup", json=body)).json())
            enrolled = await client.post(FACTORS, json={"factor_type": "totp"}, headers=bearer(opened[0]))
        yield Target(minato, opened[0], opened[1]["user"]["id"], enrolled.json()["id"])


@pytest.mark.parametrize(("method", "path"), TAKE_BODIES)
@settings(max_examples=of_hundred(12), deadline=None, suppress_health_check=list(HealthCheck), database=None)
@given(body=bodies, query=st.sampled_from(QUERIES))
async def test_any_body_gets_a_status_below_500(target: Target, method: str, path: str, body: Any, query: str) -> None:
    admin = path.startswith(("/admin", "/invite"))
    # A token without a session outlives a sign-out.
    own = target.minato.token(target.session["user"]["id"])
    async with target.minato.client(target.minato.service_role_key if admin else own, **NEW) as client:
        answer = await client.request(method, f"/auth/v1{target.path(path)}{query}", json=body)
    worded = answer.status_code == 501 or answer.json().get("message") in WORDED if answer.status_code >= 500 else True
    assert worded, (method, path, query, body, answer.text)


@pytest.mark.parametrize(("method", "path"), NAME_SOMETHING)
async def test_a_name_in_a_path_that_no_row_can_have_is_refused(target: Target, method: str, path: str) -> None:
    admin = path.startswith("/admin")
    own = target.minato.token(target.session["user"]["id"])
    async with target.minato.client(target.minato.service_role_key if admin else own, **NEW) as client:
        for name in ("%00", "resource_%00", "custom:a%00"):
            answer = await client.request(method, f"/auth/v1{re.sub('{.+?}', name, path)}", json={"action": "deny"})
            assert 400 <= answer.status_code < 500, (name, answer.text)
