/** The fee, and where agents send it. Leaving with changes asks first. */
import { zodResolver } from '@hookform/resolvers/zod';
import { useCallback } from 'react';
import { useForm, type Path } from 'react-hook-form';
import { LeavePrompt } from '@/components/leave-prompt';
import { Alert } from '@/components/ui/alert';
import { BusyButton } from '@/components/ui/busy-button';
import { CardContent, CardHeader, CardTitle, FormCard } from '@/components/ui/card';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { adminSettings } from '@/copy/back-office-settings';
import { messageOf } from '@/lib/errors';
import { toastError, toastSuccess } from '@/lib/toast';
import { z } from '@/lib/zod';
import { useSaveSettings, type Settings } from '../data/settings';

const copy = adminSettings.verification;
const MAX_FEE = 1_000_000;
const line = z.string().check(z.trim(), z.maxLength(100, copy.tooLong));

const paymentSchema = z.object({
  fee: z.string().check(
    z.trim(),
    z.regex(/^\d+$/, copy.feeInvalid),
    z.refine((text) => Number(text) <= MAX_FEE, copy.feeTooHigh),
  ),
  easypaisa: z.object({ number: line }),
  bank: z.object({ title: line, account: line, iban: line }),
});

type PaymentValues = z.infer<typeof paymentSchema>;

function paymentValues({ fee_pkr: fee, payment_instructions: paid }: Settings): PaymentValues {
  return { fee: String(fee), easypaisa: paid.easypaisa, bank: paid.bank };
}

/** What the schema starts with; nobody should send money there. */
const PLACEHOLDER_IBAN = 'PK00 DEMO';

export function PaymentSettings({ settings }: { settings: Settings }) {
  const { register, handleSubmit, reset, formState } = useForm<PaymentValues>({
    resolver: zodResolver(paymentSchema),
    // what is read again while nothing is being changed is shown; what is being changed stays
    values: paymentValues(settings),
    resetOptions: { keepDirtyValues: true },
  });
  const { mutate, isPending } = useSaveSettings();
  const { errors, isDirty } = formState;
  const hasChanges = useCallback(() => isDirty, [isDirty]);
  const save = (values: PaymentValues) =>
    mutate(
      [
        { key: 'fee_pkr', value: Number(values.fee) },
        { key: 'payment_instructions', value: { easypaisa: values.easypaisa, bank: values.bank } },
      ],
      {
        onSuccess: () => {
          reset(values);
          toastSuccess(adminSettings.saved);
        },
        onError: (error) => toastError(adminSettings.notSaved, messageOf(error)),
      },
    );
  const text = (name: Path<PaymentValues>, label: string, error?: string) => (
    <Field label={label} error={error}>
      {(control) => (
        <Input {...control} {...register(name)} {...(name === 'fee' && { inputMode: 'numeric' as const })} />
      )}
    </Field>
  );
  return (
    <FormCard aria-labelledby="payment-title">
      <CardHeader>
        <CardTitle id="payment-title">{copy.title}</CardTitle>
      </CardHeader>
      <CardContent>
        <LeavePrompt hasChanges={hasChanges} />
        <form
          noValidate
          className="grid gap-4 sm:grid-cols-2"
          onSubmit={(event) => void handleSubmit(save)(event)}
        >
          {text('fee', copy.fee, errors.fee?.message)}
          <Field label={copy.reviewTime}>
            {(control) => <Input {...control} value={copy.reviewTimeValue} readOnly />}
          </Field>
          <p className="text-small text-muted-foreground sm:col-span-2">{copy.instructions}</p>
          {settings.payment_instructions.bank.iban.startsWith(PLACEHOLDER_IBAN) && (
            <div className="sm:col-span-2">
              <Alert tone="info" text={copy.placeholder} />
            </div>
          )}
          {text('easypaisa.number', copy.easypaisa, errors.easypaisa?.number?.message)}
          {text('bank.title', copy.title_, errors.bank?.title?.message)}
          {text('bank.account', copy.account, errors.bank?.account?.message)}
          {text('bank.iban', copy.iban, errors.bank?.iban?.message)}
          <div className="sm:col-span-2">
            <BusyButton
              type="submit"
              busy={isPending}
              busyText={adminSettings.saving}
              disabled={!isDirty}
              className="w-full sm:w-auto"
            >
              {adminSettings.save}
            </BusyButton>
          </div>
        </form>
      </CardContent>
    </FormCard>
  );
}
