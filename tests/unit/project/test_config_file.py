"""`supabase/config.toml`: every key of the Supabase CLI has its row, its value and its type."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from minato.cli.local.init import TEMPLATE
from minato.config.supabase_toml import THIRD_PARTY, environment_name
from minato.project.config_file import ProjectConfig, find_key, read_config
from minato.project.config_keys import KEYS
from minato.project.errors import ProjectError
from minato.project.workdir import Workdir

# From the CLI's template and its documentation; `a` stands for names the file chooses.
CONTRACT = (Path(__file__).parent / "config_keys.txt").read_text().split()
# Below auth, what supabase_toml translates by itself.
TRANSLATED = {
    "password_requirements",
    *THIRD_PARTY,
    *(f"sms.{name}.enabled" for name in ("twilio", "messagebird", "textlocal", "vonage")),
}


def config(tmp_path: Path, text: str, **environment: str) -> ProjectConfig:
    workdir = Workdir(tmp_path)
    workdir.supabase.mkdir(exist_ok=True)
    workdir.config_file.write_text(text)
    return read_config(workdir, environment)


def test_every_key_of_the_contract_has_a_row() -> None:
    assert len(CONTRACT) > 200
    assert [name for name in CONTRACT if find_key(tuple(name.split("."))) is None] == []


def test_every_row_is_of_the_contract() -> None:
    rows = {key.name for name in CONTRACT if (key := find_key(tuple(name.split(".")))) is not None}
    # Kept for files of older versions of the CLI; whole tables whose names the file chooses.
    older = {"auth.email.template.<name>.content", "auth.email.notification.<name>.content"}
    tables = {"storage.analytics.buckets.<name>", "storage.vector.buckets.<name>"}
    assert {key.name for key in KEYS} - rows - older - tables == set()


def test_every_row_has_a_setting_or_says_why_not() -> None:
    assert [key.name for key in KEYS if bool(key.setting) == bool(key.why)] == []


def test_every_auth_row_has_its_setting() -> None:
    names = [key.name.removeprefix("auth.") for key in KEYS if key.setting == "auth"]
    plain = [name.replace("<name>", "name") for name in names if name not in TRANSLATED]
    assert [name for name in plain if environment_name(name) is None] == []


def test_the_template_says_the_defaults(tmp_path: Path) -> None:
    said = config(tmp_path, TEMPLATE.read_text().replace("{{project_id}}", tmp_path.name))
    silent = config(tmp_path, "")
    assert said.warnings == []
    assert {name: said.values[name] for name in silent.values} == silent.values | {("project_id",): tmp_path.name}
    assert tomllib.loads(TEMPLATE.read_text())["api"]["port"] == 54321


def test_the_environment_overrides_the_file_and_the_file_the_defaults(tmp_path: Path) -> None:
    found = config(tmp_path, "[api]\nport = 1\nmax_rows = 2\n[db]\nport = 3", SUPABASE_API_PORT="9")
    names = ("api.port", "api.max_rows", "db.port", "local_smtp.port")
    assert [found.number(name) for name in names] == [9, 2, 3, 54324]


def test_a_file_that_an_editor_of_windows_began_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    assert config(tmp_path, "\ufeff[api]\r\nport = 7\r\n").number("api.port") == 7


@pytest.mark.parametrize(
    ("before", "today"),
    [
        ("[inbucket]\nport = 7", "local_smtp.port"),
        ("[auth.sms]\nenable_signup = true", "auth.sms.enabled"),
        ("[auth.email]\nenable_signup = false", "auth.email.enabled"),
    ],
)
def test_keys_count_by_the_names_they_had_before(tmp_path: Path, before: str, today: str) -> None:
    found, silent = config(tmp_path, before), config(tmp_path, "")
    assert found.values[tuple(today.split("."))] != silent.values[tuple(today.split("."))]
    assert found.warnings == []


def test_where_a_file_has_both_names_todays_counts(tmp_path: Path) -> None:
    found = config(tmp_path, "[local_smtp]\nport = 8\n[inbucket]\nport = 7\nsmtp_port = 9\n")
    assert (found.number("local_smtp.port"), found.number("local_smtp.smtp_port")) == (8, 9)
    assert not config(tmp_path, "[auth.email]\nenabled = false\nenable_signup = true").flag("auth.email.enabled")
    assert config(tmp_path, "", SUPABASE_INBUCKET_PORT="6").number("local_smtp.port") == 6
    both = {"SUPABASE_INBUCKET_PORT": "6", "SUPABASE_LOCAL_SMTP_PORT": "5"}
    assert config(tmp_path, "[local_smtp]\nport = 8", **both).number("local_smtp.port") == 5


@pytest.mark.parametrize("name", ["config.json", "config.jsonc"])
def test_a_file_of_json_stands_for_the_one_of_toml(tmp_path: Path, name: str) -> None:
    (tmp_path / "supabase").mkdir()
    text = '{"$schema": "https://a.b", "api": {"port": 7, /* a // */ "schemas": ["a,]"], /* b */}, // c\n } // end'
    (tmp_path / "supabase" / name).write_text(text)
    alone = read_config(Workdir(tmp_path), {})
    assert (alone.number("api.port"), alone.items("api.schemas"), alone.warnings) == (7, ["a,]"], [])
    (tmp_path / "supabase" / "config.toml").write_text("[api]\nport = 8")
    both = read_config(Workdir(tmp_path), {})
    assert both.number("api.port") == 7
    assert both.warnings == [
        f"Ignoring supabase/config.toml because supabase/{name} takes precedence. Delete the file you don't use."
    ]


def test_two_files_of_json_are_one_too_many(tmp_path: Path) -> None:
    (tmp_path / "supabase").mkdir()
    for name in ("config.json", "config.jsonc"):
        (tmp_path / "supabase" / name).write_text("{}")
    with pytest.raises(ProjectError, match="Keep one and delete the other"):
        read_config(Workdir(tmp_path), {})


@pytest.mark.parametrize("text", ["{", "[]", '{"api": ' + "[" * 100_000])
def test_json_that_is_none_is_told_in_a_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "supabase").mkdir()
    (tmp_path / "supabase" / "config.json").write_text(text)
    with pytest.raises(ProjectError, match=r"failed to parse config: .*config\.json"):
        read_config(Workdir(tmp_path), {})


def test_variables_stand_in_values_of_every_type(tmp_path: Path) -> None:
    api = '[api]\nport = "env(P)"\nschemas = ["public", "env(S)"]\n'
    auth = '[auth]\nenable_signup = "env(B)"\nsite_url = "env(NONE)"'
    found = config(tmp_path, api + auth, P="7", S="app", B="false")
    assert (found.number("api.port"), found.items("api.schemas")) == (7, ["public", "app"])
    assert (found.flag("auth.enable_signup"), found.text("auth.site_url")) == (False, "env(NONE)")
    assert found.warnings == ["WARN: environment variable is unset: NONE"]


def test_a_secret_whose_variable_is_unset_is_not_set(tmp_path: Path) -> None:
    found = config(tmp_path, '[auth]\njwt_secret = "env(NONE)"')
    assert found.values[("auth", "jwt_secret")] is None


def test_what_is_switched_off_wants_no_variables(tmp_path: Path) -> None:
    text = '[auth.external.apple]\nenabled = false\nsecret = "env(NONE)"'
    assert config(tmp_path, text).warnings == []


def test_what_is_unknown_or_without_counterpart_is_named_once(tmp_path: Path) -> None:
    found = config(tmp_path, "[api]\nnonsense = 1\n[api.tls]\nenabled = true\n[db.pooler]\nenabled = false")
    assert sorted(sentence.split()[0] for sentence in found.warnings) == ["api.nonsense", "api.tls.enabled"]
    assert any("the server speaks http" in sentence for sentence in found.warnings)


def test_names_the_file_chose_are_told_in_its_order(tmp_path: Path) -> None:
    text = '[storage.buckets.zoo]\npublic = true\n[storage.buckets."a.b"]\nfile_size_limit = "5MB"'
    assert config(tmp_path, text).below("storage.buckets") == {
        "zoo": {"public": True},
        "a.b": {"file_size_limit": 5242880},
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[api", "failed to parse config"),
        ('[api]\nport = "x"', "'api.port' expected type int"),
        ("[api]\nport = -1", "'api.port' expected type int"),
        ("[api]\nport = 70000", "'api.port' must be at most 65535"),
        ("[db]\nport = 65536", "'db.port' must be at most 65535"),
        ("[inbucket]\nsmtp_port = 99999", "'local_smtp.smtp_port' must be at most 65535"),
        ("[edge_runtime]\ninspector_port = 99999", "'edge_runtime.inspector_port' must be at most 65535"),
        ("[api]\nport = 0", "Missing required field in config: api.port"),
        ('[storage]\nfile_size_limit = "much"', "'storage.file_size_limit' expected type size"),
        ('project_id = "..."', "Missing required field in config: project_id"),
    ],
)
def test_what_is_wrong_is_told_in_a_sentence(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ProjectError) as caught:
        config(tmp_path, text)
    assert said in str(caught.value)


def test_the_projects_id_is_cleaned(tmp_path: Path) -> None:
    found = config(tmp_path, 'project_id = "My shop!"')
    assert found.project_id == "My_shop_"
    assert found.warnings == ["WARN: project_id field in config is invalid. Auto-fixing to My_shop_"]
    assert config(tmp_path, "").project_id == tmp_path.name
    assert config(tmp_path, "", SUPABASE_PROJECT_ID="other").project_id == "other"


def test_what_is_of_hosted_projects_is_named_once_each(tmp_path: Path) -> None:
    text = '[remotes.staging]\nproject_id = "abcdefghijklmnopqrst"\n[remotes.live.api]\nmax_rows = 5\n'
    found = config(tmp_path, text)
    assert found.warnings == [
        "[remotes.staging] in config.toml is of a hosted project and is left out.",
        "[remotes.live] in config.toml is of a hosted project and is left out.",
    ]
    assert found.number("api.max_rows") == 1000


def test_an_encrypted_secret_is_named_and_never_taken_for_its_text(tmp_path: Path) -> None:
    text = '[auth.external.github]\nsecret = "encrypted:AAAA"\n[db.vault]\nkey = "env(KEY)"\n'
    found = config(tmp_path, text, KEY="encrypted:BBBB")
    assert found.warnings == [
        f"{name} in config.toml is encrypted: it counts as not set without DOTENV_PRIVATE_KEY."
        for name in ("auth.external.github.secret", "db.vault.key")
    ]
    assert found.values["auth", "external", "github", "secret"] is None
    assert found.values["db", "vault", "key"] is None
