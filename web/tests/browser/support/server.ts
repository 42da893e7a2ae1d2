/**
 * Starts one server with its own data folder for the whole run and stops it afterwards. MINATO_SEED names the seed
 * (default: small).
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { proxyAt } from './proxy';
import { PROJECT, python } from './python';

/** The line `minato serve --json` prints when it is ready (the parts the tests use). */
export interface ServerInfo {
  url: string;
  anon_key: string;
  service_role_key: string;
  db_url: string;
}

export const SEED = process.env.MINATO_SEED ?? 'small';
const MANY_ROWS = join(import.meta.dirname, 'many-rows.sql');
const VARIABLE = 'MINATO_BROWSER_TEST_SERVER';
/** The folder of data folders that no server runs on, one for each seed. */
const SEEDED = 'MINATO_BROWSER_TEST_SEEDED';
const STOP_MS = 15_000;

export function serverInfo(): ServerInfo {
  const line = process.env[VARIABLE];
  if (!line) throw new Error('The global setup has not run.');
  return JSON.parse(line) as ServerInfo;
}

/** Servers of this process's stories alone, by their addresses. */
const own = new Map<string, ServerInfo>();

/** The server of a page, which is that of the run unless its story has one to itself. */
export function serverAt(url: string): ServerInfo {
  return own.get(url) ?? serverInfo();
}

export interface RunningServer {
  info: ServerInfo;
  stop: () => Promise<void>;
}

export interface ServerOptions {
  seed?: string;
  /** Settings of this server alone; its seed is the same as everywhere. */
  environment?: Record<string, string>;
  /** How many rows of every kind many-rows.sql adds. */
  rows?: number;
  /** The path of its address, which a proxy takes away. */
  path?: string;
}

/** A server on a data folder of its own. The one of the whole run is enough unless a story needs other settings. */
export async function startServer({
  seed = SEED,
  environment = {},
  rows,
  path,
}: ServerOptions = {}): Promise<RunningServer> {
  const dataDir = temporaryFolder();
  copy(seeded(seed), dataDir);
  if (rows !== undefined) {
    database(
      'psql',
      '--data-dir',
      dataDir,
      '-q',
      '-v',
      'ON_ERROR_STOP=1',
      '-v',
      `rows=${rows}`,
      '-f',
      MANY_ROWS,
    );
  }
  const proxy = path === undefined ? null : await proxyAt(path);
  const port = String(proxy?.port ?? 0);
  const address = proxy && { MINATO_PUBLIC_URL: proxy.url };
  const server = spawn(python(), ['-m', 'minato', 'serve', '--port', port, '--json', '--no-seed', '--data-dir', dataDir], {
    cwd: PROJECT,
    env: { ...process.env, ...environment, ...address },
    stdio: ['ignore', 'pipe', 'inherit'],
  }); // prettier-ignore
  const info = JSON.parse(await firstLine(server)) as ServerInfo;
  own.set(info.url, info);
  const end = async () => {
    await stop(server);
    proxy?.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { info, stop: end };
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
  return async () => {
    await end();
    rmSync(folder, { recursive: true, force: true });
  };
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
