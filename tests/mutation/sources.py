"""Which wrong lines are tried: those on changed lines, or a random sample."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

from tests.mutation.operators import Mutant, mutants_of
from tests.support.command import REPOSITORY
from tests.support.touched import beginning, git

API = "api/minato"
ROOMS = ("auth", "rest", "storage", "realtime")
HUNK = re.compile(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", re.MULTILINE)
PER_LINE = 2


def sampled(count: int, seed: int, rooms: tuple[str, ...] = ROOMS) -> Iterator[Mutant]:
    """`count` wrong lines, as many of every room, no two in one function.

    A file is drawn by its length and in it first the kind of mistake, for two thirds of all are lost arguments.
    """
    for number, room in enumerate(rooms):
        random = Random(f"{seed} {room}")
        yield from _drawn(room, count // len(rooms) + (number < count % len(rooms)), random)


def _drawn(room: str, count: int, random: Random) -> Iterator[Mutant]:
    files = sorted((REPOSITORY / API / room).rglob("*.py"))
    lengths = [len(file.read_text().splitlines()) for file in files]
    known: dict[Path, list[Mutant]] = {}
    taken: set[tuple[Path, str]] = set()
    # functions may run out in a small room
    for _ in range(100 * count):
        if not count:
            return
        (file,) = random.choices(files, lengths)
        if file not in known:
            known[file] = of_file(file)
        left = [mutant for mutant in known[file] if (file, mutant.function) not in taken]
        if not left:
            continue
        kind = random.choice(sorted({mutant.kind for mutant in left}))
        mutant = random.choice([mutant for mutant in left if mutant.kind == kind])
        taken.add((file, mutant.function))
        count -= 1
        yield mutant


def room_of(file: str) -> str:
    """`rest` of `api/minato/rest/app.py`; `minato` of a file beside the rooms."""
    return file.split("/")[-2] if file.count("/") == 2 else file.split("/")[2]


def of_file(file: Path) -> list[Mutant]:
    return mutants_of(file.relative_to(REPOSITORY).as_posix(), file.read_text())


def touched(since: str | None, limit: int, seed: int) -> list[Mutant]:
    """At most two wrong lines for each line that differs from `since`, and at most `limit`."""
    random, found = Random(seed), list[Mutant]()
    since = since or beginning()
    for name in git("diff", "--name-only", "--diff-filter=d", since, "--", f"{API}/*.py").splitlines():
        lines = changed_lines(git("diff", "-U0", since, "--", name))
        mutants = [mutant for mutant in of_file(REPOSITORY / name) if mutant.line in lines]
        for line in sorted(lines):
            these = [mutant for mutant in mutants if mutant.line == line]
            found += random.sample(these, min(PER_LINE, len(these)))
    return random.sample(found, min(limit, len(found)))


def changed_lines(diff: str) -> set[int]:
    """The new or changed lines that a diff without context names."""
    hunks = ((int(first), int(length or 1)) for first, length in HUNK.findall(diff))
    return {line for first, length in hunks for line in range(first, first + length)}
