/** The dashboard's word on verification: how to start it, how to finish a form begun as a guest, or that it is under way. */
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { Button } from '@/components/ui/button';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card';
import { paths } from '@/config/paths';
import { verificationPanel as copy } from '@/copy/onboarding';
import { readAgentData } from '../agent-data';

export function VerificationPanel({ status, className }: { status: string; className?: string }) {
  return (
    <Card aria-labelledby="verification-title" className={className}>
      <CardHeader>
        <CardTitle id="verification-title">{copy.title}</CardTitle>
      </CardHeader>
      <CardContent className="space-y-4">
        {status === 'pending' ? <p className="text-muted-foreground">{copy.pending}</p> : <NextStep />}
      </CardContent>
    </Card>
  );
}

function NextStep() {
  const [kept] = useState(readAgentData);
  const isPaymentNext = kept === null || kept.paymentMethod !== undefined;
  return (
    <>
      <p className="text-muted-foreground">{kept ? copy.kept : copy.unverified}</p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button variant="outline" asChild>
          <Link to={isPaymentNext ? paths.agent.payment : paths.agent.profileCompletion}>
            {kept ? copy.finish : copy.start}
          </Link>
        </Button>
        {isPaymentNext && (
          <Link
            to={paths.agent.profileCompletion}
            className="inline-flex min-h-11 items-center font-semibold text-primary underline underline-offset-4 hover:decoration-2"
          >
            {copy.payLater}
          </Link>
        )}
      </div>
    </>
  );
}
