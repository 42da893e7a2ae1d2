/** The fee, the three ways to pay it, and the agent's word that it is paid, which nothing says for them. */
import { useQuery } from '@tanstack/react-query';
import { Controller, useFormContext, useWatch } from 'react-hook-form';
import { TextField } from '@/components/form/text-field';
import { Alert } from '@/components/ui/alert';
import { RadioCards } from '@/components/ui/radio-cards';
import { Skeleton } from '@/components/ui/skeleton';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import { fields } from '@/copy/auth';
import { payment as copy } from '@/copy/onboarding';
import { paymentMethods } from '../agent-data';
import { referenceQueryOptions, type VerificationRecord } from '../data/verification-query';
import { documentRule } from '../files';
import type { OnboardingValues } from '../schema';
import { CardFields } from './card-fields';
import { DocumentTray } from './document-tray';
import { trayProps } from './document-trays';
import { BankTransfer, CopyRow, EasyPaisa } from './receiver';
import type { DocumentTraysState } from './use-document-trays';

interface PaymentFieldsProps {
  /** Null for a guest, who has no reference yet. */
  agentId: string | null;
  submission: VerificationRecord | null;
  trays: DocumentTraysState;
  disabled: boolean;
}

export function PaymentFields({ agentId, submission, trays, disabled }: PaymentFieldsProps) {
  const status = submission?.payment_status;
  return (
    <div className="min-w-0 space-y-5 sm:col-span-2">
      <dl className="grid grid-cols-2 divide-x border-y">
        <Figure label={copy.fee} value={copy.amount} note={copy.once} />
        <Figure label={copy.review} value={copy.reviewTime} />
      </dl>
      {status === 'received' || status === 'waived' ? (
        <Alert tone="info" text={copy.settled[status]} />
      ) : (
        <>
          {agentId ? (
            <Reference agentId={agentId} />
          ) : (
            <p className="text-small text-muted-foreground">{copy.reference.guest}</p>
          )}
          <Ways />
          <Paid isTold={status === 'claimed'} trays={trays} disabled={disabled} />
        </>
      )}
    </div>
  );
}

function Figure({ label, value, note }: { label: string; value: string; note?: string }) {
  return (
    <div className="px-4 py-3 first:pl-0">
      <dt className="text-label text-muted-foreground">{label}</dt>
      <dd className="mt-1 text-h3 figures sm:text-h2">{value}</dd>
      {note && <dd className="text-small text-muted-foreground">{note}</dd>}
    </div>
  );
}

function Reference({ agentId }: { agentId: string }) {
  const { data, isError } = useQuery(referenceQueryOptions(agentId));
  if (isError && !data) return <Alert text={copy.reference.notRead} />;
  if (data === undefined) return <Skeleton className="h-13 w-full" />;
  return (
    <div className="space-y-1.5">
      <dl className="rounded-control border bg-secondary text-secondary-foreground">
        <CopyRow label={copy.reference.label} value={data} />
      </dl>
      <p className="text-small text-muted-foreground">{copy.reference.hint}</p>
    </div>
  );
}

function Ways() {
  const { control } = useFormContext<OnboardingValues>();
  return (
    <Controller
      control={control}
      name="method"
      render={({ field }) => (
        <Tabs value={field.value} onValueChange={(value) => field.onChange(value)}>
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
      )}
    />
  );
}

interface PaidProps {
  isTold: boolean;
  trays: DocumentTraysState;
  disabled: boolean;
}

// ONB-035
function Paid({ isTold, trays, disabled }: PaidProps) {
  const { control } = useFormContext<OnboardingValues>();
  const [method, isPaid] = useWatch({ control, name: ['method', 'isPaid'] });
  if (isTold) return <Alert tone="info" text={copy.paid.told} />;
  if (method === 'card') return null;
  return (
    <div className="space-y-5 border-t pt-5">
      <Controller
        control={control}
        name="isPaid"
        render={({ field }) => (
          <RadioCards
            label={copy.paid.label}
            value={field.value ? 'yes' : 'no'}
            onChange={(value) => field.onChange(value === 'yes')}
            options={[
              { value: 'no', ...copy.paid.no },
              { value: 'yes', ...copy.paid.yes },
            ]}
          />
        )}
      />
      {isPaid && (
        <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
          <TextField
            name="transaction"
            label={copy.paid.transaction}
            hint={copy.paid.transactionHint}
            note={fields.optional}
            autoComplete="off"
          />
          <DocumentTray
            {...trayProps(trays, 'receipt', disabled)}
            label={copy.paid.receipt}
            hint={copy.paid.receiptHint}
            note={fields.optional}
            rule={documentRule}
          />
        </div>
      )}
    </div>
  );
}
