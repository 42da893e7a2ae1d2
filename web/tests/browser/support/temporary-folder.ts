/** Where this run's servers and browsers keep their files: tests/support/folders.py decides for every kind of test. */
import { execFileSync } from 'node:child_process';
import { PROJECT, python } from './python';

export function temporaryFolder(): string {
  return execFileSync(python(), ['-m', 'tests.support.folders'], { cwd: PROJECT, encoding: 'utf8' });
}
