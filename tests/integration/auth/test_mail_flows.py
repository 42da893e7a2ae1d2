"""What begins with a mail: recovery, magic links, PKCE, a change of address, and the official Python client."""

from __future__ import annotations

import base64
import hashlib
from urllib.parse import parse_qs, urlsplit

from supabase import create_async_client

from tests.integration.auth.test_journey import NEW, PASSWORD, bearer, sign_in, sign_up
from tests.support.server import Minato


async def test_recovery_says_nothing_about_strangers_and_lets_the_owner_in(minato: Minato) -> None:
    async with minato.client() as client:
        stranger = await client.post("/auth/v1/recover", json={"email": "nobody@example.com"})
        assert (stranger.status_code, stranger.text) == (200, "{}")
        assert minato.backend.outbox.find("nobody@example.com") == []
        session = await sign_in(minato, client)
        email = session["user"]["email"]
        assert (await client.post("/auth/v1/recover", json={"email": email})).text == "{}"
        mail = minato.backend.outbox.find(email, "recovery")[0].email
        code = {"type": "recovery", "email": email, "token": mail.token}
        recovered = (await client.post("/auth/v1/verify", json=code)).json()
        change = {"password": "another horse"}
        same = await client.put("/auth/v1/user", json={"password": PASSWORD}, headers={**bearer(recovered), **NEW})
        assert (same.status_code, same.json()["code"]) == (422, "same_password")
        assert (await client.put("/auth/v1/user", json=change, headers=bearer(recovered))).status_code == 200
        other = await client.get("/auth/v1/user", headers={**bearer(session), **NEW})
        assert other.json()["code"] == "session_not_found"


async def test_a_pkce_link_gives_a_code_for_the_right_verifier_once(minato: Minato) -> None:
    verifier = "v" * 50
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    async with minato.client() as client:
        email = (await sign_in(minato, client))["user"]["email"]
        body = {"email": email, "code_challenge": challenge, "code_challenge_method": "s256"}
        assert (await client.post("/auth/v1/otp", json=body)).text == "{}"
        mail = minato.backend.outbox.find(email, "magiclink")[0].email
        assert mail.token_hash is not None
        assert mail.token_hash.startswith("pkce_")
        location = (await client.get(mail.link or "")).headers["location"]
        code = parse_qs(urlsplit(location).query)["code"][0]
        exchange = "/auth/v1/token?grant_type=pkce"
        wrong = await client.post(exchange, json={"auth_code": code, "code_verifier": "w"}, headers=NEW)
        assert wrong.json()["code"] == "bad_code_verifier"
        right = {"auth_code": code, "code_verifier": verifier}
        assert (await client.post(exchange, json=right)).status_code == 200
        assert (await client.post(exchange, json=right)).status_code == 404


async def test_a_change_of_address_needs_both_mailboxes(minato: Minato) -> None:
    async with minato.client() as client:
        session = await sign_in(minato, client)
        old, new = session["user"]["email"], f"{minato.backend.entropy.base32(10)}@example.com"
        pending = (await client.put("/auth/v1/user", json={"email": new}, headers=bearer(session))).json()
        assert (pending["email"], pending["new_email"]) == (old, new)
        for position, address in enumerate((new, old)):
            mail = minato.backend.outbox.find(address, "email_change")[0].email
            link = {"type": "email_change", "token_hash": mail.token_hash}
            answer = (await client.post("/auth/v1/verify", json=link)).json()
            assert answer.get("code") == ("200" if position == 0 else None)
        assert answer["user"]["email"] == new
        assert answer["user"]["identities"][0]["identity_data"]["email"] == new


async def test_a_second_signup_looks_like_the_first(minato: Minato) -> None:
    async with minato.client() as client:
        email = (await sign_in(minato, client))["user"]["email"]
        body = {"email": email, "password": PASSWORD}
        again = (await client.post("/auth/v1/signup", json=body)).json()
        assert (again["identities"], again["role"], again["email"]) == ([], "", email)
        assert len(minato.backend.outbox.find(email)) == 1


async def test_the_official_client_signs_in_refreshes_and_signs_out(minato: Minato) -> None:
    async with minato.client() as client:
        email, mail = await sign_up(minato, client)
    supabase = await create_async_client(minato.url, minato.anon_key)
    verified = await supabase.auth.verify_otp({"type": "email", "token_hash": mail.token_hash or ""})
    assert verified.session is not None
    signed_in = await supabase.auth.sign_in_with_password({"email": email, "password": PASSWORD})
    assert signed_in.user is not None
    refreshed = await supabase.auth.refresh_session()
    assert refreshed.session is not None
    updated = await supabase.auth.update_user({"data": {"city": "Kobe"}})
    assert updated.user.user_metadata["city"] == "Kobe"
    await supabase.auth.sign_out()
    assert await supabase.auth.get_session() is None
    await supabase.auth.close()
