"""`supabase/minato.toml`: what is in it, and how a mistake in it is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from minato.config import Settings
from minato.config.example import environment_name, rooms
from minato.project.errors import ProjectError
from minato.project.folder import Project
from minato.project.minato_toml import DEFAULT_WEB, DEVELOPMENT, WEB_SETTINGS, MinatoToml, read_minato_toml
from pydantic import SecretStr

SECTIONS_TOLD = "[web], [db], [auth], [development], [mail], [storage], [start], [advisors]"


def written(tmp_path: Path, text: str) -> Project:
    (tmp_path / "supabase").mkdir(exist_ok=True)
    (tmp_path / "supabase" / "minato.toml").write_text(text)
    return Project(tmp_path)


def test_without_the_file_a_page_gets_what_supabase_js_needs(tmp_path: Path) -> None:
    for found in (read_minato_toml(None), read_minato_toml(Project(tmp_path))):
        assert found == MinatoToml()
        assert dict(found.web) == {"url": "public_url", "anonKey": "anon_key"}


def test_every_section_is_read(tmp_path: Path) -> None:
    text = (
        '[web]\nkey = "publishable_key"\n[start]\ndata_dir = "../data"\n'
        '[development]\nadmin_email = "a@b.c"\ndemo_mode = true\nweb_root = "../dist"\n'
        "hs256_tokens = true\n"
        '[auth]\nrequire_current_password = true\ntoken_hash_paths = ["/a", "/b"]\n'
        '[db]\nmissing_extensions = "skip"\n'
    )
    text += '[mail]\nnext = "shop.due"\ndone = "shop.over"\n[storage]\nunused_objects = "shop.old"\n'
    text += '[advisors]\n"no_primary_key public.log" = "Nobody asks for a line."\n'
    found = read_minato_toml(written(tmp_path, text))
    assert found.advisors == {"no_primary_key public.log": "Nobody asks for a line."}
    assert found.web == {"key": "publishable_key"}
    assert found.functions == {"mail.next": "shop.due", "mail.done": "shop.over", "storage.unused_objects": "shop.old"}
    assert found.data_dir == tmp_path / "data"
    assert found.database == {"MINATO_MISSING_EXTENSIONS": "skip"}
    assert found.development == {
        "MINATO_ADMIN_EMAIL": "a@b.c",
        "MINATO_DEMO_MODE": "true",
        "MINATO_WEB_ROOT": str(tmp_path / "dist"),
        "MINATO_HS256_TOKENS": "true",
    }
    assert found.auth == {
        "GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD": "true",
        "GOTRUE_MAILER_TOKEN_HASH_PATHS": "/a,/b",
    }
    assert found.settings(development=False) == {**found.database, **found.auth}
    assert found.settings(development=True) == {**found.database, **found.auth, **found.development}


def test_a_file_without_a_section_for_the_page_leaves_what_supabase_js_needs(tmp_path: Path) -> None:
    assert read_minato_toml(written(tmp_path, "[development]\n")).web == DEFAULT_WEB
    assert read_minato_toml(written(tmp_path, "[web]\n")).web == {}


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        (
            "[webb]\n",
            1,
            f"webb is not known here; known are {SECTIONS_TOLD}.",
        ),
        (
            '\nname = "x"\n',
            2,
            f"name is not known here; known are {SECTIONS_TOLD}.",
        ),
        ('[db]\nmissing_extensions = "leave"\n', 2, 'db.missing_extensions wants "refuse" or "skip".'),
        ("[db]\nmissing_extensions = true\n", 2, 'db.missing_extensions wants "refuse" or "skip".'),
        ('web = "x"\n', 1, "web is a section: [web]."),
        ('[web]\na = "anon_key"\nb = "jwt_secret"\n', 3, "web.b wants the name of a setting that a page may be told: "),
        ('[web]\n"b" = "service_role_key"\n', 2, "web.b wants the name of a setting that a page may be told: "),
        ("[web]\nb = true\n", 2, "web.b wants the name of a setting that a page may be told: "),
        ('[web]\n"__proto__" = "anon_key"\n', 2, "web.__proto__ is no name for a page"),
        ("[development]\ndemo = true\n", 2, "development.demo is not known; known are admin_email, demo_mode, "),
        ('[ "development" ]\n\ndemo_mode = "yes"\n', 3, "development.demo_mode wants true or false, without quotes."),
        ("[development]\nadmin_email = 1\n", 2, "development.admin_email wants a text, in quotes"),
        ('[development]\nweb_root = "/srv"\n', 2, "development.web_root wants a path relative to this file"),
        ("[start]\ndata_dir = 1\n", 2, "start.data_dir wants a path relative to this file"),
        (
            '[auth]\ntoken_hash_paths = "/a"\n',
            2,
            'auth.token_hash_paths wants texts in brackets: token_hash_paths = ["…"].',
        ),
        ('[auth]\ntoken_hash_paths = ["/a,/b"]\n', 2, "auth.token_hash_paths wants texts in brackets: "),
        (
            "[auth]\njwt_exp = 1\n",
            2,
            "auth.jwt_exp is not known; known are require_current_password, ",
        ),
        ("[start]\nport = 1\n", 2, "start.port is not known; known are data_dir."),
        ('[mail]\nnext = "private.next"\n', 2, "[mail] wants both next and done: "),
        ('[mail]\ndone = "private.done"\n', 2, "[mail] wants both next and done: "),
        (
            '[mail]\nnext = "next"\ndone = "p.d"\n',
            2,
            'mail.next wants a function with its schema: next = "private.next".',
        ),
        ('[storage]\nunused_objects = "p.f(); drop table a"\n', 2, "storage.unused_objects wants a function with its "),
        ('[storage]\nunused = "p.f"\n', 2, "storage.unused is not known; known are unused_objects."),
        ('[advisors]\n"public.notes" = "So it is."\n', 2, "advisors.public.notes wants a lint and a place: "),
        ('[advisors]\n"no_primary_key public.a" = " "\n', 2, "advisors.no_primary_key public.a wants the reason why"),
    ],
)
def test_a_mistake_is_told_with_file_line_and_what_is_known(
    tmp_path: Path, text: str, line: int, sentence: str
) -> None:
    project = written(tmp_path, text)
    with pytest.raises(ProjectError) as told:
        read_minato_toml(project)
    assert str(told.value).startswith(f"{tmp_path}/supabase/minato.toml:{line}: {sentence}")


def test_a_key_that_is_written_another_way_is_told_without_a_line(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match=r"minato\.toml: development\.demo_mode wants true or false"):
        read_minato_toml(written(tmp_path, "development.demo_mode = 1\n"))


@pytest.mark.parametrize("content", [b"[web\n", b"\xff\xfe", b"[web]\n[web]\n"])
def test_a_file_that_is_no_toml_is_refused_by_its_name(tmp_path: Path, content: bytes) -> None:
    project = written(tmp_path, "")
    (tmp_path / "supabase" / "minato.toml").write_bytes(content)
    with pytest.raises(ProjectError, match=r"supabase/minato\.toml: "):
        read_minato_toml(project)


def test_what_was_written_in_a_wrong_place_is_not_repeated(tmp_path: Path) -> None:
    with pytest.raises(ProjectError) as told:
        read_minato_toml(written(tmp_path, '[web]\nkey = "sb_secret_of-somebody"\n'))
    assert "of-somebody" not in str(told.value)


def test_every_key_for_development_is_a_setting() -> None:
    known = {environment_name(model, name, each) for _, model in rooms() for name, each in model.model_fields.items()}
    assert {setting for _, setting in DEVELOPMENT.values()} <= known


def test_no_secret_of_the_settings_has_a_name_a_page_could_be_told() -> None:
    secrets = {
        name
        for _, model in rooms()
        for name, each in model.model_fields.items()
        if SecretStr in (each.annotation, *getattr(each.annotation, "__args__", ()))
    }
    assert len(secrets) > 10
    assert secrets.isdisjoint(WEB_SETTINGS)
    # What a page is told besides settings of the server is derived, and public by its name.
    server = type(Settings().server).model_fields
    assert set(WEB_SETTINGS) - set(server) == set()
