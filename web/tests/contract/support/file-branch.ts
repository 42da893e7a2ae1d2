// Before a file's tests: a branch of its own, which goes with them; main where the run has no branches.
import { Branch } from 'minato-test';
import { afterAll, inject } from 'vitest';
import { aimAt, aimAtMain, targetOf } from './target';

const ground = inject('ground');
if (ground === null) aimAtMain();
else {
  const branch = await Branch.open({ from: ground, label: 'contract' });
  aimAt(targetOf(branch));
  afterAll(() => branch.drop());
}
