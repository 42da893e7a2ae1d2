"""The kinds of second factors, each by what differs: enrolling it, asking for it, and judging the answer."""

from __future__ import annotations

import base64
import hmac
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Protocol
from urllib.parse import urlsplit
from uuid import UUID

from minato.auth.factors import phone_factor, webauthn_factor
from minato.auth.factors.totp import matching_step, otpauth_uri, qr_svg
from minato.auth.hooks.points import judge_factor
from minato.auth.limits.guesses import forgive_factor, is_first_use, require_factor_try
from minato.auth.request.context import Transaction
from minato.auth.request.data import RequestData
from minato.auth.rows import factors
from minato.auth.rows.factors import Challenge, Factor
from minato.auth.rows.users import User
from minato.auth.wire.errors import AuthError, CommittedError, invalid
from minato.auth.wire.validation import validate_phone

SECRET_BYTES = 20
Columns = dict[str, object]
Shown = dict[str, object]


@dataclass
class EnrollFactorParams:
    factor_type: str = ""
    friendly_name: str = ""
    issuer: str = ""
    phone: str = ""


@dataclass
class ChallengeFactorParams:
    channel: str = ""
    webauthn: dict[str, object] | None = None


@dataclass
class VerifyFactorParams:
    challenge_id: str | None = None
    code: str = field(default="", repr=False)
    webauthn: dict[str, object] | None = None


