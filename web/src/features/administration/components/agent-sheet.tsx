/** Everything about one agent that a decision needs, and the decisions. */
import { NewTabLink } from '@/components/new-tab-link';
import { paths } from '@/config/paths';
import { adminAgents as copy, adminList } from '@/copy/back-office';
import { countryName } from '@/lib/country';
import { formatDay } from '@/lib/format';
import { documentNames, type AgentRow, type DocumentName, type Submission } from '../data/agent-row';
import { useOpenedDocuments } from '../data/opened-documents';
import { AgentActions } from './agent-actions';
import { AgentStatus } from './status-badges';
import { Facts, RecordSheet, SheetSection } from './record-sheet';
import { SubmittedDocument } from './submitted-document';

export function AgentSheet({ agent, onClose }: { agent: AgentRow; onClose: () => void }) {
  return (
    <RecordSheet
      title={agent.full_name ?? agent.email}
      subtitle={<AgentStatus status={agent.status} />}
      actions={<AgentActions agent={agent} />}
      onClose={onClose}
    >
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
          className="inline-flex items-center gap-1.5 font-semibold text-primary underline underline-offset-4"
        >
          {copy.sheet.publicProfile}
        </NewTabLink>
      </SheetSection>
      {agent.submission ? (
        <SubmissionDetails submission={agent.submission} />
      ) : (
        <p className="text-muted-foreground">{copy.sheet.noSubmission}</p>
      )}
    </RecordSheet>
  );
}

function SubmissionDetails({ submission }: { submission: Submission }) {
  return (
    <>
      <SheetSection title={copy.sheet.submission}>
        <Facts
          rows={[
            [copy.columns.submitted, formatDay(submission.submitted_at)],
            [copy.sheet.company, submission.company_name],
            [copy.sheet.experience, submission.experience],
            [copy.sheet.languages, submission.languages?.join(', ')],
            [copy.columns.payment, copy.payment[submission.payment_status]],
            [copy.sheet.amount, `PKR ${submission.amount_pkr.toLocaleString('en-US')}`],
            [copy.sheet.method, methodName(submission.payment_method)],
            [copy.sheet.reference, submission.payment_reference],
          ]}
        />
        {submission.bio && <p className="whitespace-pre-line">{submission.bio}</p>}
        {submission.review_note && (
          <p className="border-l-4 border-l-input pl-3">
            <span className="text-label text-muted-foreground">{copy.sheet.decisionNote}</span>
            <br />
            {submission.review_note}
          </p>
        )}
      </SheetSection>
      <SheetSection title={copy.sheet.documents}>
        <div className="grid gap-3 sm:grid-cols-2">
          {documentNames.map((name) => (
            <DocumentSlot key={name} name={name} submission={submission} />
          ))}
        </div>
      </SheetSection>
    </>
  );
}

function DocumentSlot({ name, submission }: { name: DocumentName; submission: Submission }) {
  const { unopened, note } = useOpenedDocuments(submission);
  const label = copy.documents[name];
  const path = submission[`${name}_path`];
  if (path === null) {
    return (
      <p className="rounded-control border border-dashed border-input p-3 text-muted-foreground">
        {copy.missing(label)}
      </p>
    );
  }
  return (
    <SubmittedDocument
      label={label}
      path={path}
      isOpened={!unopened.includes(name)}
      onOpen={() => void note(name)}
    />
  );
}

function methodName(method: string | null): string {
  const { paymentMethod } = copy;
  return method !== null && method in paymentMethod
    ? paymentMethod[method as keyof typeof paymentMethod]
    : adminList.none;
}
