"""Whose account it is: identities of one verified address meet in one account, claimed addresses open none."""

from __future__ import annotations

from typing import Any

import httpx

from tests.integration.auth.oauth.walk import APP, NEW, PKCE, Harbour, bearer, exchange
from tests.integration.auth.test_journey import PASSWORD, sign_in

LINK = "/auth/v1/user/identities/authorize"


async def linked(harbour: Harbour, client: httpx.AsyncClient, session: dict[str, Any]) -> Any:
    """The way of linkIdentity: where the browser ends."""
    query = {"provider": "google", "redirect_to": APP, "skip_http_redirect": "true"}
    left = await client.get(LINK, params=query, headers=bearer(session))
    assert left.status_code == 200, left.text
    return await harbour.return_from(left.json()["url"])


async def signed_up(harbour: Harbour, client: httpx.AsyncClient, email: str) -> str:
    """An unconfirmed account with a password; its id."""
    answer = await client.post("/auth/v1/signup", json={"email": email, "password": PASSWORD})
    return str(answer.json()["id"])


async def test_a_verified_address_joins_the_account_that_has_it(harbour: Harbour) -> None:
    async with harbour.minato.client() as client:
        session = await sign_in(harbour.minato, client)
        harbour.meet(session["user"]["email"].upper())
        joined = (await exchange(client, (await harbour.sign_in(**PKCE)).query["code"])).json()
        assert joined["user"]["id"] == session["user"]["id"]
        assert joined["user"]["app_metadata"]["providers"] == ["email", "google"]
        credentials = {"email": session["user"]["email"], "password": PASSWORD}
        kept = await client.post("/auth/v1/token?grant_type=password", json=credentials)
        assert kept.status_code == 200


async def test_what_an_unconfirmed_account_had_goes_when_its_owner_comes(harbour: Harbour) -> None:
    async with harbour.minato.client(**NEW) as client:
        email = harbour.meet()
        squatted = await signed_up(harbour, client, email)
        owner = (await exchange(client, (await harbour.sign_in(**PKCE)).query["code"])).json()["user"]
        assert owner["id"] == squatted
        assert owner["app_metadata"]["providers"] == ["google"]
        assert [identity["provider"] for identity in owner["identities"]] == ["google"]
        credentials = {"email": email, "password": PASSWORD}
        squatter = await client.post("/auth/v1/token?grant_type=password", json=credentials)
        assert (squatter.status_code, squatter.json()["code"]) == (400, "invalid_credentials")


async def test_a_claimed_address_opens_no_account_that_exists(harbour: Harbour) -> None:
    async with harbour.minato.client() as client:
        session = await sign_in(harbour.minato, client)
        harbour.meet(session["user"]["email"], verified=False)
        end = await harbour.sign_in("github")
        assert "access_token" not in end.fragment
        assert (end.query["error"], end.query["error_code"]) == ("access_denied", "provider_email_needs_verification")
        assert end.query["error_description"] == (
            "Unverified email with github. Verify the email with github in order to sign in"
        )
        mine = (await client.get("/auth/v1/user", headers=bearer(session))).json()
        assert [identity["provider"] for identity in mine["identities"]] == ["email"]


async def test_a_new_unverified_address_is_mailed_and_then_signs_in(harbour: Harbour) -> None:
    email = harbour.meet(verified=False)
    end = await harbour.sign_in("github")
    assert end.query["error_description"] == (
        "Unverified email with github. A confirmation email has been sent to your github email"
    )
    mail = harbour.minato.backend.outbox.find(email, "signup")[0].email
    async with harbour.minato.client() as client:
        verified = await client.post("/auth/v1/verify", json={"type": "email", "token_hash": mail.token_hash})
        assert verified.status_code == 200
    assert "access_token" in (await harbour.sign_in("github")).fragment


async def test_a_banned_account_stays_out(harbour: Harbour) -> None:
    email = harbour.meet()
    await harbour.sign_in()
    async with harbour.minato.client(harbour.minato.service_role_key) as admin:
        users = (await admin.get("/auth/v1/admin/users", params={"filter": email})).json()["users"]
        await admin.put(f"/auth/v1/admin/users/{users[0]['id']}", json={"ban_duration": "1h"})
    end = await harbour.sign_in()
    assert (end.query["error"], end.query["error_code"]) == ("access_denied", "user_banned")