class FactorKind(Protocol):
    """`name` is the column's, `title` what refusals call it, `method` what sessions say of it.

    `coded` says that a code proves it, `proving` what the refusal calls proving it.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    method: ClassVar[str]
    setting: ClassVar[str]
    coded: ClassVar[bool]
    proving: ClassVar[str]

    async def make_room(self, tx: Transaction, user: User, params: EnrollFactorParams) -> None:
        """What is done before it is known whether one more may be enrolled."""

    async def enroll(self, tx: Transaction, user: User, params: EnrollFactorParams) -> tuple[Columns, Shown]:
        """What a new one keeps, and what its owner is told."""

    async def challenge(self, tx: Transaction, user: User, factor: Factor, challenge_id: UUID) -> tuple[Shown, Columns]:
        """What the client is shown, and what the challenge keeps."""

    def answer(self, params: VerifyFactorParams) -> object:
        """What was answered. Refuses what cannot be an answer."""

    async def prove(self, tx: Transaction, user: User, factor: Factor, asked: Challenge, answer: Any) -> Factor:
        """The factor, which the answer proves. Refuses a wrong one."""


def is_enabled(data: RequestData, kind: FactorKind, step: str) -> bool:
    """Whether factors of this kind may take `step`, which is enroll or verify."""
    return bool(getattr(data.settings, f"mfa_{kind.setting}_{step}_enabled"))


class _Coded(ABC):
    """What is proven by a code that somebody types in."""

    wrong: ClassVar[str]
    coded: ClassVar[bool] = True
    proving: ClassVar[str] = "verify"

    def answer(self, params: VerifyFactorParams) -> str:
        return params.code

    async def prove(self, tx: Transaction, user: User, factor: Factor, asked: Challenge, answer: str) -> Factor:
        await require_factor_try(tx, factor, asked)
        right = await self.is_right(tx, factor, asked, answer)
        await judge_factor(tx, user.id, factor, right)
        if not right:
            raise CommittedError(422, "mfa_verification_failed", self.wrong)
        await forgive_factor(tx, factor, asked)
        return factor

    @abstractmethod
    async def is_right(self, tx: Transaction, factor: Factor, asked: Challenge, code: str) -> bool:
        """Whether this is the code that was asked for."""


class Totp(_Coded):
    """An authenticator app."""

    name: ClassVar[str] = "totp"
    title: ClassVar[str] = "TOTP"
    method: ClassVar[str] = "totp"
    setting: ClassVar[str] = "totp"
    wrong = "Invalid TOTP code entered"

    async def make_room(self, tx: Transaction, user: User, params: EnrollFactorParams) -> None:
        """As it is."""

    async def enroll(self, tx: Transaction, user: User, params: EnrollFactorParams) -> tuple[Columns, Shown]:
        if not user.email:
            raise AuthError(500, "unexpected_failure", "Error generating QR Code")
        secret = base64.b32encode(tx.backend.entropy.bytes(SECRET_BYTES)).decode()
        uri = otpauth_uri(params.issuer or urlsplit(tx.site_url).netloc, user.email, secret)
        return {"secret": secret}, {"totp": {"qr_code": qr_svg(uri), "secret": secret, "uri": uri}}

    async def challenge(self, tx: Transaction, user: User, factor: Factor, challenge_id: UUID) -> tuple[Shown, Columns]:
        return {}, {}

    async def is_right(self, tx: Transaction, factor: Factor, asked: Challenge, code: str) -> bool:
        step = matching_step(code, factor.secret or "", tx.now.timestamp())
        return step is not None and await is_first_use(tx, factor.id, step)


class Phone(_Coded):
    """A number that codes are texted to."""

    name: ClassVar[str] = "phone"
    title: ClassVar[str] = "Phone"
    method: ClassVar[str] = "mfa/phone"
    setting: ClassVar[str] = "phone"
    wrong = "Invalid MFA Phone code entered"

    async def make_room(self, tx: Transaction, user: User, params: EnrollFactorParams) -> None:
        """A number is enrolled once; a try that was never proven makes room."""
        if not params.phone:
            raise invalid("Phone number required to enroll Phone factor")
        phone = validate_phone(params.phone)
        for factor in await factors.of_user(tx.db, user.id):
            if factor.factor_type == self.name and factor.phone == phone:
                if factor.is_verified:
                    message = "A verified phone factor already exists, unenroll the existing factor to continue"
                    raise AuthError(422, "mfa_verified_factor_exists", message)
                await factors.remove(tx.db, factor, self.method)

    async def enroll(self, tx: Transaction, user: User, params: EnrollFactorParams) -> tuple[Columns, Shown]:
        return {"phone": validate_phone(params.phone)}, {"phone": params.phone}

    async def challenge(self, tx: Transaction, user: User, factor: Factor, challenge_id: UUID) -> tuple[Shown, Columns]:
        return {}, {"otp_code": await phone_factor.send_code(tx, user, factor, challenge_id)}

    async def is_right(self, tx: Transaction, factor: Factor, asked: Challenge, code: str) -> bool:
        return hmac.compare_digest((asked.otp_code or "").encode(), code.encode())


class SecurityKey:
    """A security key, which signs what it is asked."""

    name: ClassVar[str] = "webauthn"
    title: ClassVar[str] = "WebAuthn"
    method: ClassVar[str] = "mfa/webauthn"
    setting: ClassVar[str] = "web_authn"
    # GoTrue names enrolling here where it means proving.
    proving: ClassVar[str] = "enroll"
    coded: ClassVar[bool] = False

    async def make_room(self, tx: Transaction, user: User, params: EnrollFactorParams) -> None:
        """As it is."""

    async def enroll(self, tx: Transaction, user: User, params: EnrollFactorParams) -> tuple[Columns, Shown]:
        return {}, {}

    async def challenge(self, tx: Transaction, user: User, factor: Factor, challenge_id: UUID) -> tuple[Shown, Columns]:
        tx.params(ChallengeFactorParams)
        shown, remembered = await webauthn_factor.ask(tx, user, factor)
        return {"webauthn": shown}, {"web_authn_session_data": remembered}

    def answer(self, params: VerifyFactorParams) -> tuple[str, object]:
        return webauthn_factor.require_answer(params.webauthn)

    async def prove(
        self, tx: Transaction, user: User, factor: Factor, asked: Challenge, answer: tuple[str, object]
    ) -> Factor:
        values = webauthn_factor.check(tx, factor, asked, *answer)
        return await factors.change(tx.db, factor, tx.now, **values)


KINDS: Final[dict[str, FactorKind]] = {kind.name: kind for kind in (Totp(), Phone(), SecurityKey())}
