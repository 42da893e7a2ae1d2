/** A dispute as both sides see it: what it is about, what each says, the files, and how it ended. */
import type { ReactNode } from 'react';
import { Badge } from '@/components/ui/badge';
import { Sheet, SheetContent } from '@/components/ui/sheet';
import { app } from '@/copy/app';
import { disputes } from '@/copy/reports';
import { messageOf } from '@/lib/errors';
import { formatDay } from '@/lib/format';
import { toastError, toastSuccess } from '@/lib/toast';
import { useAnswerDispute, useRaiseDispute } from '../data/dispute-mutations';
import { canDispute, disputeOf, type Deal, type Dispute } from '../data/disputes-query';
import { StatementForm } from './statement-form';
import { Statements } from './statements';

const copy = disputes.sheet;

interface DisputeSheetProps {
  userId: string;
  deal: Deal;
  otherName: string;
  onClose: () => void;
}

/** The dispute there is, or the form for one. */
export function DisputeSheet({ userId, deal, otherName, onClose }: DisputeSheetProps) {
  const dispute = disputeOf(deal);
  const isNew = dispute === undefined || (dispute.status === 'settled' && canDispute(deal));
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()}>
      <SheetContent side="right" title={isNew ? disputes.form.title : copy.title} closeLabel={app.dismiss}>
        {dispute && <Facts dispute={dispute} userId={userId} otherName={otherName} />}
        {isNew && deal.invitation_id !== null && (
          <Section>
            <p className="mb-5 text-muted-foreground">{disputes.form.text(otherName)}</p>
            <Raise place={{ userId, dealId: deal.id }} invitationId={deal.invitation_id} />
          </Section>
        )}
        {dispute?.status === 'open' && (
          <Section>
            <Answer place={{ userId, dealId: deal.id }} dispute={dispute} />
          </Section>
        )}
      </SheetContent>
    </Sheet>
  );
}

function Section({ children }: { children: ReactNode }) {
  return <section className="border-t p-4 first:border-t-0 sm:p-5">{children}</section>;
}

interface FactsProps {
  dispute: Dispute;
  userId: string;
  otherName: string;
}

function Facts({ dispute, userId, otherName }: FactsProps) {
  const { by_team: byTeam, raised_by: raisedBy } = dispute;
  const who = byTeam ? copy.team : raisedBy === userId ? copy.you : otherName;
  const isOpen = dispute.status === 'open';
  return (
    <>
      <Section>
        <div className="flex flex-wrap items-start justify-between gap-3">
          <h3 dir="auto" className="min-w-0 break-words text-h3">
            {dispute.reason}
          </h3>
          <Badge tone={isOpen ? 'danger' : 'success'}>
            {isOpen ? disputes.badge : disputes.settledBadge}
          </Badge>
        </div>
        <p className="mt-1 text-small text-muted-foreground">
          {copy.raisedBy} <bdi>{who}</bdi> · {formatDay(dispute.created_at)}
        </p>
        {isOpen && <p className="mt-3 text-muted-foreground">{copy.waits}</p>}
        {dispute.outcome && <Outcome outcome={dispute.outcome} settledAt={dispute.settled_at} />}
      </Section>
      <Section>
        <h3 className="mb-3 text-label text-muted-foreground">{copy.statements}</h3>
        <Statements statements={dispute.statements} userId={userId} otherName={otherName} />
      </Section>
    </>
  );
}

function Outcome({ outcome, settledAt }: { outcome: string; settledAt: string | null }) {
  return (
    <div className="mt-4 border-l-4 border-l-success pl-3">
      <p className="text-label text-muted-foreground">{copy.outcome}</p>
      <p dir="auto" className="break-words whitespace-pre-line">
        {outcome}
      </p>
      {settledAt && <p className="text-small text-muted-foreground">{copy.settled(formatDay(settledAt))}</p>}
    </div>
  );
}

interface Place {
  userId: string;
  dealId: string;
}

function Raise({ place, invitationId }: { place: Place; invitationId: string }) {
  const { mutate, isPending } = useRaiseDispute(place, invitationId);
  const { form } = disputes;
  return (
    <StatementForm
      draftKey={`dispute-of-${place.dealId}`}
      asksReason
      label={form.statement}
      submit={form.submit}
      busy={isPending}
      onSend={(words, done) =>
        mutate(words, {
          onSuccess: () => {
            done();
            toastSuccess(form.done.title, form.done.text);
          },
          onError: (error) => toastError(form.failed, messageOf(error)),
        })
      }
    />
  );
}

function Answer({ place, dispute }: { place: Place; dispute: Dispute }) {
  const { mutate, isPending } = useAnswerDispute(place, dispute.id);
  const { answer } = disputes;
  return (
    <StatementForm
      draftKey={`dispute-answer-${dispute.id}`}
      asksReason={false}
      label={answer.label}
      submit={answer.submit}
      busy={isPending}
      onSend={({ statement, files }, done) =>
        mutate(
          { statement, files },
          {
            onSuccess: () => {
              done();
              toastSuccess(answer.done.title, answer.done.text);
            },
            onError: (error) => toastError(answer.failed, messageOf(error)),
          },
        )
      }
    />
  );
}
