"""docs/machines.md: which wheel of each locked package every machine gets that we say we run on.

pip chooses them from its index, as it would on that machine; nothing is installed.

    python -m tests.release.machines > docs/machines.md
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PYTHONS = ("3.11", "3.12", "3.13")
LIMIT_SECONDS = 900


@dataclass(frozen=True)
class Machine:
    """A kind of machine, and the tags of wheels that it takes, best first."""

    name: str
    tags: tuple[str, ...]


def _linux(processor: str) -> tuple[str, ...]:
    # What asks for no newer glibc than 2.28, down to manylinux2014.
    newer = [f"manylinux_2_{minor}_{processor}" for minor in range(28, 16, -1)]
    return (*newer, f"manylinux2014_{processor}")


def _mac(processor: str, oldest: int, newest: int) -> tuple[str, ...]:
    both = [f"macosx_{major}_0_{kind}" for major in range(newest, oldest - 1, -1) for kind in (processor, "universal2")]
    older = [f"macosx_10_{minor}_{kind}" for minor in range(16, 8, -1) for kind in (processor, "universal2")]
    return (*both, *(older if processor == "x86_64" else ()))


MACHINES = (
    Machine("Linux x86_64", _linux("x86_64")),
    Machine("Linux aarch64", _linux("aarch64")),
    Machine("macOS arm64", _mac("arm64", 11, 14)),
    Machine("macOS x86_64", _mac("x86_64", 11, 14)),
)


def chosen(machine: Machine, python: str, lock: Path) -> dict[str, str]:
    """The wheel of each package of `lock`, by the package's name; empty for one that has none there."""
    with tempfile.TemporaryDirectory() as folder:
        left, lacking = Path(folder, "lock"), dict[str, str]()
        left.write_text(lock.read_text())
        while isinstance(found := _ask_pip(machine, python, left), str):
            lacking[found] = ""
            left.write_text(re.sub(rf"^{re.escape(found)}==(?:.*\\\n)*.*\n", "", left.read_text(), flags=re.M))
        return found | lacking


def _ask_pip(machine: Machine, python: str, lock: Path) -> dict[str, str] | str:
    """The wheels, or the name of the first package that has none. Raises CalledProcessError for anything else."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        asked = [word for tag in machine.tags for word in ("--platform", tag)]
        target = ["--python-version", python, "--implementation", "cp", "--only-binary=:all:"]
        command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--quiet", "--no-deps"]
        files = ["--target", f"{folder}/none", "--report", str(report), "-r", str(lock)]
        ended = subprocess.run(
            [*command, *target, *asked, *files], check=False, timeout=LIMIT_SECONDS, stderr=subprocess.PIPE, text=True
        )
        if missing := re.search(r"No matching distribution found for ([\w.-]+)==", ended.stderr):
            return missing[1]
        ended.check_returncode()
        found = json.loads(report.read_text())["install"]
    return {item["metadata"]["name"].lower(): item["download_info"]["url"].rpartition("/")[2] for item in found}


def tag(wheel: str) -> str:
    """What a wheel's name says of the machines it is for.

    >>> tag("asyncpg-0.32.0-cp312-cp312-macosx_11_0_arm64.whl"), tag("anyio-4.16.0-py3-none-any.whl")
    ('cp312-cp312-macosx_11_0_arm64', 'any')
    """
    parts = wheel.removesuffix(".whl").split("-")[-3:]
    return "any" if parts[2] == "any" else "-".join(parts)


def render(found: Mapping[str, Mapping[str, Mapping[str, str]]]) -> str:
    """The document; `found` is machine → Python → package → wheel."""
    compiled = sorted({name for by_python in found.values() for wheels in by_python.values() for name in wheels})
    pythons = list(next(iter(found.values())))
    lines = [
        "# Machines",
        "",
        f"Made by `python -m tests.release.machines` from `requirements.lock`, for Python {', '.join(pythons)}: which",
        "wheel of a package pip takes on each machine, where it is not one that runs anywhere. What has **none** is",
        "compiled there, which asks for a compiler.",
        "",
        f"| package | {' | '.join(found)} |",
        f"|---|{'---|' * len(found)}",
    ]
    for name in compiled:
        cells = [_cell([wheels[name] for wheels in by_python.values()]) for by_python in found.values()]
        if set(cells) != {"`any`"}:
            lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cell(wheels: list[str]) -> str:
    """The tag of the last one, which is that of the newest Python; what has none anywhere is loud."""
    return f"`{tag(wheels[-1])}`" if all(wheels) else "**none**"


if __name__ == "__main__":
    asked = sys.argv[1:] or PYTHONS
    lock = ROOT / "requirements.lock"
    wheels = {machine.name: {python: chosen(machine, python, lock) for python in asked} for machine in MACHINES}
    print(render(wheels), end="")  # noqa: T201
