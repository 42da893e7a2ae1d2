"""The mails of the auth room: subjects and HTML, with GoTrue's `{{ .Variable }}` placeholders."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping

from minato.config.auth import AuthSettings
from minato.mail.letter import Letter, Way, letter_html
from minato.mail.plain_text import plain_text

_PLACEHOLDER = re.compile(r"\{\{-?\s*\.([A-Za-z_][\w.]*)\s*-?\}\}")
_PRODUCT = "{{ .AppName }}"
_SENT = "Sent to {{ .SendingTo }} by {{ .AppName }}, {{ .SiteURL }}"


def _question(title: str, text: str, label: str | None) -> str:
    """A mail that wants an answer: a button that says `label`, or a code to type."""
    letter = Letter(
        title=title,
        text=text,
        button=Way(label, "{{ .ConfirmationURL }}") if label else None,
        code_lead="Or enter this code on the page that asks for it:" if label else "",
        code="{{ .Token }}",
        after="If you did not ask for this, you can ignore this mail.",
        footer=[_SENT],
    )
    return letter_html(_PRODUCT, letter)


def _notice(title: str, text: str) -> str:
    """A mail that tells what happened."""
    after = "If this was not you, change your password and write to us at once."
    return letter_html(_PRODUCT, Letter(title=title, text=text, after=after, footer=[_SENT]))


DEFAULTS: Mapping[str, str] = {
    "confirmation": _question(
        "Confirm your email address", "One step is left to open your {{ .AppName }} account.", "Confirm email"
    ),
    "invite": _question(
        "You've been invited", "You were invited to open an account at {{ .AppName }}.", "Accept the invitation"
    ),
    "recovery": _question(
        "Reset your password",
        "Follow the link to choose a new password for your {{ .AppName }} account.",
        "Reset password",
    ),
    "magic_link": _question("Your sign-in link", "Follow the link to sign in to {{ .AppName }}.", "Sign in"),
    "email_change": _question(
        "Confirm your new email address",
        "Your address is about to change from {{ .Email }} to {{ .NewEmail }}.",
        "Confirm the change",
    ),
    "reauthentication": _question("Confirm that it is you", "Enter this code to go on:", None),
    "password_changed_notification": _notice("Your password was changed", "The account {{ .Email }} has a new one."),
    "email_changed_notification": _notice(
        "Your email address was changed", "It was {{ .OldEmail }} and is {{ .Email }} now."
    ),
    "phone_changed_notification": _notice(
        "Your phone number was changed", "It was {{ .OldPhone }} and is {{ .Phone }} now."
    ),
    "identity_linked_notification": _notice(
        "A new way to sign in", "The account {{ .Email }} can now be opened with {{ .Provider }}."
    ),
    "identity_unlinked_notification": _notice(
        "A way to sign in is gone", "The account {{ .Email }} can no longer be opened with {{ .Provider }}."
    ),
    "mfa_factor_enrolled_notification": _notice(
        "A new second factor", "Your account now also asks for: {{ .FactorType }}."
    ),
    "mfa_factor_unenrolled_notification": _notice(
        "A second factor is gone", "Your account no longer asks for: {{ .FactorType }}."
    ),
}


def text_of(kind: str, settings: AuthSettings, html: str, known: str) -> str:
    """The mail for who reads no HTML: `known` says what our own template does, a project's is read out."""
    return plain_text(html) + "\n" if getattr(settings, f"mailer_templates_{kind}") else known


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
