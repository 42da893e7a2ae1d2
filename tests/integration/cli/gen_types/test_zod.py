"""The zod schemas compile, and check rows as the data API sends them."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp

import asyncpg
import pytest
from minato.cli.gen_types.zod.file import render_zod

from tests.integration.cli.gen_types.conftest import Databases, catalog_of
from tests.support.command import REPOSITORY

WEB = REPOSITORY / "web"
LIMIT = 300
CONFIG = {
    "compilerOptions": {
        **{"strict": True, "noEmitOnError": True, "target": "es2022", "module": "esnext", "skipLibCheck": True},
        **{"moduleResolution": "bundler", "types": [], "outDir": "built", "rootDir": "."},
    },
    "include": ["*.ts"],
}
# What is parsed, and whether it is a row.
PROGRAM = """
import { readFileSync } from 'node:fs'
import { Database } from './built/types.js'
const checks = JSON.parse(readFileSync(0, 'utf8')).map(([path, value]) => {
  const schema = path.reduce((found, name) => found[name], Database)
  return schema.safeParse(value).success
})
process.stdout.write(JSON.stringify(checks))
"""
# The inferred types are those that supabase-js is typed by, as far as a program can use both.
SAME = """
import type { z } from "zod"
import type { Database } from "./types.js"
type Person = z.infer<typeof Database.odd.Tables.badges.Row>
export const person: { id: number; person: string } = {} as Person
export const mood: "x" | "y" = {} as z.infer<typeof Database.other.Enums.mood>
"""


@pytest.fixture(scope="module")
def folder(databases: Databases) -> Iterator[Path]:
    """The compiled schemas, where the web app's packages are found."""
    found = Path(mkdtemp(prefix="zod-", dir=WEB / "node_modules"))
    schemas = ["odd", "other"]
    (found / "package.json").write_text('{"type": "module"}')
    (found / "types.ts").write_text(render_zod(catalog_of(databases.oddities, schemas)))
    (found / "marketplace.ts").write_text(render_zod(catalog_of(databases.marketplace, ["public"])))
    (found / "same.ts").write_text(SAME)
    (found / "tsconfig.json").write_text(json.dumps(CONFIG))
    (found / "check.mjs").write_text(PROGRAM)
    tsc = [str(WEB / "node_modules/.bin/tsc"), "-p", "."]
    try:
        ended = subprocess.run(tsc, cwd=found, capture_output=True, text=True, timeout=LIMIT, check=False)
        assert ended.returncode == 0, ended.stdout
        yield found
    finally:
        shutil.rmtree(found)


def checked(folder: Path, values: list[tuple[list[str], object]]) -> list[bool]:
    program = ["node", "check.mjs"]
    ended = subprocess.run(
        program, cwd=folder, input=json.dumps(values), capture_output=True, text=True, timeout=LIMIT, check=False
    )
    assert ended.returncode == 0, ended.stderr
    found: list[bool] = json.loads(ended.stdout)
    return found


async def test_rows_of_the_database_pass_and_others_do_not(folder: Path, databases: Databases) -> None:
    connection = await asyncpg.connect(databases.oddities.replace("postgres@", "supabase_admin@", 1))
    await connection.execute("insert into odd.people (name, mood, jsb, rt) values ('Ada', 'bad', '{\"a\": [1]}', 'x')")
    person = json.loads(await connection.fetchval("select to_json(row_of) from odd.people row_of limit 1"))
    await connection.close()
    row = ["odd", "Tables", "people", "Row"]
    assert checked(
        folder,
        [
            (row, person),
            (row, {**person, "mood": "meh"}),
            (row, {**person, "name": None}),
            (row, {**person, "id": "no uuid"}),
            (row, {**person, "tags": "text"}),
        ],
    ) == [True, False, False, False, False]


def test_what_is_written_needs_what_the_database_needs(folder: Path) -> None:
    insert, update = (["odd", "Tables", "badges", name] for name in ("Insert", "Update"))
    identity = ["odd", "Tables", "refs", "Insert"]
    person = "00000000-0000-0000-0000-000000000001"
    assert checked(
        folder,
        [
            (insert, {"id": 1, "person": person}),
            (insert, {"person": person}),
            (update, {"person": person}),
            (update, {}),
            (identity, {}),
            (identity, {"id": 1}),
        ],
    ) == [True, False, True, True, True, False]


def test_functions_are_checked_on_both_sides(folder: Path) -> None:
    found, colours = (["odd", "Functions", name] for name in ("find", "set_enum"))
    assert checked(
        folder,
        [
            ([*found, "Args"], {"wanted": "x"}),
            ([*found, "Args"], {"at_most": 5}),
            ([*found, "Returns"], []),
            ([*colours, "Returns"], ["red"]),
            ([*colours, "Returns"], ["no colour"]),
        ],
    ) == [True, False, True, True, False]
