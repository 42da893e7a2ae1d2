/** The record of a submission this browser keeps, as documented: files by name only. */
import { z } from '@/lib/zod';
import type { Documents } from './files';
import type { AgentProfile } from './schema';

export const paymentMethods = ['easypaisa', 'card', 'bank'] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

export interface Submission {
  profile: AgentProfile;
  documents: Documents;
  /** Only the payment screen asks for it. */
  paymentMethod?: PaymentMethod | undefined;
}

const KEY = 'agentData';

export function storeAgentData({ profile, documents, paymentMethod }: Submission, now: Date): void {
  const record = {
    ...profile,
    profilePicture: documents.picture?.name ?? null,
    identityDocument: documents.identity?.name ?? null,
    companyProof: documents.company?.name ?? null,
    status: 'pending',
    submittedAt: now.toISOString(),
    ...(paymentMethod && { paymentMethod, paymentCompleted: true }),
  };
  localStorage.setItem(KEY, JSON.stringify(record));
}

const text = z.string().catch('');
const recordSchema = z.object({
  bio: text,
  companyName: text,
  experience: text,
  languages: text,
  paymentMethod: z.enum(paymentMethods).optional().catch(undefined),
});

export type StoredSubmission = z.infer<typeof recordSchema>;

/** What was filled in before, perhaps by a guest; null when nothing is kept. Documents have to be chosen again. */
export function readAgentData(): StoredSubmission | null {
  try {
    return recordSchema.safeParse(JSON.parse(localStorage.getItem(KEY) ?? 'null')).data ?? null;
  } catch {
    return null;
  }
}
