"""The mails of the auth room: subjects and HTML, with GoTrue's `{{ .Variable }}` placeholders."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping

from minato.config.auth import AuthSettings
from minato.mail.letter import Letter, Way, letter_html, letter_text
from minato.mail.plain_text import plain_text

_PLACEHOLDER = re.compile(r"\{\{-?\s*\.([A-Za-z_][\w.]*)\s*-?\}\}")
_PRODUCT = "{{ .AppName }}"
_SENT = "Sent to {{ .SendingTo }} by {{ .AppName }}, {{ .SiteURL }}"


def _question(title: str, text: str, label: str | None, after: str = "") -> Letter:
    """A mail that wants an answer: a button that says `label`, or a code to type."""
    return Letter(
        title=title,
        text=text,
        button=Way(label, "{{ .ConfirmationURL }}") if label else None,
        code_lead="Or enter this code on the page that asks for it:" if label else "",
        code="{{ .Token }}",
        after=after,
        footer=[_SENT],
    )


def _notice(title: str, text: str, way_out: str = "contact support immediately.") -> Letter:
    """A mail that tells what happened."""
    return Letter(title=title, text=text, after=f"If you didn't make this change, {way_out}", footer=[_SENT])


# Titles, sentences and labels are those of GoTrue's own mails (internal/mailer/templatemailer), so that whoever looks
# for them in a mailbox finds them; the layout, the code beside a link and the footer are ours.
LETTERS: Mapping[str, Letter] = {
    "confirmation": _question(
        "Confirm your email address",
        "Follow the link below to confirm this email address and finish signing up.",
        "Confirm email address",
    ),
    "invite": _question(
        "You've been invited",
        "You've been invited to create an account. Follow the link below to accept.",
        "Accept invitation",
    ),
    "recovery": _question(
        "Reset your password",
        "We received a request to reset your password. Follow the link below to choose a new one.",
        "Reset password",
        "If you didn't request this, you can safely ignore this email.",
    ),
    "magic_link": _question(
        "Your sign-in link",
        "Follow the link below to sign in. This link expires shortly and can only be used once.",
        "Sign in",
    ),
    "email_change": _question(
        "Confirm your new email address",
        "Follow the link below to confirm {{ .NewEmail }} as your new email address.",
        "Confirm new email address",
        "If you didn't request this change, you can safely ignore this email.",
    ),
    "reauthentication": _question(
        "Your verification code", "Use the code below to verify your identity. It expires shortly.", None
    ),
    "password_changed_notification": _notice(
        "Your password was changed",
        "The password for your account was recently changed.",
        "reset your password and contact support immediately.",
    ),
    "email_changed_notification": _notice(
        "Your email address was changed",
        "The email address for your account was changed from {{ .OldEmail }} to {{ .Email }}.",
    ),
    "phone_changed_notification": _notice(
        "Your phone number was changed",
        "The phone number for your account was changed from {{ .OldPhone }} to {{ .Phone }}.",
    ),
    "identity_linked_notification": _notice(
        "A new sign-in method was linked",
        "Your {{ .Provider }} account was linked as a new sign-in method for {{ .Email }}.",
    ),
    "identity_unlinked_notification": _notice(
        "A sign-in method was removed",
        "Your {{ .Provider }} account was removed as a sign-in method for {{ .Email }}.",
    ),
    "mfa_factor_enrolled_notification": _notice(
        "A new verification method was added",
        "Sign-in verification method {{ .FactorType }} was added to your account.",
    ),
    "mfa_factor_unenrolled_notification": _notice(
        "A verification method was removed",
        "Sign-in verification method {{ .FactorType }} was removed from your account.",
    ),
}
DEFAULTS: Mapping[str, str] = {kind: letter_html(_PRODUCT, letter) for kind, letter in LETTERS.items()}
TEXTS: Mapping[str, str] = {kind: letter_text(_PRODUCT, letter) for kind, letter in LETTERS.items()}


def text_of(kind: str, settings: AuthSettings, html: str, variables: Mapping[str, object]) -> str:
    """The mail for who reads no HTML; a project's own template is read out."""
    own = getattr(settings, f"mailer_templates_{kind}")
    return plain_text(html) + "\n" if own else fill(TEXTS[kind], variables)


def render_mail(kind: str, settings: AuthSettings, variables: Mapping[str, object]) -> tuple[str, str]:
    """Subject and HTML of a mail; values are escaped in the HTML and single-line in the subject."""
    subject = getattr(settings, f"mailer_subjects_{kind}")
    template = getattr(settings, f"mailer_templates_{kind}") or DEFAULTS[kind]
    return " ".join(fill(subject, variables).split()), fill(template, variables, escape=True)


def fill(template: str, variables: Mapping[str, object], escape: bool = False) -> str:
    """`template` with its variables; unknown ones become nothing.

    >>> fill("Hi {{ .Data.name }}, {{.Token}}", {"Data": {"name": "Anna"}, "Token": "1"})
    'Hi Anna, 1'
    """

    def value(match: re.Match[str]) -> str:
        found: object = variables
        for name in match[1].split("."):
            found = found.get(name, "") if isinstance(found, Mapping) else ""
        text = str(found)
        return html.escape(text) if escape else text

    return _PLACEHOLDER.sub(value, template)
