"""`/tmp` of a function: a folder of its process's own, the one place where it may write."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.integration.functions.conftest import Project, serving
from tests.support.postgres import Cluster
from tests.support.waiting import until

# As the reference's own examples of it: paths are looked at before they are followed.
BY_DENO = """
const meow = await Deno.create("/tmp/meow");
const exists = (path: string) => Deno.stat(path).then(() => true, () => false);
Deno.serve(async () => {
  const written = await meow.write(new TextEncoder().encode("meowmeow"));
  const found = await exists("/tmp/a/b/../../meow");
  const content = await Deno.readTextFile(new URL("file:///tmp/meow"));
  await Deno.copyFile("/tmp/meow", "/tmp/again");
  await Deno.rename("/tmp/again", "/tmp/other");
  await Deno.mkdir("/tmp/deep/er", { recursive: true });
  const names = [...Deno.readDirSync("/tmp")].map(({ name }) => name).sort();
  await Deno.remove("/tmp/a/b/../../meow");
  return Response.json({ written, found, content, names, left: await exists("/tmp/meow"),
    outside: await exists("/tmp/a/b/c/../../other"), real: await Deno.realPath("/tmp/other") });
});
"""
BY_NODE = """
import fs, { createWriteStream, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import * as all from "fs";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { once } from "node:events";
import { promisify } from "node:util";
const required = createRequire(import.meta.url)("fs");
Deno.serve(async () => {
  writeFileSync("/tmp/named", "1");
  fs.appendFileSync("/tmp/named", "2");
  all.appendFileSync("/tmp/named", "3");
  required.appendFileSync("/tmp/named", "4");
  await writeFile("/tmp/promised", await readFile("/tmp/named"));
  const stream = createWriteStream("/tmp/streamed");
  stream.end("flowing");
  await once(stream, "close");
  const folder = mkdtempSync(path.join(os.tmpdir(), "x-"));
  writeFileSync(path.join(folder, "inside"), "deep");
  const exists = await promisify(fs.exists)("/tmp/named");
  const real = fs.realpathSync.native("/tmp/named") === fs.realpathSync("/tmp/named");
  return Response.json({ real, promised: readFileSync("/tmp/promised", "utf8"), exists,
    other: existsSync("/tmp/nothing"), streamed: await fs.promises.readFile("/tmp/streamed", "utf8"),
    inside: readFileSync(folder + "/inside", "utf8") });
});
"""
MADE = """
Deno.serve(async () => {
  const file = await Deno.makeTempFile({ suffix: ".txt" });
  await Deno.writeTextFile(file, "made");
  const folder = Deno.makeTempDirSync({ dir: "/tmp" });
  await Deno.writeTextFile(`${folder}/x`, "there");
  return Response.json([await Deno.readTextFile(file), await Deno.readTextFile(`${folder}/x`)]);
});
"""
SPY = """
import { readFileSync, writeFileSync } from "node:fs";
const tried = async (act: () => unknown) => {
  try { return String(await act()); } catch (error) { return error.name; }
};
Deno.serve(async (request) => {
  const { file } = await request.json();
  return Response.json({
    written: await tried(() => Deno.writeTextFile(file, "x")),
    by_node: await tried(() => writeFileSync(file, "x")),
    read: await tried(() => Deno.readTextFile(file)),
    above: await tried(() => Deno.writeTextFile("/tmp/../var/tmp/x", "x")),
    linked: await tried(() => Deno.symlink(file, "/tmp/link")),
    hard: await tried(() => Deno.link(file, "/tmp/link")),
    alike: await tried(() => Deno.writeTextFile("/tmpx", "x")),
    own: await tried(() => Deno.writeTextFile(new URL("./index.ts", import.meta.url), "x")),
  });
});
"""


@pytest.fixture(scope="module")
async def project(cluster: Cluster) -> AsyncIterator[Project]:
    """Its own files lie below the machine's `/tmp`, and are not to be taken for the function's."""
    with TemporaryDirectory(dir="/tmp") as folder:
        left = Path(folder) / "data" / "functions" / "temporary" / "open-0"
        left.mkdir(parents=True)
        (left / "left").write_text("of a machine that went down")
        async with serving(cluster, Path(folder)) as served:
            yield served


def text_in(path: str) -> str:
    return Path(path).read_text()


def is_there(path: Path) -> bool:
    return path.exists()


def is_private(path: str) -> bool:
    return Path(path).parent.stat().st_mode & 0o077 == 0


async def test_deno_writes_and_reads_there(project: Project) -> None:
    project.write("open/index.ts", BY_DENO)
    answer = await project.call("open")
    real = answer.json().pop("real")
    assert answer.json() == {
        "written": 8,
        "found": True,
        "content": "meowmeow",
        "names": ["deep", "meow", "other"],
        "left": False,
        "outside": False,
        "real": real,
    }
    assert text_in(real) == "meowmeow"


async def test_node_writes_and_reads_there_whichever_way_it_is_imported(project: Project) -> None:
    project.write("open/index.ts", BY_NODE)
    answer = await project.call("open")
    told = {"real": True, "promised": "1234", "exists": True, "other": False, "streamed": "flowing", "inside": "deep"}
    assert answer.json() == told, answer.text


async def test_what_is_made_without_a_name_lies_there(project: Project) -> None:
    project.write("open/index.ts", MADE)
    assert (await project.call("open")).json() == ["made", "there"]


async def test_it_goes_with_the_process_and_no_other_sees_it(project: Project) -> None:
    text = """const before = await Deno.readTextFile("/tmp/kept").catch((error) => error.name);
    await Deno.writeTextFile("/tmp/kept", "mine");
    Deno.serve(async () => Response.json([before, await Deno.realPath("/tmp/kept")]));"""
    project.write("open/index.ts", text)
    before, kept = (await project.call("open")).json()
    assert (before, text_in(kept)) == ("NotFound", "mine")
    assert is_private(kept)
    assert not is_there(Path("/tmp/kept"))
    project.write("open/index.ts", f"{text} // edited")
    again, other = (await project.call("open")).json()
    assert (again, other == kept) == ("NotFound", False)
    await until(lambda: not is_there(Path(kept).parent))
    assert text_in(other) == "mine"


async def test_what_was_left_there_is_gone_with_the_next_start(project: Project) -> None:
    left = project.minato.backend.settings.server.data_dir / "functions" / "temporary" / "open-0"
    assert not is_there(left)


async def test_nothing_else_is_written_or_led_there(project: Project, tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("mine")
    entry = project.write("open/index.ts", SPY)
    answer = await project.call("open", json={"file": str(file)})
    told = answer.json()
    assert set(told.values()) <= {"NotCapable", "PermissionDenied", "NotFound"}, told
    assert (file.read_text(), entry.read_text()) == ("mine", SPY)


async def test_a_project_below_tmp_reads_its_own_files(project: Project) -> None:
    assert project.supabase.is_relative_to("/tmp")
    project.write("open/words.txt", "of its own")
    project.write(
        "open/index.ts",
        """const words = new URL("./words.txt", import.meta.url);
        Deno.serve(async () => new Response(await Deno.readTextFile(words)));""",
    )
    assert (await project.call("open")).text == "of its own"


@pytest.mark.parametrize(
    "line", ['import fs from "node:fs";', 'import fs from "fs";', 'import * as fs from "node:fs";']
)
async def test_what_is_no_path_is_left_alone(project: Project, line: str) -> None:
    project.write(
        "open/index.ts",
        f"""{line}
        await Deno.writeTextFile("/tmp/said", "/tmp/said");
        const file = fs.openSync("/tmp/said", "r");
        Deno.serve(() => Response.json([fs.readFileSync(file, "utf8"), fs.readFileSync.name, typeof fs.constants.R_OK,
          typeof fs.realpathSync.native]));""",
    )
    assert (await project.call("open")).json() == ["/tmp/said", "readFileSync", "number", "function"]
