// Reads from the environment which server is tested (`make contract` starts one) and lays the tables the tests stand on.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import type { Target } from './target';

export default async function setup(project: TestProject): Promise<void> {
  await loadSchema(required('SUPABASE_DB_URL'));
  project.provide('target', readTarget());
}

function readTarget(): Target {
  const url = required('SUPABASE_URL');
  return {
    url,
    anonKey: required('SUPABASE_ANON_KEY'),
    serviceRoleKey: required('SUPABASE_SERVICE_ROLE_KEY'),
    publishableKey: required('SUPABASE_PUBLISHABLE_KEY'),
    secretKey: required('SUPABASE_SECRET_KEY'),
    outboxUrl: `${url}/_dev/outbox`,
  };
}

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the contract tests by \`make contract\``);
  return value;
}

async function loadSchema(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(await readFile(join(import.meta.dirname, 'schema.sql'), 'utf8'));
  await client.end();
}
