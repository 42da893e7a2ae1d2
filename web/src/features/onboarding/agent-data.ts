/** The record of a submission this browser keeps, as documented: files by name only. */
import { z } from '@/lib/zod';
import type { Documents } from './files';

export const paymentMethods = ['easypaisa', 'card', 'bank'] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

export interface Payment {
  method: PaymentMethod;
  /** The agent says so. */
  isPaid: boolean;
  /** The number of the transaction; empty when the agent gives none. */
  transaction: string;
}

export interface AgentProfile {
  bio: string;
  companyName: string;
  experience: string;
  languages: string;
}

export interface Submission {
  profile: AgentProfile;
  documents: Documents;
  /** Only the payment screen asks for it. */
  payment?: Payment | undefined;
}

const KEY = 'agentData';

// ONB-035
export function storeAgentData({ profile, documents, payment }: Submission, now: Date): void {
  const { bio, companyName, experience, languages } = profile;
  const record = {
    bio,
    companyName,
    experience,
    languages,
    profilePicture: documents.picture?.name ?? null,
    identityDocument: documents.identity?.name ?? null,
    companyProof: documents.company?.name ?? null,
    status: 'pending',
    submittedAt: now.toISOString(),
    ...(payment && { paymentMethod: payment.method, paymentCompleted: payment.isPaid }),
  };
  localStorage.setItem(KEY, JSON.stringify(record));
}

const text = z.catch(z.string(), '');
const recordSchema = z.object({
  bio: text,
  companyName: text,
  experience: text,
  languages: text,
  paymentMethod: z.catch(z.optional(z.enum(paymentMethods)), undefined),
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
