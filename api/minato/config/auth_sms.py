"""Settings of text messages: who sends them, what they say, how long their codes are good for."""

from __future__ import annotations

from datetime import datetime
from functools import cached_property
from typing import Literal

from pydantic import Field, SecretStr

from minato.config.base import RoomSettings, Seconds


class SmsSettings(RoomSettings):
    """`GOTRUE_SMS_*` and `GOTRUE_MFA_PHONE_*`."""

    sms_autoconfirm: bool = Field(False, description="Accept phone numbers without a code.")
    sms_max_frequency: Seconds | None = Field(
        None, ge=0, description="Seconds between two messages to one user; default 60, in development 0."
    )
    sms_otp_exp: int = Field(60, ge=1, description="Seconds a code sent by text message is good for.")
    sms_otp_length: int = Field(6, ge=6, le=10, description="Digits of codes sent by text message.")
    sms_template: str = Field("Your code is {{ .Code }}", description="Text of the messages.")
    sms_test_otp: str = Field("", description="Numbers with fixed codes that are never sent: number:code, by commas.")
    sms_test_otp_valid_until: datetime | None = Field(None, description="When the fixed codes end, in RFC 3339.")
    sms_provider: Literal["twilio", "messagebird", "textlocal", "vonage"] | None = Field(
        None, description="Who sends text messages; without one they stay in the outbox, outside development they fail."
    )
    sms_twilio_account_sid: str = Field("", description="Twilio account.")
    sms_twilio_auth_token: SecretStr = Field(SecretStr(""), description="Twilio token.")
    sms_twilio_message_service_sid: str = Field("", description="Twilio messaging service or number that sends.")
    sms_twilio_content_sid: str = Field("", description="Twilio content template of WhatsApp messages.")
    sms_twilio_api_url: str = Field("https://api.twilio.com", description="Twilio, or who speaks its protocol.")
    sms_messagebird_access_key: SecretStr = Field(SecretStr(""), description="MessageBird key.")
    sms_messagebird_originator: str = Field("", description="MessageBird sender.")
    sms_messagebird_api_url: str = Field("https://rest.messagebird.com", description="MessageBird's address.")
    sms_textlocal_api_key: SecretStr = Field(SecretStr(""), description="Textlocal key.")
    sms_textlocal_sender: str = Field("", description="Textlocal sender.")
    sms_textlocal_api_url: str = Field("https://api.textlocal.in", description="Textlocal's address.")
    sms_vonage_api_key: str = Field("", description="Vonage key.")
    sms_vonage_api_secret: SecretStr = Field(SecretStr(""), description="Vonage secret.")
    sms_vonage_from: str = Field("", description="Vonage sender.")
    sms_vonage_api_url: str = Field("https://rest.nexmo.com", description="Vonage's address.")

    mfa_phone_enroll_enabled: bool = Field(False, description="Users may enroll a phone as second factor.")
    mfa_phone_verify_enabled: bool = Field(False, description="Users may prove a phone as second factor.")
    mfa_phone_otp_length: int = Field(6, ge=6, le=10, description="Digits of a phone factor's code.")
    mfa_phone_template: str = Field("Your code is {{ .Code }}", description="Text with a phone factor's code.")
    mfa_phone_max_frequency: Seconds | None = Field(
        None, ge=0, description="Seconds between two challenges of a phone factor; default 60, in development 0."
    )

    @cached_property
    def test_otps(self) -> dict[str, str]:
        """The fixed code of each test number, as numbers are stored. `number:code` and `number=code` are both read."""
        pairs = (pair.replace("=", ":", 1).partition(":") for pair in self.sms_test_otp.split(",") if pair.strip())
        return {number.strip().removeprefix("+").replace(" ", ""): code.strip() for number, _, code in pairs}

    def test_otp(self, phone: str, now: datetime) -> str | None:
        """The fixed code of `phone`, while there is one."""
        until = self.sms_test_otp_valid_until
        return None if until is not None and now >= until else self.test_otps.get(phone)
