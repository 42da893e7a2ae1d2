"""What `functions logs` shows of lines that were written before, and of those that come."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from minato.cli.functions.logs import Wanted, follow_logs


def say(folder: Path, text: str) -> None:
    line = {"timestamp": "2026-01-01T00:00:00.000+00:00", "level": "info", "text": text, "request_id": ""}
    with (folder / "hello.log").open("a") as file:
        file.write(json.dumps(line) + "\n")


@pytest.mark.parametrize(("lines", "before"), [(0, []), (1, ["second"]), (None, ["first", "second"])])
def test_of_the_past_as_many_lines_are_shown_as_are_asked_for_and_then_what_comes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: int | None, before: list[str]
) -> None:
    for text in ("first", "second"):
        say(tmp_path, text)
    looks = iter([True, False])

    def goes_on() -> bool:
        say(tmp_path, "third" if (look := next(looks)) else "too late")
        return look

    follow_logs(tmp_path, Wanted([], lines=lines), goes_on)
    assert [line.split()[-1] for line in capsys.readouterr().out.splitlines()] == [*before, "third"]
