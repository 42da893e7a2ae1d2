/** The dashboard's word on verification: what is needed next, and how far every step is. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { ErrorPanel } from '@/components/error-panel';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { paths } from '@/config/paths';
import { verification as copy } from '@/copy/verification';
import { readAgentData } from '../agent-data';
import { referenceQueryOptions, submissionQueryOptions } from '../data/verification-query';
import { standingOf, stepsOf, type Standing } from '../standing';
import { VerificationChecklist } from './verification-checklist';

export function VerificationPanel({ agentId }: { agentId: string }) {
  const { data, error, isPending, refetch } = useQuery(submissionQueryOptions(agentId));
  const reference = useQuery(referenceQueryOptions(agentId));
  const [kept] = useState(readAgentData);
  if (isPending) return <Skeleton className="h-56 w-full" />;
  if (data === undefined)
    return <ErrorPanel error={error} fallback={copy.notRead} onRetry={() => void refetch()} />;
  const standing = standingOf(data, kept !== null);
  return (
    <Card aria-labelledby="verification-title">
      <CardHeader>
        <CardTitle id="verification-title">{copy.title}</CardTitle>
        <Badge tone={TONES[standing]}>{copy.badge[standing]}</Badge>
      </CardHeader>
      <CardContent className="grid gap-x-10 gap-y-6 lg:grid-cols-2">
        <NextStep standing={standing} paysNext={kept === null || kept.paymentMethod !== undefined} />
        <VerificationChecklist steps={stepsOf(data, reference.data ?? '')} />
      </CardContent>
    </Card>
  );
}

const TONES = {
  begin: 'neutral',
  kept: 'neutral',
  review: 'neutral',
  fee: 'warning',
  answer: 'warning',
  declined: 'danger',
} as const;

interface NextStepProps {
  standing: Standing;
  /** A form that was begun as a guest goes on where it was begun. */
  paysNext: boolean;
}

function NextStep({ standing, paysNext }: NextStepProps) {
  const isNew = standing === 'begin' || standing === 'kept';
  const to = isNew && !paysNext ? paths.agent.profileCompletion : paths.agent.payment;
  return (
    <div className="space-y-4">
      <p className="max-w-[46ch] text-balance">{copy.standing[standing]}</p>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <Button variant={standing === 'review' ? 'outline' : 'primary'} className="max-sm:w-full" asChild>
          <Link to={to}>{ACTIONS[standing]}</Link>
        </Button>
        {isNew && paysNext && (
          <Link
            to={paths.agent.profileCompletion}
            className="inline-flex min-h-11 items-center font-semibold text-primary underline underline-offset-4 hover:decoration-2"
          >
            {copy.action.payLater}
          </Link>
        )}
      </div>
    </div>
  );
}

const ACTIONS: Record<Standing, string> = {
  begin: copy.action.start,
  kept: copy.action.finish,
  review: copy.action.change,
  fee: copy.action.pay,
  answer: copy.action.answer,
  declined: copy.action.again,
};
