"""Settings that keep machines away: rate limits and captcha."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from pydantic import Field, SecretStr, field_validator, model_validator

from minato.config.base import RoomSettings, Seconds, seconds

HOUR = 3600.0
CAPTCHA_URLS = {
    "hcaptcha": "https://hcaptcha.com/siteverify",
    "turnstile": "https://challenges.cloudflare.com/turnstile/v0/siteverify",
}


@dataclass(frozen=True)
class Rate:
    """`events` within `seconds`; with `refills` a bucket of that many that regains one every `seconds`."""

    events: int
    seconds: float
    refills: bool


def parse_rate(text: str) -> Rate:
    """A number of events an hour, or `<events>/<duration>` for a bucket.

    >>> parse_rate("30")
    Rate(events=30, seconds=3600.0, refills=False)
    >>> parse_rate("5/10s")
    Rate(events=5, seconds=10.0, refills=True)
    """
    if re.fullmatch(r"\d+(\.\d+)?", text):
        return Rate(int(float(text)), HOUR, False)
    events, _, duration = text.partition("/")
    over = seconds(duration)
    if not events.isdecimal() or not isinstance(over, float):
        raise ValueError(f"{text!r} is neither a number an hour nor <events>/<duration>")
    return Rate(int(events), over or HOUR, True)


class LimitSettings(RoomSettings):
    """`GOTRUE_RATE_LIMIT_*` and `GOTRUE_SECURITY_CAPTCHA_*`."""

    rate_limit_header: str = Field(
        "", description="Header in which a trusted proxy names whom to limit, if not X-Forwarded-For."
    )
    rate_limit_peers: bool | None = Field(
        None,
        description="Limit whom no such header names by the address they come from. "
        "Unset: all of them, but in development not this machine's own calls. false: nobody, as GoTrue does.",
    )
    rate_limit_email_sent: str | None = Field(
        None, description="Mails an hour, or <events>/<duration>; default 30, in development any number."
    )
    rate_limit_sms_sent: str | None = Field(
        None, description="Text messages an hour, or <events>/<duration>; default 30, in development any number."
    )
    rate_limit_verify: float = Field(30, ge=0, description="Codes tried by an address in 5 minutes.")
    rate_limit_token_refresh: float = Field(150, ge=0, description="Tokens granted to an address in 5 minutes.")
    rate_limit_otp: float = Field(
        30, ge=0, description="Signups, codes, links, recoveries or changes asked for by an address in 5 minutes, each."
    )
    rate_limit_anonymous_users: float = Field(30, ge=0, description="Anonymous sign-ins of an address in an hour.")
    rate_limit_sso: float = Field(30, ge=0, description="Single sign-ons of an address in 5 minutes.")
    rate_limit_web3: float = Field(30, ge=0, description="Wallet sign-ins of an address in 5 minutes.")
    rate_limit_passkey: float = Field(30, ge=0, description="Passkey sign-ins of an address in 5 minutes.")
    rate_limit_oauth_dynamic_client_register: float = Field(
        10, ge=0, description="OAuth clients registered by an address in 5 minutes."
    )
    mfa_rate_limit_challenge_and_verify: float = Field(
        15, ge=0, description="Challenges, and answers, of second factors by an address in a minute."
    )
    rate_limit_addresses: int = Field(50_000, ge=1, description="Addresses remembered; the longest silent go first.")
    saml_rate_limit_assertion: float = Field(15, ge=0, description="SAML assertions of an address in 5 minutes.")

    security_code_tries: int = Field(
        10, ge=0, description="Wrong codes after which a mailed or texted code is void; 0 for never, as GoTrue does."
    )
    security_factor_tries: int = Field(
        5, ge=0, description="Wrong codes after which a second factor's challenge ends; 0 for never, as GoTrue does."
    )
    security_factor_tries_hourly: int = Field(
        30, ge=0, description="Codes tried with one second factor in an hour, over all challenges; 0 for any number."
    )
    security_totp_reuse: bool = Field(
        False, description="Take an authenticator app's code twice while it is shown, as GoTrue does."
    )
    security_password_tries: int = Field(
        10,
        ge=0,
        description="Wrong passwords of an account an address may try at once, then one a minute; ten times as many "
        "of all addresses that the account has no session from. 0 for any number, as GoTrue does.",
    )
    security_password_queue: int = Field(
        32, ge=2, description="Passwords for each processor that wait to be hashed, half of them of one address."
    )

    security_captcha_enabled: bool = Field(False, description="Ask for a captcha where accounts are opened and used.")
    security_captcha_provider: Literal["hcaptcha", "turnstile"] = Field("hcaptcha", description="Who judges captchas.")
    security_captcha_secret: SecretStr = Field(SecretStr(""), description="Secret that the captcha's judge gave.")
    security_captcha_timeout: Seconds = Field(10.0, gt=0, description="Seconds until the judge is given up.")
    security_captcha_url: str | None = Field(None, description="The judge's address, if not the provider's own.")

    @field_validator("rate_limit_email_sent", "rate_limit_sms_sent")
    @classmethod
    def _is_rate(cls, text: str | None) -> str | None:
        if text is not None:
            parse_rate(text)
        return text

    @model_validator(mode="after")
    def _captcha_has_secret(self) -> LimitSettings:
        if self.security_captcha_enabled and not self.security_captcha_secret.get_secret_value().strip():
            raise ValueError("GOTRUE_SECURITY_CAPTCHA_SECRET: captcha provider secret is empty")
        return self

    @cached_property
    def captcha_judge(self) -> str:
        return self.security_captcha_url or CAPTCHA_URLS[self.security_captcha_provider]


class SafetySettings(RoomSettings):
    """`GOTRUE_SECURITY_*` of this server's own."""

    security_keep_first_sign_up: bool = Field(
        False,
        description="An unconfirmed account keeps its first password and metadata whoever confirms it, as in GoTrue.",
    )
    security_hide_accounts: bool | None = Field(
        None,
        description="Answer {} to recover, otp, magiclink and resend before looking for the account; default in "
        "production. false answers as GoTrue does.",
    )
    security_tell_banned: bool = Field(
        False, description="Say user_banned to whoever tries any password of a banned account, as GoTrue does."
    )
    oauth_server_unbound_tokens: bool = Field(
        False, description="Tokens of OAuth clients may do here whatever their user may, as in GoTrue."
    )
