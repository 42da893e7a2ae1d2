"""Settings of what mails say: subjects and HTML, with the variables GoTrue gives its templates."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from minato.config.base import RoomSettings


def _text(given: str | None) -> str | None:
    """The HTML itself; `@file` names the file it is in. Nothing is fetched, so an address is refused."""
    if given is not None and given.startswith("@"):
        return Path(given[1:]).read_text()
    if given is not None and given.startswith(("http://", "https://")):
        raise ValueError("a mail template is HTML or @file, not an address")
    return given


Html = Annotated[str | None, AfterValidator(_text)]


def _switch(what: str) -> Any:
    return Field(False, description=f"Mail users of {what}.")


def _subject(text: str) -> object:
    return Field(text, description="Subject of that mail.")


def _html() -> Any:
    return Field(None, description="HTML of that mail, or @file.")


class MailTemplateSettings(RoomSettings):
    """`GOTRUE_MAILER_SUBJECTS_*`, `GOTRUE_MAILER_TEMPLATES_*` and `GOTRUE_MAILER_NOTIFICATIONS_*`."""

    mailer_subjects_confirmation: str = Field("Confirm your email address", description="Subject of signup mails.")
    mailer_subjects_invite: str = Field("You've been invited", description="Subject of invitations.")
    mailer_subjects_recovery: str = Field("Reset your password", description="Subject of recovery mails.")
    mailer_subjects_magic_link: str = Field("Your sign-in link", description="Subject of magic-link mails.")
    mailer_subjects_email_change: str = Field("Confirm your new email address", description="Subject of change mails.")
    mailer_subjects_reauthentication: str = Field(
        "{{ .Token }} is your verification code", description="Subject of reauthentication mails."
    )
    mailer_templates_confirmation: Html = Field(None, description="HTML of signup mails, or @file.")
    mailer_templates_invite: Html = Field(None, description="HTML of invitations, or @file.")
    mailer_templates_recovery: Html = Field(None, description="HTML of recovery mails, or @file.")
    mailer_templates_magic_link: Html = Field(None, description="HTML of magic-link mails, or @file.")
    mailer_templates_email_change: Html = Field(None, description="HTML of change mails, or @file.")
    mailer_templates_reauthentication: Html = Field(None, description="HTML of reauthentication mails, or @file.")

    mailer_notifications_password_changed_enabled: bool = _switch("a changed password")
    mailer_subjects_password_changed_notification: str = Field(
        "Your password was changed", description="Subject of that mail."
    )
    mailer_templates_password_changed_notification: Html = _html()
    mailer_notifications_email_changed_enabled: bool = Field(
        False, description="Mail users of a changed address, to the old one."
    )
    mailer_subjects_email_changed_notification: str = Field(
        "Your email address was changed", description="Subject of that mail."
    )
    mailer_templates_email_changed_notification: Html = _html()
    mailer_notifications_phone_changed_enabled: bool = _switch("a changed number")
    mailer_subjects_phone_changed_notification: str = Field(
        "Your phone number was changed", description="Subject of that mail."
    )
    mailer_templates_phone_changed_notification: Html = _html()
    mailer_notifications_identity_linked_enabled: bool = _switch("a new way to sign in")
    mailer_subjects_identity_linked_notification: str = Field(
        "A new sign-in method was linked to your account", description="Subject of that mail."
    )
    mailer_templates_identity_linked_notification: Html = _html()
    mailer_notifications_identity_unlinked_enabled: bool = Field(
        False, description="Mail users of a way to sign in that is gone."
    )
    mailer_subjects_identity_unlinked_notification: str = Field(
        "A sign-in method was removed from your account", description="Subject of that mail."
    )
    mailer_templates_identity_unlinked_notification: Html = _html()
    mailer_notifications_mfa_factor_enrolled_enabled: bool = Field(
        False, description="Mail users of a new second factor."
    )
    mailer_subjects_mfa_factor_enrolled_notification: str = Field(
        "A new verification method was added to your account", description="Subject of that mail."
    )
    mailer_templates_mfa_factor_enrolled_notification: Html = _html()
    mailer_notifications_mfa_factor_unenrolled_enabled: bool = Field(
        False, description="Mail users of a second factor that is gone."
    )
    mailer_subjects_mfa_factor_unenrolled_notification: str = Field(
        "A verification method was removed from your account", description="Subject of that mail."
    )
    mailer_templates_mfa_factor_unenrolled_notification: Html = _html()
