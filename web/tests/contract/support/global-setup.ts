import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import type { Target } from './target'

interface Banner {
  url: string
  anon_key: string
  service_role_key: string
  publishable_key: string
  secret_key: string
  db_url: string
}

const root = resolve(import.meta.dirname, '../../../..')

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'minato-contract-'))
  const server = startServer(folder)
  const banner = await readBanner(server)
  await loadSchema(banner.db_url)
  project.provide('target', targetOf(banner))
  return async () => {
    const gone = once(server, 'exit')
    server.kill('SIGTERM')
    await gone
    await rm(folder, { recursive: true, force: true })
  }
}

function startServer(folder: string): ChildProcess {
  const python = process.env['MINATO_PYTHON'] ?? join(root, '.venv/bin/python')
  const options = ['-m', 'api.cli', 'serve', '--port', '0', '--json', '--no-seed', '--data-dir', folder]
  return spawn(python, options, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
}

async function readBanner(server: ChildProcess): Promise<Banner> {
  if (!server.stdout) throw new Error('The server has no standard output to read its banner from')
  for await (const line of createInterface({ input: server.stdout })) return JSON.parse(line) as Banner
  throw new Error('The server ended before it was ready')
}

async function loadSchema(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(await readFile(join(import.meta.dirname, 'schema.sql'), 'utf8'))
  await client.end()
}

const targetOf = (banner: Banner): Target => ({
  url: banner.url,
  anonKey: banner.anon_key,
  serviceRoleKey: banner.service_role_key,
  publishableKey: banner.publishable_key,
  secretKey: banner.secret_key,
  outboxUrl: `${banner.url}/_dev/outbox`,
})
