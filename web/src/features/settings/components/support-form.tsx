import { zodResolver } from '@hookform/resolvers/zod';
import { FormProvider, useForm } from 'react-hook-form';
import { z } from '@/lib/zod';
import { SelectField } from '@/components/form/select-field';
import { TextAreaField, TextField } from '@/components/form/text-field';
import { BusyButton } from '@/components/ui/busy-button';
import { settings } from '@/copy/settings';
import { messageOf } from '@/lib/errors';
import { toastError, toastSuccess } from '@/lib/toast';
import { useOpenTicket, type Ticket } from '../data/support-mutation';
import { SettingsCard } from './settings-card';

const copy = settings.support;
const EMPTY: Ticket = { subject: '', category: 'general', body: '' };

const ticketSchema = z.object({
  subject: z.string().trim().min(1, copy.subjectMissing).max(200),
  category: z.string(),
  body: z.string().trim().min(1, copy.bodyMissing).max(4000),
});

export function SupportForm({ userId }: { userId: string }) {
  const form = useForm({ resolver: zodResolver(ticketSchema), defaultValues: EMPTY });
  const { mutate, isPending } = useOpenTicket(userId);
  const send = (ticket: Ticket) =>
    mutate(ticket, {
      onSuccess: () => {
        form.reset(EMPTY);
        toastSuccess(copy.done.title, copy.done.text);
      },
      onError: (error) => toastError(copy.failed, messageOf(error)),
    });
  return (
    <SettingsCard title={copy.title}>
      <p className="mb-5 text-muted-foreground">{copy.lead}</p>
      <FormProvider {...form}>
        <form
          noValidate
          onSubmit={(event) => void form.handleSubmit(send)(event)}
          className="grid gap-5 sm:grid-cols-[minmax(0,1fr)_14rem]"
        >
          <TextField name="subject" label={copy.subject} autoComplete="off" maxLength={200} />
          <SelectField name="category" label={copy.category}>
            {Object.entries(copy.categories).map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </SelectField>
          <TextAreaField name="body" label={copy.body} rows={4} maxLength={4000} className="sm:col-span-2" />
          <div className="sm:col-span-2">
            <BusyButton
              type="submit"
              variant="outline"
              busy={isPending}
              busyText={copy.busy}
              className="w-full sm:w-auto"
            >
              {copy.submit}
            </BusyButton>
          </div>
        </form>
      </FormProvider>
    </SettingsCard>
  );
}
