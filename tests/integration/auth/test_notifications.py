"""Mails that tell the owner what happened to an account, and the subjects and HTML of every mail."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from minato.config.auth import AuthSettings
from minato.database.address import DatabaseAddress
from pydantic import ValidationError

from tests.integration.auth.test_factors import enroll, prove
from tests.integration.auth.test_journey import NEW, PASSWORD, bearer, sign_in
from tests.integration.auth.test_phone import code_sent, verify
from tests.support.loopback import Told, loopback
from tests.support.server import Minato, running, settings_for

KINDS = (
    "password_changed email_changed phone_changed identity_linked identity_unlinked mfa_factor_enrolled "
    "mfa_factor_unenrolled"
).split()
ON: dict[str, Any] = {f"mailer_notifications_{kind}_enabled": True for kind in KINDS}
BASE: dict[str, Any] = {"external_phone_enabled": True, "security_manual_linking_enabled": True}


@pytest.fixture
async def telling(address: DatabaseAddress, tmp_path: Path) -> AsyncIterator[Minato]:
    settings = AuthSettings(**BASE, **ON, mailer_templates_email_changed_notification="{{ .OldEmail }}>{{ .Email }}")
    async with running(address, settings_for(tmp_path, auth=settings)) as minato:
        yield minato


async def change_everything(minato: Minato, client: httpx.AsyncClient) -> str:
    """One account's password, number, second factor, identities and address; its first address."""
    session = await sign_in(minato, client)
    email: str = session["user"]["email"]
    change = {"password": "another horse", "current_password": PASSWORD}
    assert (await client.put("/auth/v1/user", json=change, headers=bearer(session))).status_code == 200
    for number in ("15550", "15551"):
        await client.put("/auth/v1/user", json={"phone": number}, headers=bearer(session))
        phoned = (await verify(client, code_sent(minato, number), "phone_change", number)).json()
    phone_identity = phoned["user"]["identities"][1]["identity_id"]
    gone = await client.delete(f"/auth/v1/user/identities/{phone_identity}", headers=bearer(session))
    assert gone.status_code == 200, gone.text
    await client.put("/auth/v1/user", json={"email": f"new{email}"}, headers=bearer(session))
    for to in (email, f"new{email}"):
        mail = minato.backend.outbox.find(to, "email_change")[0].email
        await client.post("/auth/v1/verify", json={"type": "email_change", "token_hash": mail.token_hash})
    factor = await enroll(client, session)
    strong = (await prove(minato, client, session, factor)).json()
    await client.delete(f"/auth/v1/factors/{factor['id']}", headers=bearer(strong))
    return email


async def test_every_change_is_told(telling: Minato) -> None:
    async with telling.client(**NEW) as client:
        email = await change_everything(telling, client)
    outbox = telling.backend.outbox
    sent = {entry.message.type: entry.message for entry in outbox.find() if entry.message.type.endswith("notification")}
    assert set(sent) == {f"{kind}_notification" for kind in KINDS}
    told = {kind.removesuffix("_notification"): mail for kind, mail in sent.items()}
    assert told["email_changed"].to == email
    assert told["email_changed"].html == f"{email}&gt;new{email}".replace("&gt;", ">")
    assert told["mfa_factor_enrolled"].to == f"new{email}"
    assert "totp" in told["mfa_factor_unenrolled"].html
    assert "15551" in told["phone_changed"].html
    assert "phone" in told["identity_linked"].html
    assert told["password_changed"].subject == "Your password was changed"


async def test_a_first_number_is_told_as_a_way_to_sign_in_and_not_as_a_change(telling: Minato) -> None:
    async with telling.client(**NEW) as client:
        session = await sign_in(telling, client)
        await client.put("/auth/v1/user", json={"phone": "15559"}, headers=bearer(session))
        assert (await verify(client, code_sent(telling, "15559"), "phone_change", "15559")).status_code == 200
    kinds = [entry.message.type for entry in telling.backend.outbox.find()]
    assert [kind for kind in kinds if kind.endswith("notification")] == ["identity_linked_notification"]


async def test_nothing_is_told_unless_it_is_wanted(address: DatabaseAddress, tmp_path: Path) -> None:
    async with running(address, settings_for(tmp_path, auth=AuthSettings(**BASE))) as minato:
        async with minato.client(**NEW) as client:
            await change_everything(minato, client)
        kinds = {entry.message.type for entry in minato.backend.outbox.find()}
        assert kinds == {"signup", "email_change"}


async def test_news_that_cannot_be_sent_changes_nothing(address: DatabaseAddress, tmp_path: Path) -> None:
    async with loopback() as hook:
        settings: dict[str, Any] = {"mailer_notifications_password_changed_enabled": True}
        settings |= {"hook_send_email_enabled": True, "hook_send_email_uri": hook.url}
        async with running(address, settings_for(tmp_path, auth=AuthSettings(**settings))) as minato:
            async with minato.client(**NEW) as client:
                body = {"email": "anna@example.com", "password": PASSWORD}
                await client.post("/auth/v1/signup", json=body)
                told = {"type": "signup", "token_hash": hook.asked[0].json["email_data"]["token_hash"]}
                session = (await client.post("/auth/v1/verify", json=told)).json()
                hook.answer = lambda _: Told(500)
                change = {"password": "another horse", "current_password": PASSWORD}
                answer = await client.put("/auth/v1/user", json=change, headers=bearer(session))
                assert answer.status_code == 200
    assert hook.asked[-1].json["email_data"]["email_action_type"] == "password_changed_notification"


@pytest.mark.parametrize("kind", ["confirmation", "invite", "recovery", "magic_link", "reauthentication"])
async def test_subjects_and_html_are_ours_to_choose(address: DatabaseAddress, tmp_path: Path, kind: str) -> None:
    page = tmp_path / "mail.html"
    shown = "{{ .SiteURL }} {{ .Email }} {{ .Token }} {{ .TokenHash }} {{ .Data.name }} {{ .RedirectTo }}"
    page.write_text(f"<p>{shown}</p> {{{{ .ConfirmationURL }}}}")
    chosen: dict[str, Any] = {f"mailer_subjects_{kind}": "For {{ .Email }}", f"mailer_templates_{kind}": f"@{page}"}
    settings = AuthSettings(**chosen, site_url="https://shop.example")
    async with running(address, settings_for(tmp_path, auth=settings)) as minato, minato.client(**NEW) as client:
        session = await sign_in(minato, client)
        email = session["user"]["email"]
        if kind == "invite":
            async with minato.client(minato.service_role_key) as admin:
                email = "guest@example.com"
                await admin.post("/auth/v1/invite", json={"email": email, "data": {"name": "Anna <3"}})
        elif kind == "reauthentication":
            await client.get("/auth/v1/reauthenticate", headers=bearer(session))
        elif kind != "confirmation":
            path = {"recovery": "recover", "magic_link": "magiclink"}[kind]
            await client.post(f"/auth/v1/{path}", json={"email": email})
        mail = minato.backend.outbox.find(email)[0].message
        assert mail.subject == f"For {email}"
        told = f"<p>https://shop.example {email} {mail.token} {mail.token_hash} Anna &lt;3 https://shop.example</p>"
        assert mail.html.startswith(told)


def test_a_template_is_not_fetched() -> None:
    with pytest.raises(ValidationError, match="not an address"):
        AuthSettings(mailer_templates_invite="https://example.com/invite.html")
