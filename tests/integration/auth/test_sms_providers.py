"""Text messages through those who send them: what they are asked, and what becomes of their refusals."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest
from minato.database.address import DatabaseAddress

from tests.integration.auth.test_journey import NEW
from tests.integration.auth.test_phone import NUMBER, OTP, phones
from tests.support.loopback import Told, loopback

TWILIO: dict[str, Any] = {
    "sms_provider": "twilio",
    "sms_twilio_account_sid": "AC1",
    "sms_twilio_auth_token": "secret",
    "sms_twilio_message_service_sid": "MG1",
}


def sent(text: str) -> str:
    return text.removeprefix("Your code is ")


async def test_twilio_is_asked_as_it_wants(address: DatabaseAddress, tmp_path: Path) -> None:
    async with loopback(lambda _: Told(201, {"sid": "SM1", "status": "queued"})) as twilio:
        settings = {**TWILIO, "sms_twilio_api_url": twilio.url}
        async with phones(address, tmp_path, **settings) as minato, minato.client(**NEW) as client:
            assert (await client.post(OTP, json={"phone": NUMBER})).status_code == 200
            shown = (await client.get("/auth/v1/settings")).json()
            assert shown["sms_provider"] == "twilio"
    [asked] = twilio.asked
    assert asked.path == "/2010-04-01/Accounts/AC1/Messages.json"
    assert asked.headers["authorization"] == "Basic " + base64.b64encode(b"AC1:secret").decode()
    code = sent(asked.form["Body"])
    expected = {"To": f"+{NUMBER}", "Channel": "sms", "From": "MG1", "Body": f"Your code is {code}"}
    assert asked.form == expected
    assert len(code) == 6


@pytest.mark.parametrize(("content", "expected"), [("", "Body"), ("HX1", "ContentVariables")])
async def test_twilio_sends_by_whatsapp(address: DatabaseAddress, tmp_path: Path, content: str, expected: str) -> None:
    async with loopback(lambda _: Told(201, {"sid": "SM1", "status": "queued"})) as twilio:
        settings = {**TWILIO, "sms_twilio_api_url": twilio.url, "sms_twilio_content_sid": content}
        settings["sms_twilio_message_service_sid"] = "+15550000"
        async with phones(address, tmp_path, **settings) as minato, minato.client(**NEW) as client:
            await client.post(OTP, json={"phone": NUMBER, "channel": "whatsapp"})
    form = twilio.asked[0].form
    assert (form["To"], form["From"]) == (f"whatsapp:+{NUMBER}", "whatsapp:+15550000")
    assert expected in form


PROVIDERS: list[tuple[dict[str, Any], str, Told, str]] = [
    (
        TWILIO,
        "sms_twilio_api_url",
        Told(400, {"message": "Bad number.", "more_info": "https://x/21211"}),
        "Bad number. More information: https://x/21211",
    ),
    (
        TWILIO,
        "sms_twilio_api_url",
        Told(201, {"status": "failed", "error_message": "Blocked", "error_code": "30004", "sid": "SM9"}),
        "twilio error: Blocked 30004 for message SM9",
    ),
    (
        {"sms_provider": "messagebird", "sms_messagebird_access_key": "k"},
        "sms_messagebird_api_url",
        Told(422, {"errors": [{"code": 9, "description": "no (correct) recipients found"}]}),
        "no (correct) recipients found",
    ),
    (
        {"sms_provider": "messagebird", "sms_messagebird_access_key": "k"},
        "sms_messagebird_api_url",
        Told(200, {"recipients": {"totalSentCount": 0}}),
        "messagebird error: total sent count is 0",
    ),
    (
        {"sms_provider": "textlocal"},
        "sms_textlocal_api_url",
        Told(200, {"status": "failure", "errors": [{"code": 5, "message": "Invalid number"}]}),
        "textlocal error: Invalid number (code: 5) message ",
    ),
    (
        {"sms_provider": "vonage"},
        "sms_vonage_api_url",
        Told(200, {"messages": [{"status": "4", "error-text": "Bad Credentials", "message-id": "m"}]}),
        "vonage error: Bad Credentials (status: 4) for message m",
    ),
    ({"sms_provider": "vonage"}, "sms_vonage_api_url", Told(200, {}), "vonage error: Internal Error"),
]


@pytest.mark.parametrize(("settings", "url", "told", "reason"), PROVIDERS)
async def test_a_refused_message_tells_why_and_leaves_nothing(
    address: DatabaseAddress, tmp_path: Path, settings: dict[str, Any], url: str, told: Told, reason: str
) -> None:
    async with (
        loopback(lambda _: told) as provider,
        phones(address, tmp_path, **settings, **{url: provider.url}) as minato,
        minato.client(**NEW) as client,
    ):
        answer = await client.post(OTP, json={"phone": NUMBER})
        expected = {"code": "sms_send_failed", "message": f"Error sending confirmation OTP to provider: {reason}"}
        assert (answer.status_code, answer.json()) == (422, expected)
        assert await minato.db.fetchval("select count(*) from auth.users") == 0


@pytest.mark.parametrize(
    ("settings", "url", "told", "expected"),
    [
        (
            {"sms_provider": "messagebird", "sms_messagebird_access_key": "k", "sms_messagebird_originator": "Minato"},
            "sms_messagebird_api_url",
            Told(201, {"id": "1", "recipients": {"totalSentCount": 1}}),
            {"originator": "Minato", "recipients": NUMBER, "datacoding": "unicode"},
        ),
        (
            {"sms_provider": "textlocal", "sms_textlocal_api_key": "k", "sms_textlocal_sender": "Minato"},
            "sms_textlocal_api_url",
            Told(200, {"status": "success", "messages": [{"id": "1"}]}),
            {"sender": "Minato", "apikey": "k", "numbers": NUMBER},
        ),
        (
            {"sms_provider": "vonage", "sms_vonage_api_key": "k", "sms_template": "Code: {{ .Code }} ✓"},
            "sms_vonage_api_url",
            Told(200, {"messages": [{"status": "0", "message-id": "1"}]}),
            {"to": NUMBER, "api_key": "k", "type": "unicode"},
        ),
    ],
)
async def test_other_providers_are_asked_as_they_want(
    address: DatabaseAddress,
    tmp_path: Path,
    settings: dict[str, Any],
    url: str,
    told: Told,
    expected: dict[str, str],
) -> None:
    async with (
        loopback(lambda _: told) as provider,
        phones(address, tmp_path, **settings, **{url: provider.url}) as minato,
        minato.client(**NEW) as client,
    ):
        assert (await client.post(OTP, json={"phone": NUMBER})).status_code == 200
    assert expected.items() <= provider.asked[0].form.items()


async def test_a_provider_that_is_away_is_an_error_of_its_own(address: DatabaseAddress, tmp_path: Path) -> None:
    async with loopback() as gone:
        pass
    settings = {**TWILIO, "sms_twilio_api_url": gone.url}
    async with phones(address, tmp_path, **settings) as minato, minato.client(**NEW) as client:
        answer = await client.post(OTP, json={"phone": NUMBER})
        assert (answer.status_code, answer.json()["code"]) == (422, "sms_send_failed")
        assert "secret" not in answer.text


async def test_a_secret_that_is_no_header_is_not_shown(address: DatabaseAddress, tmp_path: Path) -> None:
    settings = {"sms_provider": "messagebird", "sms_messagebird_access_key": "secret\n", "sms_messagebird_api_url": ""}
    async with loopback() as provider:
        settings["sms_messagebird_api_url"] = provider.url
        async with phones(address, tmp_path, **settings) as minato, minato.client(**NEW) as client:
            answer = await client.post(OTP, json={"phone": NUMBER})
            assert answer.json()["code"] == "sms_send_failed"
            assert "secret" not in answer.text
