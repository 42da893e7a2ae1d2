/** Which server the tests use: the one that is named, the project's own that runs, or one for this run alone. */

import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { call, MinatoError } from './control.js';

export interface Server {
  /** Without a slash at the end. */
  url: string;
  /** Ends it when it was started for this run; a server that ran before goes on. */
  stop: () => Promise<void>;
}

const STATE = join('supabase', '.minato', 'server.json');
// It says where it is and stays for as long as somebody holds its input: whoever is killed holds it no more.
const HELD = 'echo "$MINATO_URL"; exec cat >/dev/null';

let found: Promise<Server> | undefined;

/** The server of this process, which is looked for once. */
export function server(): Promise<Server> {
  found ??= findServer();
  return found;
}

async function findServer(): Promise<Server> {
  const url = process.env.MINATO_URL;
  if (url) return { url: url.replace(/\/+$/, ''), stop: nothing };
  return (await runningAbove(process.cwd())) ?? (await start());
}

function nothing(): Promise<void> {
  return Promise.resolve();
}

/** The project's own server, as its data folder tells: of this folder or one above it. */
async function runningAbove(folder: string): Promise<Server | undefined> {
  const url = urlIn(join(folder, STATE));
  if (url && (await answers(url))) return { url, stop: nothing };
  const above = dirname(folder);
  return above === folder ? undefined : runningAbove(above);
}

function urlIn(file: string): string | undefined {
  try {
    // Somebody else's file could lead tests, and the keys they use, to somebody else's server.
    if (statSync(file).uid !== process.getuid?.()) return undefined;
    const state = JSON.parse(readFileSync(file, 'utf8')) as { announcement?: { url?: string } };
    return state.announcement?.url;
  } catch {
    return undefined;
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    await call('GET', `${url}/_dev/v1/branches`);
    return true;
  } catch (error) {
    // A server that refuses says why when a branch is asked for; one that was killed left its file behind.
    return error instanceof MinatoError;
  }
}

async function start(): Promise<Server> {
  // A session of its own: Ctrl-C is for the runner, whose end ends the server.
  const child = spawn('minato', ['exec', '--', 'sh', '-c', HELD], {
    stdio: 'pipe',
    detached: true,
  });
  let said = '';
  child.stderr.on('data', (text: Buffer) => (said += text.toString()));
  const ended = new Promise<string>((resolve) => {
    child.once('error', () =>
      resolve('There is no minato on the PATH: pip install minato, or set MINATO_URL.'),
    );
    child.once('exit', (status) => resolve(`minato exec ended with ${String(status)}.\n${said}`));
  });
  const ready = new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve));
  const first = await Promise.race([ready, ended.then((reason) => Promise.reject(new Error(reason)))]);
  // The runner may end while the server runs.
  child.unref();
  for (const pipe of [child.stdin, child.stdout, child.stderr]) if (pipe instanceof Socket) pipe.unref();
  const stop = async () => {
    child.ref();
    child.stdin.end();
    await ended;
  };
  return { url: first, stop };
}
