/** The project and the Python that runs it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const PROJECT = join(import.meta.dirname, '../../../..');

export function python(): string {
  const own = join(PROJECT, '.venv/bin/python');
  return process.env.MINATO_PYTHON ?? (existsSync(own) ? own : 'python3');
}
