// Before a file's tests: a branch of its own, which goes with them.
import { Branch } from 'minato-test';
import { afterAll, inject } from 'vitest';
import { aimAt, targetOf } from './target';

const branch = await Branch.open({ from: inject('ground'), label: 'contract' });
aimAt(targetOf(branch));
afterAll(() => branch.drop());