async def test_an_invitation_is_accepted_with_the_invited_address_only(harbour: Harbour) -> None:
    async with harbour.minato.client(harbour.minato.service_role_key) as admin:
        invited = "invited-by-mail@example.com"
        await admin.post("/auth/v1/invite", json={"email": invited})
        token = harbour.minato.backend.outbox.find(invited, "invite")[0].email.token_hash
        harbour.meet()
        stranger = await harbour.sign_in(invite_token=str(token))
        assert stranger.query["error_description"] == "Invited email does not match emails from external provider"
        harbour.meet(invited)
        guest = await harbour.sign_in(invite_token=str(token))
        claims = harbour.minato.backend.keys.verify(guest.fragment["access_token"])
        assert (claims["email"], claims["app_metadata"]["provider"]) == (invited, "google")


async def test_an_invitation_accepted_meanwhile_is_not_accepted_again(harbour: Harbour) -> None:
    invited = harbour.meet()
    async with harbour.minato.client(harbour.minato.service_role_key) as admin:
        await admin.post("/auth/v1/invite", json={"email": invited})
    token = str(harbour.minato.backend.outbox.find(invited, "invite")[0].email.token_hash)
    async with harbour.minato.client() as client:
        asked = {"provider": "google", "redirect_to": APP, "invite_token": token}
        left = await client.get("/auth/v1/authorize", params=asked)
        accepted = await client.post("/auth/v1/verify", json={"type": "invite", "token_hash": token})
        assert accepted.status_code == 200
    assert (await harbour.return_from(left.headers["location"])).query["error_code"] == "invite_not_found"


async def test_only_users_link_identities(harbour: Harbour) -> None:
    async with httpx.AsyncClient(base_url=harbour.minato.url, headers=NEW) as client:
        nobody = await client.get(LINK, params={"provider": "google"})
        assert (nobody.status_code, nobody.json()["code"]) == (401, "no_authorization")
    async with harbour.minato.client(**NEW) as client:
        anon = await client.get(LINK, params={"provider": "google"})
        assert (anon.status_code, anon.json()["code"]) == (403, "bad_jwt")


async def test_an_account_links_one_more_identity_and_unlinks_it(harbour: Harbour) -> None:
    async with harbour.minato.client(**NEW) as client:
        session = await sign_in(harbour.minato, client)
        harbour.meet()
        assert "access_token" in (await linked(harbour, client, session)).fragment
        twice = await linked(harbour, client, session)
        assert (twice.query["error_code"], twice.query["error_description"]) == (
            "identity_already_exists",
            "Identity is already linked",
        )
        other = await sign_in(harbour.minato, client)
        taken = await linked(harbour, client, other)
        assert taken.query["error_description"] == "Identity is already linked to another user"
        mine = (await client.get("/auth/v1/user", headers=bearer(session))).json()
        assert mine["app_metadata"]["providers"] == ["email", "google"]
        google = next(one for one in mine["identities"] if one["provider"] == "google")
        one = f"/auth/v1/user/identities/{google['identity_id']}"
        assert (await client.delete(one)).status_code == 403
        theirs = await client.delete(one, headers=bearer(other))
        assert (theirs.status_code, theirs.json()["code"]) == (422, "single_identity_not_deletable")
        bad = await client.delete("/auth/v1/user/identities/x", headers=bearer(session))
        assert (bad.status_code, bad.json()["message"]) == (404, "identity_id must be an UUID")
        unknown = await client.delete(f"/auth/v1/user/identities/{mine['id']}", headers=bearer(session))
        assert (unknown.status_code, unknown.json()["code"]) == (422, "identity_not_found")
        gone = await client.delete(one, headers=bearer(session))
        assert (gone.status_code, gone.json()) == (200, {})
        left = (await client.get("/auth/v1/user", headers=bearer(session))).json()
        assert (left["app_metadata"]["providers"], left["email"]) == (["email"], mine["email"])
        last = await client.delete(
            f"/auth/v1/user/identities/{left['identities'][0]['identity_id']}", headers=bearer(session)
        )
        assert last.json()["code"] == "single_identity_not_deletable"


async def test_an_account_left_with_its_provider_takes_the_address_from_there(harbour: Harbour) -> None:
    async with harbour.minato.client(**NEW) as client:
        session = await sign_in(harbour.minato, client)
        elsewhere = harbour.meet()
        await linked(harbour, client, session)
        mail = next(one for one in session["user"]["identities"] if one["provider"] == "email")
        gone = await client.delete(f"/auth/v1/user/identities/{mail['identity_id']}", headers=bearer(session))
        assert gone.status_code == 200
        left = (await client.get("/auth/v1/user", headers=bearer(session))).json()
        assert (left["email"], left["app_metadata"]["provider"]) == (elsewhere, "google")


