/** How PostgreSQL runs the statement for this caller, and what each part of it took. */
import { useMutation } from '@tanstack/react-query';
import { useId } from 'react';
import { ApiError, call, type BranchId } from '../../dev/api';
import type { Planned, WholeRequest } from '../../dev/types';
import { Button } from '../../parts/button';
import { Refused } from '../../parts/refused';
import { Section } from '../../parts/section';
import { linesOf, type PlanLine } from './plan';
import { shortMs } from './row';

interface Wish {
  analyze: boolean;
  force?: boolean;
}

export function PlanSection({ branch, request }: { branch: BranchId; request: WholeRequest }) {
  const ask = useMutation({
    mutationFn: (wish: Wish) =>
      call<Planned>(branch, `/requests/${encodeURIComponent(request.id)}/plan`, {
        method: 'POST',
        body: wish,
      }),
  });
  if (request.data.room !== 'rest' || !request.data.statement) return null;
  const isWrite = ask.error instanceof ApiError && ask.error.code === 'writes';
  return (
    <Section
      title="Plan"
      beside={
        <div className="flex gap-2">
          <Button disabled={ask.isPending} onClick={() => ask.mutate({ analyze: false })}>
            Plan
          </Button>
          <Button disabled={ask.isPending} onClick={() => ask.mutate({ analyze: true })}>
            Analyze
          </Button>
        </div>
      }
    >
      {ask.isPending ? (
        <p role="status" className="text-muted-foreground">
          Asking PostgreSQL …
        </p>
      ) : ask.data ? (
        <Told planned={ask.data} />
      ) : (
        <>
          <Refused error={ask.error} />
          {isWrite && (
            <Button
              variant="destructive"
              className="mt-2"
              onClick={() => ask.mutate({ analyze: true, force: true })}
            >
              Run it and undo it
            </Button>
          )}
          {!ask.error && (
            <p className="text-muted-foreground">
              How PostgreSQL would run it for this caller. Analyze runs it and undoes it.
            </p>
          )}
        </>
      )}
    </Section>
  );
}

function Told({ planned }: { planned: Planned }) {
  const lines = linesOf(planned.plan);
  const most = Math.max(...lines.map(weightOf), Number.MIN_VALUE);
  const said = planned.analyzed
    ? `${planMs(planned.execution_ms ?? 0)} ms, planned in ${planMs(planned.planning_ms ?? 0)} ms`
    : 'Not run: costs and rows are estimates';
  const heading = useId();
  return (
    <>
      <p id={heading} className="mb-2" aria-live="polite">
        As {planned.role}. {said}
        {planned.analyzed && planned.writes && ', and undone'}.
      </p>
      <div
        role="region"
        aria-labelledby={heading}
        tabIndex={0}
        className="max-h-96 overflow-auto rounded-control border"
      >
        <ul className="grid min-w-md py-1">
          {lines.map((line, index) => (
            <Line key={index} line={line} share={weightOf(line) / most} />
          ))}
        </ul>
      </div>
    </>
  );
}

/** Most parts of a plan take microseconds. */
const planMs = (ms: number) => (ms < 1 ? ms.toFixed(3) : shortMs(ms));
const weightOf = ({ ms, cost }: PlanLine) => ms ?? cost;

function Line({ line, share }: { line: PlanLine; share: number }) {
  return (
    <li className="flex items-start gap-3 px-2 py-0.5">
      <div className="min-w-0 flex-1" style={{ paddingLeft: `${line.depth * 0.875}rem` }}>
        <span className="font-semibold">{line.name}</span>
        {line.condition && (
          <code className="code block wrap-anywhere text-muted-foreground">{line.condition}</code>
        )}
      </div>
      <Rows line={line} />
      <span className="w-20 shrink-0 text-right figures">
        {line.ms === undefined ? `cost ${Math.round(line.cost)}` : `${planMs(line.ms)} ms`}
        <Bar share={share} />
      </span>
    </li>
  );
}

function Rows({ line: { rows, estimated, off, removed } }: { line: PlanLine }) {
  return (
    <span className="w-40 shrink-0 text-right text-muted-foreground figures">
      {rows === undefined
        ? `about ${rowsText(estimated)}`
        : `${rowsText(rows)} of ${Math.round(estimated)} expected`}
      {removed ? <span className="block">{removed} filtered out</span> : null}
      {off !== undefined && (
        <span className="block font-semibold text-warning">estimate off by {off} times</span>
      )}
    </span>
  );
}

function rowsText(rows: number): string {
  const count = Math.round(rows);
  return count === 1 ? '1 row' : `${count} rows`;
}

function Bar({ share }: { share: number }) {
  return (
    <svg aria-hidden viewBox="0 0 100 4" preserveAspectRatio="none" className="mt-0.5 block h-1 w-full">
      <rect width="100" height="4" className="fill-muted" />
      <rect x={100 - share * 100} width={share * 100} height="4" className="fill-chart-1" />
    </svg>
  );
}
