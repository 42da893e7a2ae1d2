"""The port on which `minato start` shows mail."""

from __future__ import annotations

import smtplib
import socket
from contextlib import ExitStack
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


def free_ports(count: int) -> list[int]:
    with ExitStack() as held:
        probes = [held.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [int(probe.getsockname()[1]) for probe in probes]


def ports(api: int, database: int, mail: int, smtp: int) -> str:
    return f"[api]\nport = {api}\n[db]\nport = {database}\n[inbucket]\nport = {mail}\nsmtp_port = {smtp}"


def test_programs_send_mail_to_the_port_that_the_project_names_for_it(tmp_path: Path) -> None:
    api, database, mail, smtp = free_ports(4)
    with local_project(tmp_path, config=ports(api, database, mail, smtp)) as project:
        started = project.minato("start")
        assert started.returncode == 0, started.stderr
        with smtplib.SMTP("127.0.0.1", smtp, timeout=30) as client:
            client.sendmail("shop@example.com", "anna@example.com", "Subject: Your order\r\n\r\nThank you.")
        (message,) = httpx.get(f"{project.values()['MAILPIT_URL']}/api/v1/messages").json()["messages"]
        assert message["Subject"] == "Your order"
        project.minato("stop")
        # Without the mail catcher, and where free ports are taken of which nobody is told, nobody listens.
        for options in (["--exclude", "mailpit"], ["--port", "0"]):
            assert project.minato("start", *options).returncode == 0
            with socket.socket() as probe:
                assert probe.connect_ex(("127.0.0.1", smtp)) != 0
            project.minato("stop")


def test_a_taken_smtp_port_is_told_in_a_sentence_and_leaves_no_data(tmp_path: Path) -> None:
    api, database, mail = free_ports(3)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        smtp = taken.getsockname()[1]
        with local_project(tmp_path, config=ports(api, database, mail, smtp)) as project:
            failed = project.minato("start")
            assert failed.returncode == 1
            assert f"Mail can't be taken on port {smtp}" in failed.stderr
            assert "as smtp_port of [local_smtp]" in failed.stderr
            assert not (project.data / "postgres").exists()


def test_mail_is_told_under_the_host_name_that_was_asked_for(project: LocalProject) -> None:
    project.start(SUPABASE_SERVICES_HOSTNAME="localhost")
    url = project.values()["MAILPIT_URL"]
    assert url.startswith("http://localhost:")
    assert httpx.get(f"{url}/api/v1/messages").json()["total"] == 0