async def test_a_new_password_ends_a_link_to_a_provider_that_was_begun(harbour: Harbour) -> None:
    async with harbour.minato.client() as client, harbour.minato.client(harbour.minato.service_role_key) as admin:
        session = await sign_in(harbour.minato, client)
        harbour.meet()
        query = {"provider": "google", "redirect_to": APP, "skip_http_redirect": "true"}
        left = (await client.get(LINK, params=query, headers=bearer(session))).json()["url"]
        path = f"/auth/v1/admin/users/{session['user']['id']}"
        assert (await admin.put(path, json={"password": f"another {PASSWORD}"})).status_code == 200
        async with httpx.AsyncClient() as browser:
            back = (await browser.get(left)).headers["location"]
            answer = await browser.get(back)
        assert "error_code=bad_oauth_state" in answer.headers["location"]
        kept = (await admin.get(path)).json()["identities"]
        assert [one["provider"] for one in kept] == ["email"]


async def test_what_was_under_way_ends_when_an_account_takes_the_address_of_its_provider(harbour: Harbour) -> None:
    async with harbour.minato.client(**NEW) as client:
        session, outbox = await sign_in(harbour.minato, client), harbour.minato.backend.outbox
        elsewhere, wanted = harbour.meet(), f"wanted-{session['user']['email']}"
        await linked(harbour, client, session)
        await client.put("/auth/v1/user", json={"email": wanted}, headers=bearer(session))
        half = {"type": "email_change", "token_hash": outbox.find(wanted)[0].email.token_hash}
        assert (await client.post("/auth/v1/verify", json=half)).json()["code"] == "200"
        await client.get("/auth/v1/reauthenticate", headers=bearer(session))
        await client.post("/auth/v1/recover", json={"email": session["user"]["email"]})
        await unlinked(client, session, "email")
        left = (await client.get("/auth/v1/user", headers=bearer(session))).json()
        assert [name for name in left if name.endswith("_sent_at") or name.startswith("new_")] == []
        row = await harbour.minato.db.fetchrow("select * from auth.users where email = $1", elsewhere)
        assert (row["email_change"], row["email_change_confirm_status"]) == ("", 0)
        sent = len(outbox.find(wanted))
        await client.post("/auth/v1/resend", json={"type": "email_change", "email": elsewhere})
        assert len(outbox.find(wanted)) == sent


async def test_an_account_passes_over_an_address_that_is_somebody_elses(harbour: Harbour) -> None:
    async with harbour.minato.client(**NEW) as client:
        session = await sign_in(harbour.minato, client)
        taken, free = harbour.meet(), ""
        await signed_up(harbour, client, taken)
        await linked(harbour, client, session)
        free = harbour.meet()
        await linked(harbour, client, session)
        await unlinked(client, session, "email")
        left = (await client.get("/auth/v1/user", headers=bearer(session))).json()
        assert (left["email"], left["email_confirmed_at"] is not None) == (free, True)


async def unlinked(client: httpx.AsyncClient, session: dict[str, Any], provider: str) -> None:
    mine = (await client.get("/auth/v1/user", headers=bearer(session))).json()
    leaving = next(one["identity_id"] for one in mine["identities"] if one["provider"] == provider)
    gone = await client.delete(f"/auth/v1/user/identities/{leaving}", headers=bearer(session))
    assert gone.status_code == 200, gone.text


async def test_an_identity_stays_while_its_account_would_take_somebody_elses_address(harbour: Harbour) -> None:
    async with harbour.minato.client(**NEW) as client:
        session = await sign_in(harbour.minato, client)
        elsewhere = harbour.meet()
        await signed_up(harbour, client, elsewhere)
        await linked(harbour, client, session)
        one = f"/auth/v1/user/identities/{session['user']['identities'][0]['identity_id']}"
        other = await client.delete(one, headers={**bearer(session), "x-jwt-aud": "elsewhere"})
        assert (other.status_code, other.json()["code"]) == (403, "unexpected_audience")
        refused = await client.delete(one, headers=bearer(session))
        assert (refused.status_code, refused.json()["code"]) == (422, "email_conflict_identity_not_deletable")
