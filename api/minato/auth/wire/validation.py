"""What an address must look like, in the words GoTrue refuses it with."""

from __future__ import annotations

import re

from minato.auth.wire.errors import WeakPassword, invalid
from minato.config.auth import AuthSettings

_LABEL = r"[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
EMAIL = re.compile(rf"[a-zA-Z0-9.!#$%&'*+/=?^_`{{|}}~-]+@{_LABEL}(?:\.{_LABEL})*")
PHONE = re.compile(r"[1-9][0-9]{1,14}")
CHALLENGE = re.compile(r"[a-zA-Z._~0-9-]+")
LONGEST_PASSWORD = 72
# Of an audience and of a role, by their columns.
LONGEST_NAME = 255


def validate_email(email: str) -> str:
    """The address in lower case.

    >>> validate_email("Anna@Example.com")
    'anna@example.com'
    """
    if not email:
        raise invalid("An email address is required")
    if len(email.encode()) > 255:
        raise invalid("An email address is too long")
    if not EMAIL.fullmatch(email):
        raise invalid("Unable to validate email address: invalid format")
    return email.lower()


def validate_phone(phone: str) -> str:
    """The number as it is stored.

    >>> validate_phone("+1 202 555 0101")
    '12025550101'
    """
    digits = phone_digits(phone)
    if not PHONE.fullmatch(digits):
        raise invalid("Invalid phone number format (E.164 required)")
    return digits


def phone_digits(phone: str) -> str:
    """The number without what people write around it, right or wrong."""
    return phone.removeprefix("+").replace(" ", "")


def validate_pkce(challenge: str, method: str) -> None:
    """Both or neither, and a challenge of RFC 7636's alphabet."""
    if bool(challenge) != bool(method):
        raise invalid("PKCE flow requires code_challenge_method and code_challenge")
    if not challenge:
        return
    if not 43 <= len(challenge.encode()) <= 128:
        raise invalid("code challenge has to be between 43 and 128 characters")
    if not CHALLENGE.fullmatch(challenge):
        raise invalid(
            "code challenge can only contain alphanumeric characters, hyphens, periods, underscores and tildes"
        )
    if method.lower() not in ("s256", "plain"):
        # In the reference a plain Go error, which is a 500 where a mail goes out and nothing where none does.
        raise invalid("Invalid code_challenge_method")


def require_strong(password: str, settings: AuthSettings) -> None:
    """Refuses a password that is too long (400) or breaks a rule (422 weak_password)."""
    size = len(password.encode())
    if size > LONGEST_PASSWORD:
        raise invalid("Password cannot be longer than 72 characters")
    broken: list[tuple[str, str]] = []
    if size < settings.password_min_length:
        broken.append(("length", f"Password should be at least {settings.password_min_length} characters."))
    sets = settings.required_characters
    if any(not set(characters) & set(password) for characters in sets):
        wanted = ", ".join(sets)
        broken.append(("characters", f"Password should contain at least one character of each: {wanted}."))
    if broken:
        raise WeakPassword(" ".join(text for _, text in broken), [reason for reason, _ in broken])
