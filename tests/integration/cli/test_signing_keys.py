"""`minato gen signing-key` and `gen bearer-jwt`: keys of a project's own, and tokens its server believes."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.local_project import LocalProject, local_project

WITH_FILE = '[auth]\nsigning_keys_path = "./keys.json"\n'


@pytest.fixture
def project(tmp_path: Path) -> Iterator[LocalProject]:
    with local_project(tmp_path) as found:
        yield found


def claims_of(token: str) -> dict[str, object]:
    segment = token.split(".")[1]
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
