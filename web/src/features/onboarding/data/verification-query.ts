/** Where an agent's verification stands: the newest submission, and the reference of the transfer. */
import { queryOptions } from '@tanstack/react-query';
import { z } from '@/lib/zod';
import { verification as copy } from '@/copy/verification';
import { unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { onboardingKeys } from './keys';

const documentStatus = z.enum(['waiting', 'accepted', 'refused']).catch('waiting');
const submissionSchema = z.object({
  id: z.string(),
  status: z.enum(['pending', 'approved', 'rejected', 'more_info']),
  submitted_at: z.string(),
  reviewed_at: z.string().nullish(),
  review_note: z.string().nullish(),
  identity_document_path: z.string().nullish(),
  identity_document_name: z.string().nullish(),
  identity_document_status: documentStatus,
  identity_document_note: z.string().nullish(),
  company_proof_path: z.string().nullish(),
  company_proof_name: z.string().nullish(),
  company_proof_status: documentStatus,
  company_proof_note: z.string().nullish(),
  documents_checked_at: z.string().nullish(),
  payment_method: z.string().nullish(),
  payment_status: z.enum(['none', 'claimed', 'received', 'waived']),
  payment_claimed_at: z.string().nullish(),
  payment_settled_at: z.string().nullish(),
  payment_note: z.string().nullish(),
  receipt_name: z.string().nullish(),
});

export type VerificationRecord = z.infer<typeof submissionSchema>;

async function fetchSubmission(agentId: string, signal: AbortSignal): Promise<VerificationRecord | null> {
  const { data, error, status } = await supabase
    .from('agent_verifications')
    .select('*')
    .eq('agent_id', agentId)
    .order('submitted_at', { ascending: false })
    .limit(1)
    .abortSignal(signal);
  const rows = unwrap({ data, error, status }, copy.notRead);
  return rows[0] === undefined ? null : submissionSchema.parse(rows[0]);
}

export function submissionQueryOptions(agentId: string) {
  return queryOptions({
    queryKey: onboardingKeys.submission(agentId),
    queryFn: ({ signal }) => fetchSubmission(agentId, signal),
  });
}

async function fetchReference(signal: AbortSignal): Promise<string> {
  const answer = await supabase.rpc('verification_reference').abortSignal(signal);
  return z.string().catch('').parse(unwrap(answer, copy.notRead));
}

/** It never changes. */
export function referenceQueryOptions(agentId: string) {
  return queryOptions({
    queryKey: onboardingKeys.reference(agentId),
    queryFn: ({ signal }) => fetchReference(signal),
    staleTime: Infinity,
  });
}
