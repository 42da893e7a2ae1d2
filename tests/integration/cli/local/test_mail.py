"""The port on which `minato start` shows mail."""

from __future__ import annotations

import socket
from pathlib import Path

import httpx

from tests.support.local_project import LocalProject, local_project

CONFIRMED = "[auth.email]\nenable_confirmations = true\n"


def sign_up(values: dict[str, str]) -> None:
    asked = {"email": "anna@example.com", "password": "a-long-password"}
    headers = {"apikey": values["ANON_KEY"]}
    answer = httpx.post(f"{values['API_URL']}/auth/v1/signup", json=asked, headers=headers, timeout=30)
    assert answer.status_code == 200, answer.text


def test_a_projects_mail_is_read_where_status_says(tmp_path: Path) -> None:
    with local_project(tmp_path, config=CONFIRMED) as project:
        started = project.start()
        values = project.values()
        assert values["MAILPIT_URL"] == values["INBUCKET_URL"] != values["API_URL"]
        assert "Mailpit" in started.stdout
        sign_up(values)
        (message,) = httpx.get(f"{values['MAILPIT_URL']}/api/v1/messages").json()["messages"]
        assert message["To"] == [{"Name": "", "Address": "anna@example.com"}]
        assert message["From"] == {"Name": "Admin", "Address": "admin@email.com"}
        assert httpx.get(values["MAILPIT_URL"], follow_redirects=True).status_code == 200
        project.minato("stop")
        with socket.socket() as probe:
            assert probe.connect_ex(("127.0.0.1", httpx.URL(values["MAILPIT_URL"]).port or 0)) != 0


def test_nobody_listens_for_who_wants_no_mail(tmp_path: Path) -> None:
    with local_project(tmp_path, config="[inbucket]\nenabled = false") as project:
        project.start()
        assert "MAILPIT_URL" not in project.values()
        assert "supabase_inbucket_app" in project.minato("status").stderr


def test_the_mail_catcher_is_left_out_by_its_name(project: LocalProject) -> None:
    project.start("--exclude", "mailpit")
    assert {"MAILPIT_URL", "INBUCKET_URL"}.isdisjoint(project.values())


def test_a_taken_mail_port_is_told_in_a_sentence_and_leaves_no_data(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, socket.create_server(("127.0.0.1", 0)) as free:
        port, api = taken.getsockname()[1], free.getsockname()[1]
        free.close()
        with local_project(tmp_path, config=f"[api]\nport = {api}\n[inbucket]\nport = {port}") as project:
            failed = project.minato("start")
            assert failed.returncode == 1
            assert f"Mail can't be shown on port {port}" in failed.stderr
            assert not (project.data / "postgres").exists()


def test_mail_is_told_under_the_host_name_that_was_asked_for(project: LocalProject) -> None:
    project.start(SUPABASE_SERVICES_HOSTNAME="localhost")
    url = project.values()["MAILPIT_URL"]
    assert url.startswith("http://localhost:")
    assert httpx.get(f"{url}/api/v1/messages").json()["total"] == 0
