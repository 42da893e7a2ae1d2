import { adminSettings } from '@/copy/back-office-settings';
import { z } from '@/lib/zod';
import type { Settings } from './data/settings';

const copy = adminSettings.verification;
const MAX_FEE = 1_000_000;
const line = z.string().check(z.trim(), z.maxLength(100, copy.tooLong));

export const paymentSchema = z.object({
  fee: z.string().check(
    z.trim(),
    z.regex(/^\d+$/, copy.feeInvalid),
    z.refine((text) => Number(text) <= MAX_FEE, copy.feeTooHigh),
  ),
  easypaisa: z.object({ number: line }),
  bank: z.object({ title: line, account: line, iban: line }),
});

export type PaymentValues = z.infer<typeof paymentSchema>;

export function paymentValues({ fee_pkr: fee, payment_instructions: paid }: Settings): PaymentValues {
  return { fee: String(fee), easypaisa: paid.easypaisa, bank: paid.bank };
}
