// Reads from the environment which server is tested (`make contract` starts one) and keeps, as a snapshot of a branch,
// what every file of tests begins with.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Branch } from 'minato-test';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { targetOf } from './target.ts';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // The workers find the server there, too.
  process.env.MINATO_URL = required('SUPABASE_URL');
  const ground = await Branch.open({ label: 'contract: the ground', ttl: 0 });
  await loadSchema(ground.dbUrl);
  project.provide('ground', await ground.snapshot('contract'));
  project.provide('main', main());
  return () => ground.drop();
}

function main() {
  return targetOf({
    url: required('SUPABASE_URL'),
    anonKey: required('SUPABASE_ANON_KEY'),
    serviceRoleKey: required('SUPABASE_SERVICE_ROLE_KEY'),
    publishableKey: required('SUPABASE_PUBLISHABLE_KEY'),
    secretKey: required('SUPABASE_SECRET_KEY'),
  });
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
