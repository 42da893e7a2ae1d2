"""Email addresses and phone numbers as GoTrue accepts them."""

from __future__ import annotations

import re

from api.auth.errors import invalid

LONGEST_EMAIL = 255
# The HTML standard's grammar for <input type=email>; a dot in the domain is not required.
LABEL = r"[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
EMAIL = re.compile(rf"[a-zA-Z0-9.!#$%&'*+/=?^_`{{|}}~-]+@{LABEL}(?:\.{LABEL})*")
PHONE = re.compile(r"[1-9][0-9]{1,14}")


def normal_email(email: str) -> str:
    """`email` in lower case. Raises validation_failed.

    >>> normal_email("Aiko@Example.COM")
    'aiko@example.com'
    """
    if not email:
        raise invalid("An email address is required")
    if len(email.encode()) > LONGEST_EMAIL:
        raise invalid("An email address is too long")
    if not EMAIL.fullmatch(email):
        raise invalid("Unable to validate email address: invalid format")
    return email.lower()


def normal_phone(phone: str) -> str:
    """`phone` without plus and spaces. Raises validation_failed.

    >>> normal_phone("+49 170 1234567")
    '491701234567'
    """
    digits = phone.removeprefix("+").replace(" ", "")
    if not PHONE.fullmatch(digits):
        raise invalid("Invalid phone number format (E.164 required)")
    return digits
