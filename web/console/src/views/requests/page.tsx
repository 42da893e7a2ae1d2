/** One request, told as it went: who, what, how it was asked of PostgreSQL, what came back, how long, and what came of it. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useCallback } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { callText, type BranchId } from '../../dev/api';
import { keys, requestQuery } from '../../dev/queries';
import type { DevEvent, WholeRequest } from '../../dev/types';
import { searchOf, useBranch, useEvents } from '../../dev/use-branch';
import { useKeys } from '../../frame/use-keys';
import { Copy } from '../../parts/copy';
import { Refusal, Waiting } from '../../parts/notice';
import { AnswerSection } from './answer-section';
import { AskedSection } from './asked-section';
import { CallerSection } from './caller-section';
import { FailOnce } from './fail-once';
import { LedTo } from './led-to';
import { PlanSection } from './plan-section';
import { ReplaySection } from './replay-section';
import { Stages } from './stages';
import { StatementSection } from './statement-section';
import { StatusCode } from './status-code';
import { WhySection } from './why-section';

export function RequestPage() {
  const { id } = useParams();
  if (id === undefined)
    return (
      <p className="border-l px-4 py-6 text-muted-foreground max-lg:hidden">
        Choose a request to see how it went.
      </p>
    );
  return <OneRequest key={id} id={id} />;
}

function OneRequest({ id }: { id: string }) {
  const branch = useBranch();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [parameters] = useSearchParams();
  const { data, error, isPending } = useQuery(requestQuery(branch, id));
  const again = useCallback(
    (events: readonly DevEvent[]) => {
      if (events.some(({ cause }) => cause === id))
        void client.invalidateQueries({ queryKey: keys.request(branch, id) });
    },
    [client, branch, id],
  );
  useEvents(['message', 'change', 'function', 'webhook', 'fault', 'log'], again);
  const q = parameters.get('q');
  const back = { pathname: '/requests', search: searchOf(branch, q ? { q } : {}) };
  useKeys({
    Escape: () => void navigate(back),
    y: () => void navigator.clipboard.writeText(location.href).catch(() => undefined),
  });
  return (
    <article aria-label="The request" className="min-h-0 min-w-0 overflow-y-auto lg:border-l">
      <Link
        to={back}
        className="flex min-h-11 items-center gap-1.5 px-4 text-primary hover:underline lg:hidden"
      >
        <ArrowLeft aria-hidden className="size-4" />
        All requests
      </Link>
      {isPending ? <Waiting /> : error ? <Refusal error={error} /> : <Told branch={branch} request={data} />}
    </article>
  );
}

function Told({ branch, request }: { branch: BranchId; request: WholeRequest }) {
  const { data } = request;
  const textAs = (language: string) => () =>
    callText(branch, `/requests/${encodeURIComponent(request.id)}/as/${language}`);
  return (
    <>
      <header className="grid gap-2 px-4 py-3">
        <h2 className="flex min-w-0 items-baseline gap-2">
          <span className="code font-semibold">{data.method}</span>
          <span className="code min-w-0 break-all">{data.path}</span>
          <StatusCode status={data.status} />
        </h2>
        {data.message && (
          <p className={data.status >= 400 ? 'text-destructive' : undefined}>
            {data.message} {data.code && <span className="code text-muted-foreground">{data.code}</span>}
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          <Copy name="supabase-js" text={textAs('supabase-js')} />
          <Copy name="curl" text={textAs('curl')} />
          <Copy name="Link" text={location.href} />
          <FailOnce branch={branch} data={data} />
        </div>
      </header>
      <WhySection branch={branch} request={request} />
      <CallerSection data={data} />
      <AskedSection data={data} />
      <StatementSection data={data} />
      <PlanSection branch={branch} request={request} />
      <AnswerSection data={data} />
      <Stages total={request.ms} stages={data.stages} />
      <LedTo events={request.led_to} />
      <ReplaySection branch={branch} request={request} />
    </>
  );
}
