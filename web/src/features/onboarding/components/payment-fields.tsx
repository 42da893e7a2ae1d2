/** The fee, and the three ways to pay it. What is typed into the card fields is kept nowhere and sent nowhere. */
import { useQuery } from '@tanstack/react-query';
import { Alert } from '@/components/ui/alert';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Skeleton } from '@/components/ui/skeleton';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import { env } from '@/config/env';
import { payment as copy } from '@/copy/onboarding';
import { paymentMethods, type PaymentMethod } from '../agent-data';
import { paymentConfigQueryOptions, type PaymentConfig } from '../data/payment-instructions-query';

interface PaymentFieldsProps {
  method: PaymentMethod;
  onMethod: (method: PaymentMethod) => void;
}

export function PaymentFields({ method, onMethod }: PaymentFieldsProps) {
  return (
    <div className="min-w-0 sm:col-span-2">
      <dl className="grid grid-cols-2 divide-x border-y">
        <Figure label={copy.fee} value={copy.amount} note={copy.once} />
        <Figure label={copy.review} value={copy.reviewTime} />
      </dl>
      <Tabs value={method} onValueChange={(value) => onMethod(value as PaymentMethod)} className="mt-5">
        <TabsList aria-label={copy.method}>
          {paymentMethods.map((value) => (
            <TabsTrigger key={value} value={value}>
              {copy.tabs[value]}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsContent value="easypaisa">
          <EasyPaisa />
        </TabsContent>
        <TabsContent value="card">
          <CardFields />
        </TabsContent>
        <TabsContent value="bank">
          <BankTransfer />
        </TabsContent>
      </Tabs>
    </div>
  );
}

function Figure({ label, value, note }: { label: string; value: string; note?: string }) {
  return (
    <div className="px-4 py-3 first:pl-0">
      <dt className="text-label text-muted-foreground">{label}</dt>
      <dd className="mt-1 text-h2 figures">{value}</dd>
      {note && <dd className="text-small text-muted-foreground">{note}</dd>}
    </div>
  );
}

function EasyPaisa() {
  return (
    <Receiver
      lead={copy.easypaisa.lead}
      rows={({ easypaisa }) => [[copy.easypaisa.number, easypaisa.number]]}
    />
  );
}

function BankTransfer() {
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
  if (isError) return <Alert text={copy.notRead} />;
  const shown = data && rows(data.payment_instructions);
  const isSet = shown?.some(([, value]) => value !== '') ?? true;
  if (!isSet) return <Alert tone="info" text={copy.notSet(env.supportEmail)} />;
  return (
    <div className="space-y-4">
      <p>{lead}</p>
      {shown ? (
        <dl className="divide-y rounded-control border">
          {shown.map(([label, value]) => (
            <div key={label} className="flex flex-wrap items-baseline justify-between gap-x-6 px-4 py-3">
              <dt className="text-label text-muted-foreground">{label}</dt>
              <dd className="font-semibold figures select-all">{value || copy.unknown}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <Skeleton className="h-13 w-full" />
      )}
      {data?.demo_mode && <p className="text-small text-warning">{copy.demo}</p>}
    </div>
  );
}

/** No names and no registration with the form: the values never leave these inputs. */
function CardFields() {
  return (
    <div className="grid grid-cols-2 gap-5">
      <div className="col-span-2 space-y-1">
        <p>{copy.card.lead}.</p>
        <p className="text-small text-muted-foreground">{copy.card.note}</p>
      </div>
      <CardField label={copy.card.number} inputMode="numeric" className="col-span-2" />
      <CardField label={copy.card.holder} className="col-span-2" />
      <CardField label={copy.card.expiry} placeholder={copy.card.expiryPlaceholder} inputMode="numeric" />
      <CardField label={copy.card.cvv} inputMode="numeric" />
    </div>
  );
}

interface CardFieldProps {
  label: string;
  placeholder?: string;
  inputMode?: 'numeric';
  className?: string;
}

function CardField({ label, className, ...props }: CardFieldProps) {
  return (
    <Field label={label} className={className}>
      {({ id }) => <Input id={id} autoComplete="off" {...props} />}
    </Field>
  );
}
