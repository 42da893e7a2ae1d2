/** A request being written, new or again. A new one shows beside itself what agents will see. */
import { zodResolver } from '@hookform/resolvers/zod';
import { useCallback, useEffect, type ReactNode } from 'react';
import { FormProvider, useForm, useWatch, type Control } from 'react-hook-form';
import { CarDrawing } from '@/components/car-drawing/car-drawing';
import { DraftNote } from '@/components/form/draft-note';
import { LeavePrompt } from '@/components/leave-prompt';
import { RouteLine } from '@/components/route-line';
import { Alert } from '@/components/ui/alert';
import { BusyButton } from '@/components/ui/busy-button';
import { Button } from '@/components/ui/button';
import { postRequest as copy, requests } from '@/copy/requests';
import { useDraft } from '@/hooks/use-draft';
import { messageOf } from '@/lib/errors';
import { formatPrice, parseAmount } from '@/lib/format';
import { requestSchema, type RequestFields as Fields, type RequestForm as Values } from '../request-schema';
import { RequestFields } from './request-fields';

interface RequestFormProps {
  initial: Values;
  /** Under which name what is typed is kept. */
  draftKey: string;
  submit: string;
  busyText: string;
  busy: boolean;
  isDone: boolean;
  failure: { title: string; error: Error } | null;
  onSubmit: (fields: Fields) => void;
  onCancel: () => void;
  withPreview?: boolean;
}

export function RequestForm(props: RequestFormProps) {
  const { initial, draftKey, failure, busy, isDone, onSubmit, withPreview = false } = props;
  const form = useForm({ resolver: zodResolver(requestSchema), defaultValues: initial });
  const draft = useDraft(form, draftKey);
  const { clear } = draft;
  useEffect(() => {
    if (isDone) clear();
  }, [isDone, clear]);
  const { isDirty } = form.formState;
  const hasChanges = useCallback(() => isDirty && !busy && !isDone, [isDirty, busy, isDone]);
  return (
    <FormProvider {...form}>
      <LeavePrompt hasChanges={hasChanges} />
      <form
        noValidate
        onSubmit={(event) => void form.handleSubmit(onSubmit)(event)}
        className={withPreview ? 'grid gap-8 lg:grid-cols-[minmax(0,1fr)_18rem] lg:items-start' : undefined}
      >
        <div className="min-w-0 space-y-6">
          {failure && <Alert title={failure.title} text={messageOf(failure.error)} />}
          <DraftNote draft={draft} />
          <RequestFields />
          <FormBar {...props} />
        </div>
        {withPreview && <Preview control={form.control} />}
      </form>
    </FormProvider>
  );
}

/** On a phone the bar stays in reach at the lower edge. */
function FormBar({ submit, busyText, busy, onCancel }: RequestFormProps): ReactNode {
  return (
    <div className="sticky bottom-0 z-10 -mx-4 flex gap-3 border-t bg-background px-4 py-3 in-[[role=dialog]]:bg-card sm:static sm:mx-0 sm:border-0 sm:bg-transparent sm:px-0">
      <BusyButton writes type="submit" busy={busy} busyText={busyText} className="flex-1 sm:flex-none">
        {submit}
      </BusyButton>
      <Button variant="outline" onClick={onCancel}>
        {copy.cancel}
      </Button>
    </div>
  );
}

function Preview({ control }: { control: Control<Values, unknown, Fields> }) {
  const values = useWatch({ control });
  const name = [values.carMake, values.carModel].filter(Boolean).join(' ');
  const budget = [values.budgetMin, values.budgetMax]
    .map((text) => parseAmount(text ?? ''))
    .filter((amount) => amount !== null)
    .map(formatPrice)
    .join(' – ');
  return (
    <aside
      aria-label={copy.preview}
      className="hidden overflow-hidden rounded-card border bg-card lg:sticky lg:top-20 lg:block"
    >
      <p className="border-b px-4 py-2.5 text-label text-muted-foreground">{copy.preview}</p>
      <CarDrawing make={values.carMake ?? ''} model={values.carModel ?? ''} caption={null} />
      <div className="space-y-2 border-t p-4">
        <p dir="auto" className="break-words text-h3">
          {name || copy.previewEmpty}
        </p>
        <p className="text-muted-foreground figures">
          {[values.yearRange || `${requests.year} —`, values.condition].filter(Boolean).join(' · ')}
        </p>
        <p className="font-semibold figures">{budget || `${requests.budget} —`}</p>
        <RouteLine
          from="JP"
          {...(values.shippingPort && { to: values.shippingPort })}
          className="border-t pt-3"
        />
      </div>
    </aside>
  );
}
