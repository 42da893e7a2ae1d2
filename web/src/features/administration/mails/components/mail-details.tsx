/** One mail that did not arrive, with what the mail server said, and what can be done. */
import { Badge, type BadgeTone } from '@/components/ui/badge';
import { adminMails as copy } from '@/copy/back-office-mails';
import { DecisionButton } from '@/features/administration/decisions/components/decision-button';
import {
  Facts,
  RecordDetails,
  SheetSection,
} from '@/features/administration/records/components/record-sheet';
import { formatDay, formatTime } from '@/lib/format';
import { plainMailError } from '../mail-error';
import type { MailRow } from '../mail-records';

type Step = keyof typeof copy.actions;

const STEPS: Record<MailRow['status'], readonly Step[]> = {
  stopped: ['send_again', 'give_up'],
  waiting: ['send_again', 'give_up'],
  given_up: ['send_again'],
};

export function MailDetails({ mail }: { mail: MailRow }) {
  return (
    <RecordDetails
      subtitle={<MailStatus status={mail.status} />}
      actions={STEPS[mail.status].map((step) => (
        <DecisionButton
          key={step}
          label={copy.actions[step]}
          question={copy.ask[step]}
          done={copy.done[step]}
          variant={step === 'send_again' ? 'primary' : 'destructive'}
          decide={() => ({ act: 'mail', mail: mail.id, step })}
        />
      ))}
    >
      <Facts
        rows={[
          [copy.columns.to, mail.full_name ?? copy.unknown, 'wide'],
          [copy.address, mail.email, 'wide'],
          [copy.columns.queued, momentOf(mail.created_at)],
          [copy.columns.tried, momentOf(mail.tried_at)],
          [copy.columns.attempts, String(mail.attempts)],
          [copy.next, momentOf(mail.due_at)],
        ]}
      />
      <SheetSection title={copy.columns.error}>
        <p>{plainMailError(mail.error)}</p>
      </SheetSection>
      <SheetSection title={copy.said}>
        <p className="border-l-4 border-l-input pl-3 break-words whitespace-pre-line text-muted-foreground">
          {mail.error}
        </p>
      </SheetSection>
    </RecordDetails>
  );
}

const momentOf = (moment: string | null) => moment && `${formatDay(moment)}, ${formatTime(moment)}`;

const MAIL_TONES: Record<MailRow['status'], BadgeTone> = {
  stopped: 'danger',
  waiting: 'warning',
  given_up: 'neutral',
};

export function MailStatus({ status }: { status: MailRow['status'] }) {
  return <Badge tone={MAIL_TONES[status]}>{copy.status[status]}</Badge>;
}
