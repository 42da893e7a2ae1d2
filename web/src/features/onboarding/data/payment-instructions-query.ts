/** Where the fee is to be sent: the operator's settings, which everybody may read. */
import { queryOptions } from '@tanstack/react-query';
import { z } from '@/lib/zod';
import { payment } from '@/copy/onboarding';
import { unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';

const text = z.catch(z.string(), '');
const configSchema = z.object({
  demo_mode: z.catch(z.boolean(), false),
  payment_instructions: z.object({
    easypaisa: z.object({ number: text }),
    bank: z.object({ title: text, account: text, iban: text }),
  }),
});

export type PaymentConfig = z.infer<typeof configSchema>;

async function fetchConfig(signal: AbortSignal): Promise<PaymentConfig> {
  const answer = await supabase.rpc('public_config').abortSignal(signal);
  return configSchema.parse(unwrap(answer, payment.notRead));
}

export function paymentConfigQueryOptions() {
  return queryOptions({
    queryKey: ['onboarding', 'payment-config'] as const,
    queryFn: ({ signal }) => fetchConfig(signal),
    staleTime: Infinity,
  });
}
