/** One question, one button; afterwards the way back. */
import { CircleCheckBig, MailX } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { PageHeading } from '@/components/page-heading';
import { Alert } from '@/components/ui/alert';
import { BusyButton } from '@/components/ui/busy-button';
import { mails as copy } from '@/copy/mails';
import { messageOf } from '@/lib/errors';
import { toastError } from '@/lib/toast';
import { useChooseMail, type MailChoice } from '../data/mail-choice';

interface MailChoiceFormProps {
  token: string;
  choice: MailChoice;
  /** The way to the settings. */
  settings: ReactNode;
}

export function MailChoiceForm({ token, choice, settings }: MailChoiceFormProps) {
  const what = copy.topics[choice.topic] ?? copy.anything;
  const [asked, setAsked] = useState(false);
  const { mutate, isPending } = useChooseMail(token);
  const choose = (wanted: boolean) =>
    mutate(wanted, {
      onSuccess: () => setAsked(wanted),
      onError: (error) => toastError(copy.failed, messageOf(error)),
    });
  const { wanted } = choice;
  const Mark = wanted ? MailX : CircleCheckBig;
  return (
    <>
      <Mark
        aria-hidden
        className={wanted ? 'size-9 text-primary' : 'size-9 text-success'}
        strokeWidth={1.5}
      />
      <PageHeading className="mt-4">{wanted ? copy.ask(what) : copy.stopped(what)}</PageHeading>
      <p className="mt-2 text-muted-foreground">{wanted ? copy.askText : copy.stoppedText}</p>
      {asked && (
        <div role="status" className="mt-6">
          <Alert tone="info" text={wanted ? copy.resumed(what) : copy.allOff} />
        </div>
      )}
      <div className="mt-8 flex flex-col gap-3 sm:flex-row">
        <BusyButton
          variant={wanted ? 'primary' : 'outline'}
          busy={isPending}
          busyText={wanted ? copy.stopping : copy.resuming}
          onClick={() => choose(!wanted)}
        >
          {wanted ? copy.stop : copy.resume}
        </BusyButton>
        {settings}
      </div>
    </>
  );
}
