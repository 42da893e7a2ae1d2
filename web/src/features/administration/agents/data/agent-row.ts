/** An agent as the back office lists it, with the newest submission. */
import { memberSchema } from '@/features/administration/members/data/member';
import { count, day, name } from '@/features/administration/records/data/answers';
import { z } from '@/lib/zod';

export const documentNames = ['identity_document', 'company_proof'] as const;

const documentStatus = z.enum(['waiting', 'accepted', 'refused']);

export const submissionSchema = z.object({
  id: z.string(),
  bio: name,
  company_name: name,
  experience: name,
  languages: z.nullable(z.array(z.string())),
  identity_document_path: name,
  identity_document_status: documentStatus,
  identity_document_note: name,
  company_proof_path: name,
  company_proof_status: documentStatus,
  company_proof_note: name,
  documents_checked_at: name,
  transfer_reference: name,
  receipt_path: name,
  payment_method: name,
  payment_status: z.enum(['none', 'claimed', 'received', 'waived']),
  payment_claimed_at: name,
  payment_settled_at: name,
  payment_note: name,
  payment_reference: name,
  amount_pkr: count,
  status: z.enum(['pending', 'approved', 'rejected', 'more_info']),
  review_note: name,
  reviewed_at: name,
  submitted_at: day,
});

export const agentSchema = z.extend(memberSchema, {
  status: z.enum(['verified', 'pending', 'payment_pending', 'suspended', 'unverified']),
  rating: count,
  reviews_count: count,
  submission: z.nullable(submissionSchema),
  pending_documents: z.array(z.enum(documentNames)),
});

/** As a list shows it. */
export const listedAgentSchema = z.extend(z.omit(agentSchema, { submission: true }), {
  submission: z.nullable(
    z.pick(submissionSchema, { submitted_at: true, payment_status: true, amount_pkr: true }),
  ),
});

export type DocumentName = (typeof documentNames)[number];
export type Submission = z.infer<typeof submissionSchema>;
export type AgentRow = z.infer<typeof agentSchema>;
export type ListedAgent = z.infer<typeof listedAgentSchema>;

/** Whether nothing stands in the way of approving: the fee has arrived, or was waived on record. */
export function isFeeSettled(submission: Submission | null): boolean {
  return submission?.payment_status === 'received' || submission?.payment_status === 'waived';
}
