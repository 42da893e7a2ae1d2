"""Where each provider is: the stand-in of the other tests takes the place of every host; this notices a wrong one."""

from __future__ import annotations

import pytest
from minato.auth.providers.records import RECORDS

# Where people are sent, where the code is traded, who tells who they are (without its query).
# A provider that is not here has its URLs from a discovery document or from the settings.
URLS = {
    "azure": (
        "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
        "https://login.microsoftonline.com/common/oauth2/v2.0/token",
    ),
    "bitbucket": (
        "https://bitbucket.org/site/oauth2/authorize",
        "https://bitbucket.org/site/oauth2/access_token",
        "https://api.bitbucket.org/2.0/user",
    ),
    "discord": (
        "https://discord.com/api/oauth2/authorize",
        "https://discord.com/api/oauth2/token",
        "https://discord.com/api/users/@me",
    ),
    "facebook": (
        "https://www.facebook.com/dialog/oauth",
        "https://graph.facebook.com/oauth/access_token",
    ),
    "snapchat": (
        "https://accounts.snapchat.com/accounts/oauth2/auth",
        "https://accounts.snapchat.com/accounts/oauth2/token",
        "https://kit.snapchat.com/v1/me",
    ),
    "figma": (
        "https://www.figma.com/oauth",
        "https://api.figma.com/v1/oauth/token",
        "https://api.figma.com/v1/me",
    ),
    "fly": (
        "https://api.fly.io/oauth/authorize",
        "https://api.fly.io/oauth/token",
        "https://api.fly.io/oauth/token/info",
    ),
    "github": (
        "https://github.com/login/oauth/authorize",
        "https://github.com/login/oauth/access_token",
        "https://api.github.com/user",
    ),
    "gitlab": (
        "https://gitlab.com/oauth/authorize",
        "https://gitlab.com/oauth/token",
        "https://gitlab.com/api/v4/user",
    ),
    "kakao": (
        "https://kauth.kakao.com/oauth/authorize",
        "https://kauth.kakao.com/oauth/token",
        "https://kapi.kakao.com/v2/user/me",
    ),
    "linkedin": (
        "https://api.linkedin.com/oauth/v2/authorization",
        "https://api.linkedin.com/oauth/v2/accessToken",
        "https://api.linkedin.com/v2/me",
    ),
    "linkedin_oidc": (
        "https://api.linkedin.com/oauth/v2/authorization",
        "https://api.linkedin.com/oauth/v2/accessToken",
    ),
    "notion": (
        "https://api.notion.com/v1/oauth/authorize",
        "https://api.notion.com/v1/oauth/token",
        "https://api.notion.com/v1/users/me",
    ),
    "spotify": (
        "https://accounts.spotify.com/authorize",
        "https://accounts.spotify.com/api/token",
        "https://api.spotify.com/v1/me",
    ),
    "slack": (
        "https://slack.com/oauth/authorize",
        "https://slack.com/api/oauth.access",
        "https://slack.com/api/openid.connect.userInfo",
    ),
    "slack_oidc": (
        "https://slack.com/openid/connect/authorize",
        "https://slack.com/api/openid.connect.token",
        "https://slack.com/api/openid.connect.userInfo",
    ),
    "workos": (
        "https://api.workos.com/sso/authorize",
        "https://api.workos.com/sso/token",
    ),
    "twitch": (
        "https://id.twitch.tv/oauth2/authorize",
        "https://id.twitch.tv/oauth2/token",
        "https://api.twitch.tv/helix/users",
    ),
    "twitter": (
        "https://api.twitter.com/oauth/authenticate",
        "https://api.twitter.com/oauth/access_token",
    ),
    "x": (
        "https://x.com/i/oauth2/authorize",
        "https://api.x.com/2/oauth2/token",
        "https://api.x.com/2/users/me",
    ),
    "vercel_marketplace": (
        "https://api.vercel.com/oauth/v2/authorization",
        "https://api.vercel.com/oauth/v2/accessToken",
    ),
    "zoom": (
        "https://zoom.us/oauth/authorize",
        "https://zoom.us/oauth/token",
        "https://api.zoom.us/v2/users/me",
    ),
}
RECORD = {record.name: record for record in RECORDS}
FOUND_OUT = {"apple", "google", "keycloak"}


def test_every_provider_has_its_addresses_here_or_learns_them() -> None:
    assert set(URLS) | FOUND_OUT == set(RECORD)


@pytest.mark.parametrize("name", URLS)
def test_a_provider_is_asked_where_it_is(name: str) -> None:
    record = RECORD[name]
    asked = [record.url(record.authorize, ""), record.url(record.token, "")]
    if record.userinfo:
        asked.append((record.api_url("") + record.userinfo).partition("?")[0])
    assert tuple(asked) == URLS[name]
