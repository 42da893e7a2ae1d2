import { expect, test } from 'vitest';
import type { PlanNode } from '../../dev/types';
import { linesOf } from './plan';

const scan: PlanNode = {
  'Node Type': 'Index Scan',
  'Relation Name': 'cars',
  'Index Name': 'cars_pkey',
  'Index Cond': '(id = 7)',
  'Total Cost': 8,
  'Plan Rows': 1,
};

test('A plan that was not run tells costs and estimates, of each node its own', () => {
  const lines = linesOf({ 'Node Type': 'Aggregate', 'Total Cost': 10, 'Plan Rows': 1, Plans: [scan] });
  expect(lines.map(({ depth, name, cost }) => [depth, name, cost])).toEqual([
    [0, 'Aggregate', 2],
    [1, 'Index Scan on cars by cars_pkey', 8],
  ]);
  expect(lines[1]).toMatchObject({
    condition: '(id = 7)',
    rows: undefined,
    ms: undefined,
    off: undefined,
  });
});

test('Time and rows are those of all runs, less what is below', () => {
  const inner = { ...scan, 'Actual Rows': 2, 'Actual Loops': 50, 'Actual Total Time': 0.1 };
  const outer = {
    'Node Type': 'Nested Loop',
    'Total Cost': 20,
    'Plan Rows': 1,
    'Actual Rows': 100,
    'Actual Loops': 1,
    'Actual Total Time': 7,
  };
  const [join, scanned] = linesOf({ ...outer, Plans: [inner] });
  expect(join).toMatchObject({ ms: 2, rows: 100, off: 100 });
  expect(scanned).toMatchObject({ ms: 5, rows: 100, estimated: 50, off: undefined });
});

test('What was never run was not estimated wrongly, and a subplan says whose it is', () => {
  const never = { ...scan, 'Actual Rows': 0, 'Actual Loops': 0, 'Actual Total Time': 0, 'Plan Rows': 900 };
  const [line] = linesOf({ ...never, 'Subplan Name': 'CTE pgrst_source' });
  expect(line).toMatchObject({
    name: 'CTE pgrst_source: Index Scan on cars by cars_pkey',
    off: undefined,
    ms: 0,
  });
});
