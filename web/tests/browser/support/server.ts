/**
 * Starts one server with its own data folder for the whole run and stops it afterwards. MINATO_SEED names the seed
 * (default: small). What it has after the seed is kept as a snapshot, of which each file has a branch.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { proxyAt } from './proxy';
import { PROJECT, python } from './python';

/** A server or a branch of one, by the names of `minato serve --json`. */
export interface ServerInfo {
  /** Where programs ask it. */
  url: string;
  /** Where a browser opens the app on it. */
  site: string;
  anon_key: string;
  service_role_key: string;
  db_url: string;
}

export const SEED = process.env.MINATO_SEED ?? 'small';
const VARIABLE = 'MINATO_BROWSER_TEST_SERVER';
/** The folder of data folders that no server runs on, one for each seed. */
const SEEDED = 'MINATO_BROWSER_TEST_SEEDED';
const STOP_MS = 15_000;

/** The server of the whole run. */
export function mainServer(): ServerInfo {
  const line = process.env[VARIABLE];
  if (!line) throw new Error('The global setup has not run.');
  return JSON.parse(line) as ServerInfo;
}

let current: ServerInfo | undefined;

/** What the story that runs in this process meets: its file's branch, or a server. */
export function serverInfo(): ServerInfo {
  if (!current) throw new Error('No story runs.');
  return current;
}

/** Let what follows meet that one. */
export function meet(server: ServerInfo): void {
  current = server;
}

export interface RunningServer {
  info: ServerInfo;
  stop: () => Promise<void>;
}

export interface ServerOptions {
  seed?: string;
  /** Settings of this server alone; its seed is the same as everywhere. */
  environment?: Record<string, string>;
  /** The path of its address, which a proxy takes away. */
  path?: string;
}

/** A server on a data folder of its own. The one of the whole run is enough unless a story needs other settings. */
export async function startServer({
  seed = SEED,
  environment = {},
  path,
}: ServerOptions = {}): Promise<RunningServer> {
  const dataDir = temporaryFolder();
  copy(seeded(seed), dataDir);
  const proxy = path === undefined ? null : await proxyAt(path);
  const port = String(proxy?.port ?? 0);
  const address = proxy && { MINATO_PUBLIC_URL: proxy.url };
  const server = spawn(python(), ['-m', 'minato', 'serve', '--port', port, '--json', '--no-seed', '--data-dir', dataDir], {
    cwd: PROJECT,
    env: { ...process.env, ...environment, ...address },
    stdio: ['ignore', 'pipe', 'inherit'],
  }); // prettier-ignore
  const told = JSON.parse(await firstLine(server)) as Omit<ServerInfo, 'site'>;
  const end = async () => {
    await stop(server);
    proxy?.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { info: { ...told, site: told.url }, stop: end };
}

/** Migrating and seeding take longer than a copy, so each seed is loaded once. */
function seeded(seed: string): string {
  const folder = join(process.env[SEEDED] ?? temporaryFolder(), seed);
  if (!existsSync(folder)) {
    const made = mkdtempSync(`${folder}-`);
    database('seed', seed, '--data-dir', made);
    try {
      renameSync(made, folder);
    } catch (error) {
      // Another worker was quicker.
      if (!existsSync(folder)) throw error;
      rmSync(made, { recursive: true });
    }
  }
  return folder;
}

/** As `cp` does: PostgreSQL looks at who may read its folder. */
function copy(from: string, to: string): void {
  execFileSync('cp', ['-Rp', `${from}/.`, to]);
}

function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'minato-browser-'));
}

function database(...command: string[]): void {
  execFileSync(python(), ['-m', 'minato', 'db', ...command], {
    cwd: PROJECT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

export default async function startServerOfTheRun(): Promise<() => Promise<void>> {
  const folder = temporaryFolder();
  process.env[SEEDED] = folder;
  const { info, stop: end } = await startServer();
  process.env[VARIABLE] = JSON.stringify(info);
  // There the workers look for it.
  process.env.MINATO_URL = info.url;
  await keepSeeded(info.url);
  return async () => {
    await end();
    rmSync(folder, { recursive: true, force: true });
  };
}

/** A branch of main would hold it still for a moment, while somebody else's branch is being made. */
async function keepSeeded(url: string): Promise<void> {
  const body = JSON.stringify({ name: 'seeded', of: 'main' });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/_dev/v1/snapshots`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(await answer.text());
}

async function firstLine(server: ChildProcess): Promise<string> {
  if (!server.stdout) throw new Error('The server has no output.');
  for await (const line of createInterface(server.stdout)) return line;
  throw new Error('The server ended before it was ready.');
}

/** SIGTERM lets PostgreSQL end too; a server that does not end in time is killed. */
function stop(server: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.kill('SIGKILL'), STOP_MS);
    server.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    server.kill('SIGTERM');
  });
}
