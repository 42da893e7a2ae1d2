/** Everything about one agent that a decision needs, and the decisions. */
import { NewTabLink } from '@/components/new-tab-link';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import { paths } from '@/config/paths';
import { adminAgents as copy, adminList } from '@/copy/back-office';
import {
  Facts,
  RecordDetails,
  SheetSection,
} from '@/features/administration/records/components/record-sheet';
import { countryName } from '@/lib/country';
import { formatDay } from '@/lib/format';
import type { AgentRow, Submission } from '../data/agent-row';
import { AgentActions } from './agent-actions';
import { Paper } from './approval-checks';
import { SubmittedDocument } from './submitted-document';

export function AgentDetails({ agent }: { agent: AgentRow }) {
  return (
    <RecordDetails subtitle={<AgentStatus status={agent.status} />} actions={<AgentActions agent={agent} />}>
      <SheetSection title={copy.sheet.contact}>
        <Facts
          rows={[
            [copy.sheet.email, agent.email, 'wide'],
            [copy.sheet.phone, agent.phone],
            [copy.sheet.place, [agent.city, countryName(agent.country)].filter(Boolean).join(', ')],
            [copy.sheet.joined, formatDay(agent.created_at)],
            ...(agent.suspension_reason ? [[copy.sheet.suspension, agent.suspension_reason] as const] : []),
          ]}
        />
        <NewTabLink
          to={paths.agent.publicProfile(agent.user_id)}
          className="touch-target inline-flex items-center gap-1.5 font-semibold text-primary underline underline-offset-4"
        >
          {copy.sheet.publicProfile}
        </NewTabLink>
      </SheetSection>
      {agent.submission ? (
        <SubmissionDetails submission={agent.submission} />
      ) : (
        <p className="text-muted-foreground">{copy.sheet.noSubmission}</p>
      )}
    </RecordDetails>
  );
}

function SubmissionDetails({ submission }: { submission: Submission }) {
  return (
    <>
      <SheetSection title={copy.sheet.submission}>
        <Facts
          rows={[
            [copy.columns.submitted, formatDay(submission.submitted_at)],
            [copy.sheet.reviewedOn, dayOf(submission.reviewed_at)],
            [copy.sheet.company, submission.company_name],
            [copy.sheet.experience, submission.experience],
            [copy.sheet.languages, submission.languages?.join(', '), 'wide'],
          ]}
        />
        {submission.bio && (
          <p dir="auto" className="whitespace-pre-line">
            {submission.bio}
          </p>
        )}
        {submission.review_note && (
          <p className="border-l-4 border-l-input pl-3 whitespace-pre-line">
            <span className="text-label text-muted-foreground">{copy.sheet.decisionNote}</span>
            <br />
            <bdi>{submission.review_note}</bdi>
          </p>
        )}
      </SheetSection>
      <FeeDetails submission={submission} />
      <SheetSection title={copy.sheet.documents}>
        <div className="grid gap-3 sm:grid-cols-2">
          {(['identity_document', 'company_proof'] as const).map((name) => (
            <div key={name} className="space-y-1.5">
              <Paper name={name} submission={submission} />
              <p className="text-small text-muted-foreground">
                {copy.documentStatus[submission[`${name}_status`]]}
                {submission[`${name}_note`] && `: ${submission[`${name}_note`]}`}
              </p>
            </div>
          ))}
        </div>
      </SheetSection>
    </>
  );
}

function FeeDetails({ submission }: { submission: Submission }) {
  return (
    <SheetSection title={copy.sheet.amount}>
      <Facts
        rows={[
          [copy.columns.payment, copy.payment[submission.payment_status]],
          [copy.sheet.amount, `PKR ${submission.amount_pkr.toLocaleString('en-US')}`],
          [copy.sheet.method, methodName(submission.payment_method)],
          [copy.sheet.transferReference, submission.transfer_reference],
          [copy.sheet.saidPaidOn, dayOf(submission.payment_claimed_at)],
          [copy.sheet.reference, submission.payment_reference],
          [copy.sheet.settledOn, dayOf(submission.payment_settled_at)],
          ...(submission.payment_note
            ? [[copy.sheet.paymentNote, submission.payment_note, 'wide'] as const]
            : []),
        ]}
      />
      {submission.receipt_path && (
        <SubmittedDocument label={copy.sheet.receipt} path={submission.receipt_path} />
      )}
    </SheetSection>
  );
}

const dayOf = (timestamp: string | null) => (timestamp === null ? null : formatDay(timestamp));

function methodName(method: string | null): string {
  const { paymentMethod } = copy;
  return method !== null && method in paymentMethod
    ? paymentMethod[method as keyof typeof paymentMethod]
    : adminList.none;
}

const AGENT_TONES: Record<AgentRow['status'], BadgeTone> = {
  verified: 'verified',
  pending: 'warning',
  payment_pending: 'warning',
  suspended: 'danger',
  unverified: 'neutral',
};

export function AgentStatus({ status }: { status: AgentRow['status'] }) {
  return <Badge tone={AGENT_TONES[status]}>{copy.status[status]}</Badge>;
}
