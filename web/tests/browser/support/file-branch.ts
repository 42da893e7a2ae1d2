/**
 * A branch of the run's server for each file: its stories meet each other, as people do, and nobody else's. Fixtures of
 * a worker can't have one, for they would have to be set up anew, and Chromium with them, for each file.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Branch } from 'minato-test';
import pg from 'pg';
import type { ServerInfo } from './server';

const MANY_ROWS = readFileSync(join(import.meta.dirname, 'many-rows.sql'), 'utf8');
const SEEDED = 'snapshot:seeded';

export class FileBranch {
  #file = '';
  #branch: Branch | undefined;

  /** That of a file, made at its first story; the one of the file before is dropped. `rows` are added to it. */
  async of(file: string, rows: number | null): Promise<ServerInfo> {
    if (this.#file !== file || !this.#branch) {
      await this.drop();
      this.#branch = await Branch.open({ from: SEEDED, label: file, ttl: 0 });
      this.#file = file;
      if (rows !== null) await fill(this.#branch.dbUrl, rows);
    }
    return infoOf(this.#branch);
  }

  async drop(): Promise<void> {
    const former = this.#branch;
    this.#branch = undefined;
    await former?.drop();
  }
}

async function fill(url: string, rows: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(MANY_ROWS.replaceAll(':rows', String(rows)));
  await client.end();
}

function infoOf(branch: Branch): ServerInfo {
  return {
    url: branch.url,
    site: branch.appUrl ?? branch.url,
    anon_key: branch.anonKey,
    service_role_key: branch.serviceRoleKey,
    db_url: branch.dbUrl,
  };
}
