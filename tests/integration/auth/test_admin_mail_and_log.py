"""Invitations and the audit log."""

from __future__ import annotations

from pathlib import Path

from minato.config.auth import AuthSettings
from minato.database.address import DatabaseAddress

from tests.integration.auth.test_admin_users import as_admin
from tests.integration.auth.test_journey import NEW, sign_in
from tests.support.server import Minato, running, settings_for


async def test_strangers_neither_invite_nor_read_the_log(minato: Minato) -> None:
    async with minato.client(**NEW) as client:
        for method, path in (("POST", "/invite"), ("GET", "/admin/audit"), ("POST", "/admin/generate_link")):
            answer = await client.request(method, f"/auth/v1{path}", json={"email": "stranger@example.com"})
            assert (answer.status_code, answer.json()["code"]) == (403, "not_admin")
    assert minato.backend.outbox.find("stranger@example.com") == []


async def test_an_invited_person_confirms_by_the_mail_and_cannot_be_invited_again(minato: Minato) -> None:
    email = f"{minato.backend.entropy.base32(9)}@example.com".lower()
    async with as_admin(minato) as admin:
        answer = await admin.post("/auth/v1/invite", json={"email": email, "data": {"team": "red"}})
        assert answer.status_code == 200, answer.text
        assert {"invited_at", "confirmation_sent_at"} <= answer.json().keys()
        mail = minato.backend.outbox.find(email, "invite")[0].email
        link = {"type": "invite", "token_hash": mail.token_hash}
        session = (await admin.post("/auth/v1/verify", json=link)).json()
        assert session["user"]["user_metadata"]["team"] == "red"
        again = await admin.post("/auth/v1/invite", json={"email": email})
        assert (again.status_code, again.json()["code"]) == (422, "email_exists")
        log = await admin.get("/auth/v1/admin/audit", params={"query": "action:user_invited", "per_page": "1"})
        assert log.json()[0]["payload"]["traits"]["user_email"] == email
        assert log.json()[0]["payload"]["actor_username"] == "service_role"
        assert int(log.headers["x-total-count"]) >= 1
        odd = await admin.get("/auth/v1/admin/audit", params={"query": "colour:red"})
        assert (odd.status_code, odd.json()["code"]) == (400, "validation_failed")


async def test_a_null_byte_or_a_boundless_number_is_refused_and_not_a_500(minato: Minato) -> None:
    async with minato.client(**NEW) as client:
        for metadata in (b'{"a":"\\u0000"}', b'{"\\u0000":1}', b'{"a":1e999}', b'{"a":' + b"9" * 5000 + b"}"):
            body = b'{"email":"nul@example.com","password":"correct horse","data":' + metadata + b"}"
            answer = await client.post("/auth/v1/signup", content=body)
            assert (answer.status_code, answer.json()["code"]) == (400, "bad_json")
        link = await client.get("/auth/v1/verify?token=%00&type=signup")
        assert link.status_code == 400


async def test_a_password_is_changed_without_the_present_one(minato: Minato) -> None:
    async with minato.client(**NEW) as client:
        session = await sign_in(minato, client)
        headers = {"authorization": f"Bearer {session['access_token']}"}
        for change in ({"password": "new horse"}, {"password": "newest horse", "current_password": "wrong"}):
            assert (await client.put("/auth/v1/user", json=change, headers=headers)).status_code == 200


async def test_where_it_is_asked_for_changing_the_password_takes_the_present_one(
    address: DatabaseAddress, tmp_path: Path
) -> None:
    strict = AuthSettings(security_update_password_require_current_password=True)
    settings = settings_for(tmp_path, auth=strict)
    async with running(address, settings) as minato, minato.client(**NEW) as client:
        session = await sign_in(minato, client)
        # a session that began with a password, not with a mail
        credentials = {"email": session["user"]["email"], "password": "correct horse"}
        mine = (await client.post("/auth/v1/token?grant_type=password", json=credentials)).json()
        headers = {"authorization": f"Bearer {mine['access_token']}"}
        for given, code in ((None, "current_password_required"), ("wrong", "current_password_invalid")):
            change = {"password": "new horse", **({"current_password": given} if given else {})}
            answer = await client.put("/auth/v1/user", json=change, headers=headers)
            assert (answer.status_code, answer.json()["code"]) == (400, code)
        change = {"password": "new horse", "current_password": "correct horse"}
        assert (await client.put("/auth/v1/user", json=change, headers=headers)).status_code == 200


async def test_a_generated_link_signs_its_owner_in_and_mails_nobody(minato: Minato) -> None:
    email = f"{minato.backend.entropy.base32(9)}@example.com".lower()
    path = "/auth/v1/admin/generate_link"
    async with as_admin(minato) as admin:
        for body, status, code in (
            ({"type": "smell"}, 400, "validation_failed"),
            ({"type": "recovery"}, 404, "user_not_found"),
            ({"type": "signup"}, 400, "validation_failed"),
            ({"type": "signup", "password": "x"}, 422, "weak_password"),
        ):
            answer = await admin.post(path, json={"email": email, **body})
            assert (answer.status_code, answer.json()["code"]) == (status, code)
        opened = (await admin.post(path, json={"type": "magiclink", "email": email})).json()
        assert opened["verification_type"] == "signup"
        assert opened["action_link"].startswith(f"{minato.url}/auth/v1/verify?token={opened['hashed_token']}")
        followed = await admin.get(opened["action_link"])
        assert "access_token=" in followed.headers["location"]
        taken = await admin.post(path, json={"type": "invite", "email": email})
        assert (taken.status_code, taken.json()["code"]) == (422, "email_exists")
        recovery = (await admin.post(path, json={"type": "recovery", "email": email})).json()
        typed = {"type": "recovery", "email": email, "token": recovery["email_otp"]}
        assert (await admin.post("/auth/v1/verify", json=typed)).status_code == 200
        assert minato.backend.outbox.find(email) == []


async def test_generated_links_change_an_address_from_both_sides(minato: Minato) -> None:
    async with as_admin(minato) as admin:
        old = (await sign_in(minato, admin))["user"]["email"].lower()
        new = f"{minato.backend.entropy.base32(9)}@example.com".lower()
        for side in ("current", "new"):
            body = {"type": f"email_change_{side}", "email": old, "new_email": new}
            link = (await admin.post("/auth/v1/admin/generate_link", json=body)).json()
            assert "type=email_change&" in link["action_link"]
            assert link["new_email"] == new
