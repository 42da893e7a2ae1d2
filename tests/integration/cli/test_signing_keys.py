"""`minato gen signing-key` and `gen bearer-jwt`: keys of a project's own, and tokens its server believes."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from minato.cli.published import CLI_JWT_SECRET
from minato.config.server import ServerSettings
from minato.tokens.api_keys import derive_api_keys

from tests.support.local_project import LocalProject, local_project

WITH_FILE = '[auth]\nsigning_keys_path = "./keys.json"\n'


@pytest.fixture
def project(tmp_path: Path) -> Iterator[LocalProject]:
    with local_project(tmp_path) as found:
        yield found


def claims_of(token: str) -> dict[str, object]:
    return segment_of(token, 1)


def header_of(token: str) -> dict[str, object]:
    return segment_of(token, 0)


def segment_of(token: str, number: int) -> dict[str, object]:
    segment = token.split(".")[number]
    found: dict[str, object] = json.loads(base64.urlsafe_b64decode(segment + "=" * (-len(segment) % 4)))
    return found


@pytest.mark.parametrize(("arguments", "kind"), [((), "EC"), (("--algorithm", "RS256"), "RSA")])
def test_a_key_is_one_line_of_json(project: LocalProject, arguments: tuple[str, ...], kind: str) -> None:
    ended = project.minato("gen", "signing-key", *arguments)
    assert ended.stdout.count("\n") == 1
    key = json.loads(ended.stdout)
    assert (key["kty"], key["key_ops"], key["ext"]) == (kind, ["sign", "verify"], True)
    assert 'signing_keys_path = "./signing_keys.json"' in ended.stderr


def test_keys_go_into_the_projects_file(project: LocalProject) -> None:
    project.write("config.toml", WITH_FILE)
    file = project.root / "supabase/keys.json"
    first = project.minato("gen", "signing-key")
    assert "JWT signing key appended to: supabase/keys.json (now contains 1 keys)" in first.stderr
    assert first.stdout == ""
    project.minato("gen", "signing-key", "--append", "--algorithm", "RS256")
    kept = json.loads(file.read_text())
    assert [key["alg"] for key in kept] == ["ES256", "RS256"]
    assert file.stat().st_mode & 0o777 == 0o600
    asked = project.minato("gen", "signing-key", "--yes")
    assert "Do you want to overwrite the existing supabase/keys.json file? [Y/n] y" in asked.stderr
    assert len(json.loads(file.read_text())) == 1


@pytest.mark.parametrize("config", ["", WITH_FILE])
def test_a_token_is_believed_by_the_projects_server(project: LocalProject, config: str) -> None:
    project.write("config.toml", config)
    if config:
        project.minato("gen", "signing-key")
    project.start()
    project.sql("insert into notes values (1, 'x') returning id")
    values = project.values()
    headers = {"apikey": values["ANON_KEY"]}

    def rows(role: str) -> object:
        token = project.minato("gen", "bearer-jwt", "--role", role).stdout.strip()
        given = {**headers, "Authorization": f"Bearer {token}"}
        return httpx.get(f"{values['REST_URL']}/notes?select=id", headers=given).json()

    assert rows("service_role") == [{"id": 1}]
    assert rows("authenticated") == []


def test_a_projects_first_key_signs_its_api_keys_too(project: LocalProject) -> None:
    project.write("config.toml", WITH_FILE)
    project.minato("gen", "signing-key")
    project.minato("gen", "signing-key", "--append", "--algorithm", "RS256")
    [first, second] = json.loads((project.root / "supabase/keys.json").read_text())
    project.start()
    project.sql("insert into notes values (1, 'x') returning id")
    values = project.values()
    for name, role, rows in (("ANON_KEY", "anon", []), ("SERVICE_ROLE_KEY", "service_role", [{"id": 1}])):
        key = values[name]
        assert header_of(key) == {"alg": "ES256", "kid": first["kid"], "typ": "JWT"}
        claims = claims_of(key)
        assert (claims["iss"], claims["role"]) == ("supabase-demo", role)
        for given in (key, secret_key_of(role)):
            answer = httpx.get(f"{values['REST_URL']}/notes?select=id", headers={"apikey": given})
            assert answer.json() == rows
    published = httpx.get(f"{values['API_URL']}/auth/v1/.well-known/jwks.json").json()["keys"]
    assert [key["kid"] for key in published] == [first["kid"], second["kid"]]


def test_one_setting_lets_the_secret_sign_and_status_names_it(project: LocalProject) -> None:
    project.start()
    assert "hs256_tokens = true" in project.minato("status").stderr
    assert "hs256_tokens" not in project.minato("status", "-o", "env").stderr
    before = signed_up(project, "a@example.com")
    assert header_of(before)["alg"] == "ES256"
    project.minato("stop")
    project.write("minato.toml", "[development]\nhs256_tokens = true\n")
    project.start()
    assert "hs256_tokens" not in project.minato("status").stderr
    after = signed_up(project, "b@example.com")
    assert header_of(after) == {"alg": "HS256", "typ": "JWT"}
    auth = f"{project.values()['API_URL']}/auth/v1/user"
    for token in (before, after):
        assert httpx.get(auth, headers={"authorization": f"Bearer {token}"}).status_code == 200


def signed_up(project: LocalProject, address: str) -> str:
    """The access token of a new account."""
    values = project.values()
    url, headers = f"{values['API_URL']}/auth/v1/signup", {"apikey": values["ANON_KEY"]}
    answer = httpx.post(url, json={"email": address, "password": "secret-1"}, headers=headers)
    return str(answer.json()["access_token"])


def secret_key_of(role: str) -> str:
    """The key of that role as it is everywhere else."""
    keys = derive_api_keys(CLI_JWT_SECRET, ServerSettings.model_validate({}))
    return keys.anon if role == "anon" else keys.service_role


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "failed to read signing keys: "),
        ("{", "failed to decode signing keys: "),
        ('{"keys": []}', "failed to decode signing keys: "),
        ('[{"kty": "oct", "alg": "HS256", "k": "eA"}]', "unsupported algorithm: HS256"),
        (
            '[{"kty": "EC", "alg": "ES256", "crv": "P-256", "x": "eA", "y": "eA"}]',
            "failed to convert JWK to private key",
        ),
        (
            '[{"kty": "EC", "alg": "ES256", "crv": "P-256", "x": "eA", "y": "eA", "d": "eA"}]',
            "failed to convert JWK to private key",
        ),
    ],
)
def test_a_file_without_a_usable_key_stops_the_start(project: LocalProject, content: str | None, sentence: str) -> None:
    project.write("config.toml", WITH_FILE)
    if content is not None:
        project.write("keys.json", content)
    ended = project.minato("start", "--port", "0")
    assert ended.returncode == 1
    assert sentence in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_token_says_what_was_asked_for(project: LocalProject) -> None:
    def claims(*arguments: str) -> dict[str, object]:
        ended = project.minato("gen", "bearer-jwt", *arguments)
        assert ended.returncode == 0, ended.stderr
        return claims_of(ended.stdout)

    when = ("--exp", "2026-01-01T01:00:00Z", "--valid-for", "1h")
    assert claims("--role", "authenticated", *when) == {
        **{"role": "authenticated", "is_anonymous": True},
        **{"iat": 1767225600, "exp": 1767229200},
    }
    known = claims("--role", "authenticated", "--sub", "me", "--payload", '{"aud": "app", "exp": 7}')
    assert (known["sub"], known["aud"], known["exp"]) == ("me", "app", 7)
    assert "is_anonymous" not in known


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("bearer-jwt",), 'required flag(s) "role" not set'),
        (("bearer-jwt", "--role", "x", "--payload", "{"), "failed to parse payload: "),
        (("bearer-jwt", "--role", "x", "--valid-for", "soon"), 'time: invalid duration "soon"'),
        (("bearer-jwt", "--role", "x", "--exp", "tomorrow"), 'invalid argument "tomorrow" for "--exp" flag'),
        (("signing-key", "--algorithm", "HS256"), "must be one of [ RS256 | ES256 ]"),
    ],
)
def test_wrong_flags_are_refused(project: LocalProject, arguments: tuple[str, ...], sentence: str) -> None:
    ended = project.minato("gen", *arguments)
    assert ended.returncode == 1
    assert sentence in ended.stderr


def test_keys_of_hosted_branches_are_refused_with_the_way_to_local_ones(project: LocalProject) -> None:
    refused = project.minato("gen", "keys")
    assert refused.stderr.splitlines()[:2] == [
        'Command "keys" is deprecated, use "gen signing-key" instead.',
        "must set the --experimental flag to run this command",
    ]
    asked = project.minato("gen", "keys", "--experimental", "--project-ref", "a" * 20, "--override-name", "db.host=X")
    assert (refused.returncode, asked.returncode, asked.stdout) == (1, 1, "")
    assert "minato status -o env" in asked.stderr
