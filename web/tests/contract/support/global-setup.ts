// Reads from the environment which server is tested (`make contract` starts one). The newest supabase-js gets a branch
// for each file, of a snapshot that is kept here; the pinned one speaks to the root, where all files share the tables.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Branch } from 'minato-test';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { targetOf } from './target.ts';

type End = () => Promise<void>;

export default async function setup(project: TestProject): Promise<End | undefined> {
  project.provide('main', main());
  return process.env.SUPABASE_JS === 'newest' ? onBranches(project) : onMain(project);
}

async function onMain(project: TestProject): Promise<undefined> {
  await loadSchema(required('SUPABASE_DB_URL'));
  project.provide('ground', null);
}

async function onBranches(project: TestProject): Promise<End> {
  // The workers find the server there, too.
  process.env.MINATO_URL = required('SUPABASE_URL');
  const ground = await Branch.open({ label: 'contract: the ground', ttl: 0 });
  await loadSchema(ground.dbUrl);
  project.provide('ground', await ground.snapshot('contract'));
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
