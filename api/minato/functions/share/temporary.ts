// `/tmp` is a folder of this process's own, the only place where a function may write. What Deno and node:fs are asked
// for there leads into it; node_fs.ts does the same for what is imported from node:fs by name.
import fs from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export interface Temporary {
  folder: string;
  // Where the function's own files lie, which may themselves be below `/tmp`.
  kept: string[];
}

// deno-lint-ignore no-explicit-any
type Call = (this: unknown, ...given: any[]) => unknown;
type Calls = Record<string | symbol, unknown>;

const PLACE = "/tmp";
// How many paths each takes, all of them first. What ends in Sync does the same.
const OF_DENO = {
  1: words(`chmod chown create lstat mkdir open readDir readFile readLink readTextFile realPath remove stat truncate
    utime writeFile writeTextFile`),
  2: words("copyFile link rename symlink"),
};
const OF_NODE = {
  1: words(`access appendFile chmod chown createReadStream createWriteStream exists lchmod lchown lstat lutimes mkdir
    mkdtemp mkdtempDisposable open openAsBlob opendir readFile readdir readlink realpath rm rmdir stat statfs truncate
    unlink utimes writeFile`),
  2: words("copyFile cp link rename symlink"),
};

function words(text: string): string[] {
  return text.split(/\s+/);
}

const below = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);

// Where `given` lies in truth; what is no path, or none of `/tmp`, stays what it is.
function placed({ folder, kept }: Temporary, given: unknown): unknown {
  const isFile = given instanceof URL && given.protocol === "file:";
  const text = isFile ? fileURLToPath(given) : given;
  if (typeof text !== "string" || !text.startsWith(PLACE)) return given;
  const path = posix.normalize(text);
  if (!below(path, PLACE) || kept.some((own) => below(path, own))) return given;
  return folder + path.slice(PLACE.length);
}

function replace(calls: Calls, name: string | symbol, paths: number, place: (given: unknown) => unknown): void {
  const call = calls[name];
  if (typeof call !== "function") return;
  const instead: Call = function (...given) {
    return Reflect.apply(call, this, given.map((each, at) => at < paths ? place(each) : each));
  };
  Object.defineProperties(instead, Object.getOwnPropertyDescriptors(call));
  for (const form of [promisify.custom, "native"]) {
    // A promise's form carries itself.
    if ((call as unknown as Calls)[form] !== call) replace(instead as unknown as Calls, form, paths, place);
  }
  Object.defineProperty(calls, name, { value: instead, configurable: true, enumerable: true, writable: true });
}

function replaceAll(calls: Calls, names: Record<number, string[]>, place: (given: unknown) => unknown): void {
  for (const [paths, those] of Object.entries(names)) {
    for (const name of those) {
      for (const each of [name, `${name}Sync`]) replace(calls, each, Number(paths), place);
    }
  }
}

// What is made without a name is made there as well.
function makeThere(calls: Calls, place: (given: unknown) => unknown): void {
  for (const name of ["makeTempDir", "makeTempDirSync", "makeTempFile", "makeTempFileSync"]) {
    const make = calls[name] as (options: Deno.MakeTempOptions) => unknown;
    const instead = (options: Deno.MakeTempOptions = {}) =>
      make({ ...options, dir: place(options.dir ?? PLACE) as string });
    Object.defineProperty(calls, name, { value: instead, configurable: true, enumerable: true, writable: true });
  }
}

export function useTemporary(temporary: Temporary): void {
  const place = (given: unknown) => placed(temporary, given);
  const calls = Deno as unknown as Calls;
  replaceAll(calls, OF_DENO, place);
  makeThere(calls, place);
  replaceAll(fs as unknown as Calls, OF_NODE, place);
  replaceAll(fs.promises as unknown as Calls, OF_NODE, place);
}
