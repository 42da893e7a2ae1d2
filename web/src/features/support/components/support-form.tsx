/** A question to the team; for whoever is suspended, the request to look again. */
import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { Link } from 'react-router-dom';
import { DraftNote } from '@/components/form/draft-note';
import { SelectField } from '@/components/form/plain-fields';
import { TextAreaField, TextField } from '@/components/form/text-field';
import { LeavePrompt } from '@/components/leave-prompt';
import { BusyButton } from '@/components/ui/busy-button';
import { Button } from '@/components/ui/button';
import { CardContent, CardHeader, CardTitle, FormCard } from '@/components/ui/card';
import { support as copy } from '@/copy/support';
import { useDraft } from '@/hooks/use-draft';
import { ConflictError, messageOf } from '@/lib/errors';
import { toastError, toastSuccess } from '@/lib/toast';
import { z } from '@/lib/zod';
import { newId } from '@/lib/ids';
import { useOpenTicket } from '../data/ticket-mutations';
import { APPEAL, openAppealOf, openTicketsOptions } from '../data/tickets-query';

const ticketSchema = z.object({
  id: z.string(),
  subject: z.string().check(z.trim(), z.minLength(1, copy.subjectMissing), z.maxLength(200)),
  category: z.string(),
  body: z.string().check(z.trim(), z.minLength(1, copy.bodyMissing), z.maxLength(4000)),
});
type Question = z.infer<typeof ticketSchema>;

interface SupportFormProps {
  userId: string;
  isSuspended: boolean;
  supportPath: string;
}

// AGS-011
export function SupportForm({ userId, isSuspended, supportPath }: SupportFormProps) {
  const { data: tickets } = useQuery(openTicketsOptions(userId));
  const [asked, setAsked] = useState(0);
  const appeal = isSuspended ? openAppealOf(tickets) : undefined;
  return (
    <FormCard aria-labelledby="support-title">
      <CardHeader>
        <CardTitle id="support-title">{isSuspended ? copy.appeal.title : copy.title}</CardTitle>
      </CardHeader>
      <CardContent>
        {appeal ? (
          <OpenAppeal to={`${supportPath}/${appeal.id}`} />
        ) : (
          <>
            <p className="mb-5 text-muted-foreground">{isSuspended ? copy.appeal.lead : copy.lead}</p>
            <Form
              key={`${String(isSuspended)} ${asked}`}
              userId={userId}
              isAppeal={isSuspended}
              onSent={() => setAsked(asked + 1)}
            />
          </>
        )}
      </CardContent>
    </FormCard>
  );
}

function OpenAppeal({ to }: { to: string }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <p className="min-w-0 flex-1 basis-64 text-muted-foreground">{copy.appeal.exists}</p>
      <Button variant="outline" asChild className="w-full sm:w-auto">
        <Link to={to}>{copy.appeal.open}</Link>
      </Button>
    </div>
  );
}

interface FormProps {
  userId: string;
  isAppeal: boolean;
  /** Then an empty one takes its place. */
  onSent: () => void;
}

function Form({ userId, isAppeal, onSent }: FormProps) {
  const form = useForm({ resolver: zodResolver(ticketSchema), defaultValues: emptyQuestion(isAppeal) });
  const draft = useDraft(form, isAppeal ? 'support-appeal' : 'support');
  const { mutate, isPending } = useOpenTicket(userId);
  const { isDirty } = form.formState;
  const hasChanges = useCallback(() => isDirty && !isPending, [isDirty, isPending]);
  const send = (question: Question) =>
    mutate(question, {
      onSuccess: () => {
        draft.clear();
        toastSuccess(copy.done.title, copy.done.text);
        onSent();
      },
      onError: (error) =>
        toastError(copy.failed, error instanceof ConflictError ? copy.appeal.exists : messageOf(error)),
    });
  return (
    <FormProvider {...form}>
      <LeavePrompt hasChanges={hasChanges} />
      <form
        noValidate
        onSubmit={(event) => void form.handleSubmit(send)(event)}
        className="grid gap-5 sm:grid-cols-[minmax(0,1fr)_14rem]"
      >
        <div className="empty:hidden sm:col-span-2">
          <DraftNote draft={draft} />
        </div>
        <TextField
          name="subject"
          label={copy.subject}
          autoComplete="off"
          maxLength={200}
          className={isAppeal ? 'sm:col-span-2' : undefined}
        />
        {!isAppeal && (
          <SelectField name="category" label={copy.category}>
            {Object.entries(copy.categories).map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </SelectField>
        )}
        <TextAreaField name="body" label={copy.body} rows={4} maxLength={4000} className="sm:col-span-2" />
        <div className="sm:col-span-2">
          <BusyButton type="submit" busy={isPending} busyText={copy.busy} className="w-full sm:w-auto">
            {isAppeal ? copy.appeal.submit : copy.submit}
          </BusyButton>
        </div>
      </form>
    </FormProvider>
  );
}

/** The id stays with what is typed: the same question, sent again after a reload, is not asked twice. */
function emptyQuestion(isAppeal: boolean): Question {
  return {
    id: newId(),
    subject: isAppeal ? copy.appeal.subject : '',
    category: isAppeal ? APPEAL : 'general',
    body: '',
  };
}
