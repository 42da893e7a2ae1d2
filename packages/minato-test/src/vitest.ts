/** `test` of vitest with a branch: for each test, each file or each worker. */

import { test as base } from 'vitest';
import { Branch, type BranchOptions } from './branch.js';
import { moveDate } from './moved-date.js';

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

async function lent(options: BranchOptions, use: (branch: Branch) => Promise<void>): Promise<void> {
  const branch = await Branch.open(options);
  branch.clock.follow(moveDate);
  await use(branch);
  await branch.drop();
}

export const test = base.extend<Fixtures>({
  minato: {},
  branch: async ({ minato, task }, use) => {
    await lent({ label: `${task.file.name} > ${task.name}`, ...minato }, use);
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
