/** Where the fee goes: the operator's own details, each with a button that copies it. */
import { useQuery } from '@tanstack/react-query';
import { CopyButton } from '@/components/copy-button';
import { Alert } from '@/components/ui/alert';
import { Skeleton } from '@/components/ui/skeleton';
import { env } from '@/config/env';
import { payment as copy } from '@/copy/onboarding';
import { paymentConfigQueryOptions, type PaymentConfig } from '../data/payment-instructions-query';

export function EasyPaisa() {
  return (
    <Receiver
      lead={copy.easypaisa.lead}
      rows={({ easypaisa }) => [[copy.easypaisa.number, easypaisa.number]]}
    />
  );
}

export function BankTransfer() {
  return (
    <Receiver
      lead={copy.bank.lead}
      rows={({ bank }) => [
        [copy.bank.title, bank.title],
        [copy.bank.number, bank.account],
        [copy.bank.iban, bank.iban],
      ]}
    />
  );
}

interface ReceiverProps {
  lead: string;
  rows: (instructions: PaymentConfig['payment_instructions']) => [label: string, value: string][];
}

function Receiver({ lead, rows }: ReceiverProps) {
  const { data, isError } = useQuery(paymentConfigQueryOptions());
  if (isError && !data) return <Alert text={copy.notRead} />;
  const shown = data && rows(data.payment_instructions);
  const isSet = shown?.some(([, value]) => value !== '') ?? true;
  if (!isSet) return <Alert tone="info" text={copy.notSet(env.supportEmail)} />;
  return (
    <div className="space-y-4">
      <p>{lead}</p>
      {shown ? (
        <dl className="divide-y rounded-control border">
          {shown.map(([label, value]) => (
            <CopyRow key={label} label={label} value={value} />
          ))}
        </dl>
      ) : (
        <Skeleton className="h-13 w-full" />
      )}
      {data?.demo_mode && <p className="text-small text-warning">{copy.demo}</p>}
    </div>
  );
}

export function CopyRow({ label, value }: { label: string; value: string }) {
  return (
    <div className="grid min-h-13 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 py-1.5 pr-1 pl-4 sm:grid-cols-[auto_minmax(0,1fr)_auto]">
      <dt className="text-label text-muted-foreground">{label}</dt>
      <dd
        dir="auto"
        className="font-semibold break-words figures select-all max-sm:row-start-2 sm:text-right"
      >
        {value || copy.unknown}
      </dd>
      <dd className="empty:hidden max-sm:row-span-2">
        <CopyButton label={label} value={value} />
      </dd>
    </div>
  );
}
