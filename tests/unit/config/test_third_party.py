"""`[auth.third_party]` names one issuer, in the words of the Supabase CLI; addresses of issuers are safe ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from minato.cli.local.settings import Ports, ProjectFiles, project_settings
from minato.cli.unsafe_settings import setting_findings
from minato.config import Settings
from minato.config.server import ServerSettings
from minato.config.third_party import BAD_CLERK_DOMAIN, ONLY_ONE, why_no_issuer, why_unsafe
from minato.project.config_file import read_config
from minato.project.errors import ProjectError
from minato.project.workdir import Workdir
from pydantic import ValidationError

WITHOUT = "Invalid config: auth.third_party.{} is enabled but without a {}."
NAMED = {
    '[auth.third_party.firebase]\nenabled = true\nproject_id = "harbour"': "https://securetoken.google.com/harbour",
    # Auth0 ends what it calls itself in a slash.
    '[auth.third_party.auth0]\nenabled = true\ntenant = "harbour"': "https://harbour.auth0.com/",
    '[auth.third_party.auth0]\nenabled = true\ntenant = "harbour"\ntenant_region = "eu"': "https://harbour.eu.auth0.com/",
    '[auth.third_party.aws_cognito]\nenabled = true\nuser_pool_id = "eu_1"\nuser_pool_region = "eu-west-1"': (
        "https://cognito-idp.eu-west-1.amazonaws.com/eu_1"
    ),
    '[auth.third_party.clerk]\nenabled = true\ndomain = "clerk.harbour.example"': "https://clerk.harbour.example",
    '[auth.third_party.clerk]\nenabled = true\ndomain = "a-b.clerk.accounts.dev"': "https://a-b.clerk.accounts.dev",
    '[auth.third_party.workos]\nenabled = true\nissuer_url = "https://api.workos.com/user_management/c"': (
        "https://api.workos.com/user_management/c"
    ),
    '[auth.third_party.clerk]\nenabled = false\ndomain = "nonsense"': None,
    "": None,
}
CLERK = '[auth.third_party.clerk]\nenabled = true\ndomain = "clerk.harbour.example"\n'
WRONG = {
    "[auth.third_party.firebase]\nenabled = true": WITHOUT.format("firebase", "project_id"),
    "[auth.third_party.auth0]\nenabled = true": WITHOUT.format("auth0", "tenant"),
    "[auth.third_party.aws_cognito]\nenabled = true": WITHOUT.format("cognito", "user_pool_id"),
    '[auth.third_party.aws_cognito]\nenabled = true\nuser_pool_id = "eu_1"': WITHOUT.format(
        "cognito", "user_pool_region"
    ),
    "[auth.third_party.clerk]\nenabled = true": WITHOUT.format("clerk", "domain"),
    '[auth.third_party.clerk]\nenabled = true\ndomain = "harbour.example"': BAD_CLERK_DOMAIN,
    "[auth.third_party.workos]\nenabled = true": WITHOUT.format("workos", "issuer_url"),
    f'{CLERK}[auth.third_party.auth0]\nenabled = true\ntenant = "harbour"': ONLY_ONE,
}


def started(folder: Path, text: str) -> dict[str, str]:
    """The settings that `minato start` makes of a config.toml."""
    (folder / "supabase").mkdir()
    (folder / "supabase" / "config.toml").write_text(text)
    workdir = Workdir(folder)
    config = read_config(workdir, {})
    assert config.warnings == []
    return project_settings(ProjectFiles(workdir, config), folder / "data", {}, Ports())


@pytest.mark.parametrize("text", NAMED)
def test_a_provider_of_the_file_is_an_issuer_of_the_server(tmp_path: Path, text: str) -> None:
    settings = ServerSettings.of(started(tmp_path, text))
    assert settings.other_issuers == ((NAMED[text],) if NAMED[text] else ())
    assert settings.other_issuers_roles == frozenset({"anon", "authenticated"})


@pytest.mark.parametrize("text", WRONG)
def test_what_a_provider_lacks_keeps_the_project_from_starting_in_the_words_of_the_cli(
    tmp_path: Path, text: str
) -> None:
    with pytest.raises(ProjectError) as refused:
        started(tmp_path, text)
    assert str(refused.value) == WRONG[text]


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("https://clerk.harbour.example", None),
        ("https://harbour.eu.auth0.com/", None),
        ("http://127.0.0.1:9000", None),
        ("http://[::1]:9000", None),
        ("http://localhost:9000", None),
        ("http://harbour.example", "must be https, but at this machine itself"),
        ("http://127.0.0.1.harbour.example", "must be https, but at this machine itself"),
        ("https://user:word@harbour.example", "must be a URL without user, query and fragment"),
        ("https://harbour.example?", "must be a URL without user, query and fragment"),
        ("https://harbour.example#top", "must be a URL without user, query and fragment"),
        ("https://", "is no https URL"),
        ("file:///etc/passwd", "is no https URL"),
        ("ftp://harbour.example", "is no https URL"),
        ("harbour.example", "is no https URL"),
        ("https://harbour.example/a b", "is no https URL"),
        ("https://harbour.example:port", "is no URL"),
        ("https://[::1", "is no URL"),
    ],
)
def test_an_issuer_is_https_or_this_machine(url: str, said: str | None) -> None:
    assert why_no_issuer(url, production=False) == said
    assert (why_no_issuer(url, production=True) is None) == url.startswith("https://") if said is None else True


def test_keys_may_be_asked_for_with_a_query() -> None:
    assert why_unsafe("https://harbour.example/keys?p=sign-in", production=True) is None


def test_a_wrong_issuer_is_refused_in_a_sentence_and_several_are_taken() -> None:
    with pytest.raises(ValidationError, match=r"MINATO_THIRD_PARTY_ISSUERS: 'http://a\.example' must be https"):
        ServerSettings.of({"MINATO_THIRD_PARTY_ISSUERS": "https://b.example,http://a.example"})
    production = {"MINATO_ENVIRONMENT": "production", "MINATO_THIRD_PARTY_ISSUERS": "http://127.0.0.1:9000"}
    with pytest.raises(ValidationError, match="must be https in production"):
        ServerSettings.of(production)
    several = ServerSettings.of(
        {"MINATO_THIRD_PARTY_ISSUERS": " https://a.example , https://b.example,https://a.example"}
    )
    assert several.other_issuers == ("https://a.example", "https://b.example")
    assert ServerSettings.of({"MINATO_THIRD_PARTY_ISSUERS": ""}).other_issuers == ()


@pytest.mark.parametrize(
    ("roles", "found", "is_advised"),
    [
        ("anon,authenticated", {"anon", "authenticated"}, False),
        ("", set(), False),
        ("authenticated, editor", {"authenticated", "editor"}, False),
        ("*", None, True),
        ("authenticated,service_role", {"authenticated", "service_role"}, True),
    ],
)
def test_the_doctor_advises_against_roles_that_no_policy_binds(
    roles: str, found: set[str] | None, is_advised: bool
) -> None:
    given = {"MINATO_THIRD_PARTY_ISSUERS": "https://a.example", "MINATO_THIRD_PARTY_ROLES": roles}
    settings = Settings.of(given)
    assert settings.server.other_issuers_roles == found
    said = [str(one) for one in setting_findings(settings)]
    assert any("MINATO_THIRD_PARTY_ROLES" in sentence for sentence in said) is is_advised
