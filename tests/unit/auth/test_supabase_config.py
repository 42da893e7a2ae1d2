"""supabase/config.toml becomes settings, name by name; the table in docs/ is the one the code knows."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest
from minato.config.auth import AuthSettings
from minato.config.example import render_example
from minato.config.supabase_toml import NAMES, SupabaseConfig, environment_name, render_table, supabase_config

REPOSITORY = Path(__file__).parents[3]
FILE = """
[api]
port = 1
[auth]
enabled = true
site_url = "https://shop.example"
additional_redirect_urls = ["https://a.example", "https://b.example/**"]
jwt_expiry = 60
signing_keys_path = "./keys.json"
enable_signup = false
password_requirements = "letters_digits"
new_key = 1
[auth.rate_limit]
email_sent = 2
sign_in_sign_ups = 7
[auth.email]
enable_confirmations = true
max_frequency = "1s"
[auth.email.template.invite]
subject = "Come"
content_path = "./templates/invite.html"
[auth.email.notification.password_changed]
enabled = true
[auth.sms]
enable_signup = true
template = "{{ .Code }}"
[auth.sms.test_otp]
4152127777 = "123456"
[auth.sms.twilio]
enabled = true
auth_token = "env(A_TWILIO_TOKEN)"
[auth.sms.vonage]
enabled = false
[auth.sessions]
timebox = "24h"
[auth.hook.custom_access_token]
enabled = true
uri = "pg-functions://postgres/public/claims"
[auth.third_party.firebase]
enabled = false
"""


def read(path: Path, environment: Mapping[str, str]) -> SupabaseConfig:
    return supabase_config(tomllib.loads(path.read_text()), path.parent, environment)


def written(folder: Path, text: str) -> Path:
    path = folder / "supabase" / "config.toml"
    path.parent.mkdir()
    path.write_text(text)
    return path


def test_the_auth_section_becomes_settings(tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "invite.html").write_text("<p>Come in</p>")
    found = read(written(tmp_path, FILE), {"A_TWILIO_TOKEN": "from the environment"})
    assert found.unknown == ["auth.new_key"]
    assert found.settings["GOTRUE_JWT_KEYS"] == f"@{tmp_path}/supabase/keys.json"
    assert "GOTRUE_RATE_LIMIT_EMAIL_SENT" not in found.settings
    settings = AuthSettings.of(found.settings)
    assert settings.site_url == "https://shop.example"
    assert settings.allowed_redirects == ("https://a.example", "https://b.example/**")
    assert (settings.jwt_exp, settings.disable_signup, settings.mailer_autoconfirm) == (60, True, False)
    assert settings.required_characters == ("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789")
    assert (settings.rate_limit_otp, settings.smtp_max_frequency, settings.sessions_timebox) == (7, 1, 86400)
    assert (settings.mailer_subjects_invite, settings.mailer_templates_invite) == ("Come", "<p>Come in</p>")
    assert settings.mailer_notifications_password_changed_enabled
    assert (settings.sms_provider, settings.external_phone_enabled) == ("twilio", True)
    assert settings.sms_twilio_auth_token.get_secret_value() == "from the environment"
    assert settings.test_otps == {"4152127777": "123456"}
    point = settings.hook("custom_access_token")
    assert point is not None
    assert point.function == ("public", "claims")


def test_a_mail_server_counts_unless_it_is_switched_off(tmp_path: Path) -> None:
    text = '[auth.rate_limit]\nemail_sent = 2\n[auth.email.smtp]\nhost = "mail"\npass = "x"\nadmin_email = "a@b.c"\n'
    path = written(tmp_path, text)
    expected = {"SMTP_HOST": "mail", "SMTP_PASSWORD": "x", "SMTP_SENDER_EMAIL": "a@b.c"}
    assert read(path, {}).settings == {"GOTRUE_RATE_LIMIT_EMAIL_SENT": "2", **expected}
    path.write_text(text.replace("smtp]\n", "smtp]\nenabled = false\n"))
    assert read(path, {}).settings == {}


@pytest.mark.parametrize("name", ["email", "sms"])
def test_todays_name_counts_beside_the_former_one(tmp_path: Path, name: str) -> None:
    setting = {"email": "GOTRUE_EXTERNAL_EMAIL_ENABLED", "sms": "GOTRUE_EXTERNAL_PHONE_ENABLED"}[name]
    path = written(tmp_path, f"[auth.{name}]\nenable_signup = true\n")
    assert read(path, {}).settings == {setting: "true"}
    path.write_text(f"[auth.{name}]\nenabled = false\nenable_signup = true\n")
    assert read(path, {}).settings == {setting: "false"}
    path.write_text(f"[auth.{name}]\nenable_signup = false\nenabled = true\n")
    assert read(path, {}).settings == {setting: "true"}


def test_every_name_is_a_setting() -> None:
    known = set(re.findall(r"^# ([A-Z0-9_]+)=", render_example(), re.M))
    names = {name.removeprefix("!") for name in NAMES.values() if "<NAME>" not in name}
    examples = ("email.template.invite.subject", "email.template.magic_link.content_path", "hook.send_sms.secrets")
    names |= {environment_name(key) or "" for key in (*examples, "email.notification.email_changed.content")}
    names |= {environment_name("external.github.secret") or ""}
    assert names - known == set()


def test_the_table_is_the_one_the_code_knows() -> None:
    table = (REPOSITORY / "docs" / "supabase-config.md").read_text()
    assert table == render_table(), "python -m minato.config.supabase_toml > docs/supabase-config.md"


def test_another_issuer_of_the_file_becomes_a_setting_or_a_sentence(tmp_path: Path) -> None:
    clerk = "[auth.third_party.clerk]\nenabled = true\ndomain = 'env(CLERK_DOMAIN)'\n"
    path = written(tmp_path, clerk)
    found = read(path, {"CLERK_DOMAIN": "clerk.harbour.example"})
    assert found.unknown == []
    assert found.settings["MINATO_THIRD_PARTY_ISSUERS"] == "https://clerk.harbour.example"
    with pytest.raises(ValueError, match="is enabled but without a domain"):
        read(path, {})
