"""What is mailed when: the token made, stored and sent, no sooner than the last one of its kind allows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from api.auth import one_time_tokens, users
from api.auth.call import Call
from api.auth.errors import internal, too_soon
from api.auth.one_time_tokens import PKCE_PREFIX, token_hash
from api.auth.pkce import Challenge, begin
from api.auth.templates import SUBJECTS, default_template, fill, plain_text
from api.auth.user import User
from api.mail.email import Email
from api.mail.mailer import MailError


@dataclass(frozen=True)
class Kind:
    """A kind of mail: where its token and time are kept, and how GoTrue speaks of it when it can't be sent."""

    type: str
    token_column: str
    sent_column: str
    name: str
    flow_method: str


SIGNUP = Kind("signup", "confirmation_token", "confirmation_sent_at", "confirmation", "email/signup")
INVITE = Kind("invite", "confirmation_token", "confirmation_sent_at", "invite", "invite")
MAGIC_LINK = Kind("magiclink", "recovery_token", "recovery_sent_at", "magic link", "magiclink")
RECOVERY = Kind("recovery", "recovery_token", "recovery_sent_at", "recovery", "recovery")


async def send_link(call: Call, user: User, kind: Kind, challenge: Challenge | None = None) -> None:
    """Mail `user` a link and code of `kind`. Raises 429 when the last one was sent a moment ago."""
    require_pause(call, user.times[kind.sent_column])
    assert user.email is not None, "only a user with an address is mailed"
    code, hashed = await new_token(call, user, kind.token_column, user.email, challenge is not None)
    await users.change(call.db, user.id, **{kind.sent_column: call.now, "updated_at": call.now})
    if challenge is not None:
        await begin(call, challenge, user.id, kind.flow_method)
    await deliver(call, kind.type, kind.name, user, user.email, code, hashed)


async def send_email_change(call: Call, user: User, new_email: str, challenge: Challenge | None) -> None:
    """Mail the new address and, when changes are confirmed twice, the old one too."""
    require_pause(call, user.times["email_change_sent_at"])
    pkce = challenge is not None
    code, hashed = await new_token(call, user, "email_change_token_new", new_email, pkce)
    secure = call.settings.mailer_secure_email_change_enabled and bool(user.email)
    await users.change(
        call.db,
        user.id,
        email_change=new_email,
        email_change_sent_at=call.now,
        email_change_confirm_status=0,
        email_change_token_current="",
        updated_at=call.now,
    )
    if challenge is not None:
        await begin(call, challenge, user.id, "email_change")
    await deliver(call, "email_change", "email change", user, new_email, code, hashed, new_email)
    if secure and user.email:
        code, hashed = await new_token(call, user, "email_change_token_current", user.email, pkce)
        await deliver(call, "email_change", "email change", user, user.email, code, hashed, new_email)


async def send_reauthentication(call: Call, user: User) -> None:
    """Mail a code that confirms a change of password."""
    require_pause(call, user.times["reauthentication_sent_at"])
    assert user.email is not None, "only a user with an address is mailed"
    code, hashed = await new_token(call, user, "reauthentication_token", user.email, pkce=False)
    await users.change(call.db, user.id, reauthentication_sent_at=call.now)
    await deliver(call, "reauthentication", "reauthentication", user, user.email, code, hashed)


async def new_token(call: Call, user: User, column: str, address: str, pkce: bool) -> tuple[str, str]:
    """A new code and its hash, stored as the user's only one of its kind."""
    code = call.services.backend.entropy.digits(call.settings.mailer_otp_length)
    hashed = (PKCE_PREFIX if pkce else "") + token_hash(address, code)
    await users.change(call.db, user.id, **{column: hashed})
    await one_time_tokens.store(call.db, call.new_id(), user.id, column, hashed, address, call.now)
    return code, hashed


def require_pause(call: Call, sent_at: datetime | None) -> None:
    """Raises 429 while the pause between two mails lasts; there is none in development."""
    if sent_at is None or call.services.backend.development:
        return
    left = call.settings.smtp_max_frequency - (call.now - sent_at).total_seconds()
    if left > 0:
        raise too_soon("over_email_send_rate_limit", int(left))


async def deliver(
    call: Call, kind: str, name: str, user: User, to: str, code: str, hashed: str, new_email: str = ""
) -> None:
    """Fill the template of `kind` and hand the mail over. `name` is what GoTrue calls it when that fails."""
    link = confirmation_url(call, kind, hashed)
    variables = template_variables(call, user, code, hashed, link, to, new_email)
    settings = call.settings
    email = Email(
        to=to,
        subject=fill(settings.mailer_subjects.get(kind, SUBJECTS[kind]), variables, escape=False),
        html=fill(settings.mailer_templates.get(kind) or default_template(kind), variables, escape=True),
        text=plain_text(kind, variables),
        type=kind,
        link=None if kind == "reauthentication" else link,
        token=code,
        token_hash=hashed,
    )
    try:
        await call.services.backend.mailer.send(email)
    except MailError as error:
        call.services.backend.log.warning("mail failed", kind=kind, reason=str(error))
        raise internal(f"Error sending {name} email") from error


def template_variables(
    call: Call, user: User, code: str, hashed: str, link: str, to: str, new_email: str
) -> dict[str, Any]:
    """What a template may use."""
    return {
        "SiteURL": call.services.redirects.site_url,
        "ConfirmationURL": link,
        "Email": user.email or to,
        "NewEmail": new_email,
        "SendingTo": to,
        "Token": code,
        "TokenHash": hashed,
        "Data": user.user_metadata,
        "RedirectTo": call.redirect_to,
    }


def confirmation_url(call: Call, kind: str, hashed: str) -> str:
    """Where the mail's link leads: a page that reads the hash itself, or our verify endpoint."""
    target = call.redirect_to
    if urlsplit(target).path in call.settings.mailer_token_hash_paths:
        shown = "email" if kind == "signup" else kind
        return f"{target}{'&' if '?' in target else '?'}{urlencode({'token_hash': hashed, 'type': shown})}"
    # GoTrue leaves a plain address readable and escapes only one that would end the parameter.
    redirect = quote(target, safe="") if any(sign in target for sign in "&=#") else target
    query = urlencode({"token": hashed, "type": kind})
    return f"{call.services.external_url}/verify?{query}&redirect_to={redirect}"
