/** What the agent profile form accepts. A bio of exactly the limit is valid. */
import { z } from '@/lib/zod';
import { validation } from '@/copy/validation';
import { paymentMethods, type Payment } from './agent-data';

export const BIO_LIMIT = 250;

export const agentProfileSchema = z.object({
  bio: z.string().check(z.trim(), z.maxLength(BIO_LIMIT, validation.bio)),
  companyName: z.string().check(z.trim(), z.minLength(2, validation.companyName)),
  experience: z.string().check(z.trim(), z.regex(/^\d{1,2}$/, validation.experience)),
  languages: z.string().check(z.trim(), z.minLength(2, validation.languages)),
});

export const onboardingSchema = z.extend(agentProfileSchema, {
  method: z.enum(paymentMethods),
  /** The agent's own word; nothing says so for them. */
  isPaid: z.boolean(),
  transaction: z.string().check(z.trim()),
});

export type OnboardingValues = z.infer<typeof onboardingSchema>;

/**
 * A card is charged by the team after the review, so it is never paid yet. `isTold`: the agent said so before, or the fee
 * is settled.
 */
export function paymentOf({ method, isPaid, transaction }: OnboardingValues, isTold: boolean): Payment {
  const isClaimed = isTold || (isPaid && method !== 'card');
  return { method, isPaid: isClaimed, transaction: isClaimed && isPaid ? transaction : '' };
}
