/** A question to the team; for whoever is suspended, the request to look again. */
import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { Link } from 'react-router-dom';
import { SelectField } from '@/components/form/select-field';
import { TextAreaField, TextField } from '@/components/form/text-field';
import { BusyButton } from '@/components/ui/busy-button';
import { Button } from '@/components/ui/button';
import { CardContent, CardHeader, CardTitle, FormCard } from '@/components/ui/card';
import { support as copy } from '@/copy/support';
import { ConflictError, messageOf } from '@/lib/errors';
import { toastError, toastSuccess } from '@/lib/toast';
import { z } from '@/lib/zod';
import { newId } from '@/lib/new-id';
import { useOpenTicket } from '../data/ticket-mutations';
import { APPEAL, openAppealOf, ticketsQueryOptions } from '../data/tickets-query';

const ticketSchema = z.object({
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
  const { data: tickets } = useQuery(ticketsQueryOptions(userId));
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
            <Form key={String(isSuspended)} userId={userId} isAppeal={isSuspended} />
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

function Form({ userId, isAppeal }: { userId: string; isAppeal: boolean }) {
  const empty: Question = {
    subject: isAppeal ? copy.appeal.subject : '',
    category: isAppeal ? APPEAL : 'general',
    body: '',
  };
  const form = useForm({ resolver: zodResolver(ticketSchema), defaultValues: empty });
  const id = useRef(newId());
  const { mutate, isPending } = useOpenTicket(userId);
  const send = (question: Question) =>
    mutate(
      { id: id.current, ...question },
      {
        onSuccess: () => {
          id.current = newId();
          form.reset(empty);
          toastSuccess(copy.done.title, copy.done.text);
        },
        onError: (error) =>
          toastError(copy.failed, error instanceof ConflictError ? copy.appeal.exists : messageOf(error)),
      },
    );
  return (
    <FormProvider {...form}>
      <form
        noValidate
        onSubmit={(event) => void form.handleSubmit(send)(event)}
        className="grid gap-5 sm:grid-cols-[minmax(0,1fr)_14rem]"
      >
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
