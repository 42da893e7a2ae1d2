/** The fee, and where agents send it. */
import { useState } from 'react';
import { Alert } from '@/components/ui/alert';
import { BusyButton } from '@/components/ui/busy-button';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { adminSettings } from '@/copy/back-office-settings';
import { toastError, toastSuccess } from '@/lib/toast';
import { useSaveSettings, type Settings } from '../data/settings';

const copy = adminSettings.verification;

/** What the schema starts with; nobody should send money there. */
const PLACEHOLDER_IBAN = 'PK00 DEMO';

export function PaymentSettings({ settings }: { settings: Settings }) {
  const [fee, setFee] = useState(String(settings.fee_pkr));
  const [paid, setPaid] = useState(settings.payment_instructions);
  const { mutate, isPending } = useSaveSettings();
  const isFeeValid = /^\d+$/.test(fee.trim());
  const save = () =>
    mutate(
      [
        { key: 'fee_pkr', value: Number(fee) },
        { key: 'payment_instructions', value: paid },
      ],
      {
        onSuccess: () => toastSuccess(adminSettings.saved),
        onError: (error) => toastError(adminSettings.notSaved, error.message),
      },
    );
  const bank = (name: 'title' | 'account' | 'iban', label: string) => (
    <Field label={label}>
      {(control) => (
        <Input
          {...control}
          value={paid.bank[name]}
          onChange={(event) => setPaid({ ...paid, bank: { ...paid.bank, [name]: event.target.value } })}
        />
      )}
    </Field>
  );
  return (
    <Card aria-labelledby="payment-title">
      <CardHeader>
        <CardTitle id="payment-title">{copy.title}</CardTitle>
      </CardHeader>
      <CardContent>
        <form
          className="grid gap-4 sm:grid-cols-2"
          onSubmit={(event) => {
            event.preventDefault();
            if (isFeeValid) save();
          }}
        >
          <Field label={copy.fee} error={isFeeValid ? undefined : copy.feeInvalid}>
            {(control) => (
              <Input
                {...control}
                inputMode="numeric"
                value={fee}
                onChange={(event) => setFee(event.target.value)}
              />
            )}
          </Field>
          <Field label={copy.reviewTime}>
            {(control) => <Input {...control} value={copy.reviewTimeValue} readOnly />}
          </Field>
          <p className="text-small text-muted-foreground sm:col-span-2">{copy.instructions}</p>
          {settings.payment_instructions.bank.iban.startsWith(PLACEHOLDER_IBAN) && (
            <div className="sm:col-span-2">
              <Alert tone="info" text={copy.placeholder} />
            </div>
          )}
          <Field label={copy.easypaisa}>
            {(control) => (
              <Input
                {...control}
                value={paid.easypaisa.number}
                onChange={(event) => setPaid({ ...paid, easypaisa: { number: event.target.value } })}
              />
            )}
          </Field>
          {bank('title', copy.title_)}
          {bank('account', copy.account)}
          {bank('iban', copy.iban)}
          <div className="sm:col-span-2">
            <BusyButton type="submit" busy={isPending} busyText={adminSettings.saving}>
              {adminSettings.save}
            </BusyButton>
          </div>
        </form>
      </CardContent>
    </Card>
  );
}
