/** `test` of vitest with a branch: for each test, each file or each worker. */

import { test as base, type RunnerTestCase } from 'vitest';
import { Branch, type BranchOptions } from './branch.js';
import { moveDate } from './moved-date.js';
import { finish, report } from './report.js';

interface Fixtures {
  /** What `branch` begins as: `test.extend({ minato: { from: 'main' } })`. */
  minato: BranchOptions;
  /** Of this test alone. */
  branch: Branch;
  /** Of the tests of this file. */
  fileBranch: Branch;
  /** Of the tests of this worker. */
  workerBranch: Branch;
}

async function lent(
  options: BranchOptions,
  use: (branch: Branch) => Promise<void>,
  task?: RunnerTestCase,
): Promise<void> {
  const branch = await Branch.open(options);
  branch.clock.follow(moveDate);
  await use(branch);
  // Behind the failure itself, where every reporter shows it.
  const failure = task?.result?.state === 'fail' ? task.result.errors?.at(-1) : undefined;
  const told = failure ? await report(branch) : undefined;
  const kept = await finish(branch, failure !== undefined);
  if (failure)
    failure.message = [failure.message, '', kept, told].filter((line) => line !== undefined).join('\n');
  // eslint-disable-next-line no-console -- whoever keeps branches has to find them
  else if (kept) console.info(kept);
}

export const test = base.extend<Fixtures>({
  minato: {},
  branch: async ({ minato, task }, use) => {
    await lent({ label: `${task.file.name} > ${task.name}`, ...minato }, use, task);
  },
  fileBranch: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      await lent({ label: 'a file of vitest' }, use);
    },
    { scope: 'file' },
  ],
  workerBranch: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      await lent({ label: 'a worker of vitest' }, use);
    },
    { scope: 'worker' },
  ],
});

export { afterAll, afterEach, beforeAll, beforeEach, describe, expect, vi } from 'vitest';
