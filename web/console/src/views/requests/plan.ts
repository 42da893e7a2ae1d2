/** A plan of PostgreSQL as lines: how deep, what it does, what it took by itself, and how far its estimate was off. */
import type { PlanNode } from '../../dev/types';

/** An estimate that is off by less is a good one. */
const OFF = 10;

export interface PlanLine {
  depth: number;
  name: string;
  /** What it looks for, as PostgreSQL writes it. */
  condition: string | undefined;
  estimated: number;
  /** Rows of all its runs together; undefined where it was not run. */
  rows: number | undefined;
  /** How many times too many or too few rows were expected; undefined where that is no matter. */
  off: number | undefined;
  /** Milliseconds without those of the nodes below it. */
  ms: number | undefined;
  cost: number;
  removed: number | undefined;
}

export function linesOf(plan: PlanNode, depth = 0): PlanLine[] {
  const below = plan.Plans ?? [];
  return [lineOf(plan, below, depth), ...below.flatMap((child) => linesOf(child, depth + 1))];
}

function lineOf(node: PlanNode, below: readonly PlanNode[], depth: number): PlanLine {
  const loops = node['Actual Loops'];
  const rows = node['Actual Rows'] === undefined ? undefined : node['Actual Rows'] * (loops ?? 1);
  const estimated = node['Plan Rows'] * (loops ?? 1);
  const own = (all: (node: PlanNode) => number) =>
    Math.max(0, all(node) - below.reduce((sum, child) => sum + all(child), 0));
  return {
    depth,
    name: nameOf(node),
    condition: node['Index Cond'] ?? node.Filter ?? node['One-Time Filter'],
    estimated,
    rows,
    off: rows === undefined || loops === 0 ? undefined : offBy(estimated, rows),
    ms: loops === undefined ? undefined : own(totalMs),
    cost: own((each) => each['Total Cost']),
    removed: node['Rows Removed by Filter'],
  };
}

function nameOf(node: PlanNode): string {
  const what = node['Relation Name'] ?? node['Function Name'] ?? node['CTE Name'];
  const index = node['Index Name'];
  const parts = [node['Node Type'], what && `on ${what}`, index && `by ${index}`];
  const name = parts.filter(Boolean).join(' ');
  return node['Subplan Name'] ? `${node['Subplan Name']}: ${name}` : name;
}

function totalMs(node: PlanNode): number {
  return (node['Actual Total Time'] ?? 0) * (node['Actual Loops'] ?? 1);
}

/** No row counts as one: an estimate is never less. */
function offBy(estimated: number, rows: number): number | undefined {
  const [a, b] = [Math.max(1, estimated), Math.max(1, rows)];
  const factor = Math.max(a / b, b / a);
  return factor >= OFF ? Math.round(factor) : undefined;
}
