/** Where an agent's verification stands: the newest submission, and the reference of the transfer. */
import { queryOptions } from '@tanstack/react-query';
import { verification as copy } from '@/copy/verification';
import { unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { z } from '@/lib/zod';

export const onboardingKeys = {
  submission: (agentId: string) => ['onboarding', 'submission', agentId] as const,
  reference: (agentId: string) => ['onboarding', 'reference', agentId] as const,
  /** Files that were chosen and not sent yet; `null` is a guest. */
  chosen: (agentId: string | null) => ['onboarding-files', agentId] as const,
};

const documentStatus = z.catch(z.enum(['waiting', 'accepted', 'refused']), 'waiting');
const submissionSchema = z.object({
  id: z.string(),
  status: z.enum(['pending', 'approved', 'rejected', 'more_info']),
  submitted_at: z.string(),
  reviewed_at: z.nullish(z.string()),
  review_note: z.nullish(z.string()),
  identity_document_path: z.nullish(z.string()),
  identity_document_name: z.nullish(z.string()),
  identity_document_status: documentStatus,
  identity_document_note: z.nullish(z.string()),
  company_proof_path: z.nullish(z.string()),
  company_proof_name: z.nullish(z.string()),
  company_proof_status: documentStatus,
  company_proof_note: z.nullish(z.string()),
  documents_checked_at: z.nullish(z.string()),
  payment_method: z.nullish(z.string()),
  payment_status: z.enum(['none', 'claimed', 'received', 'waived']),
  payment_claimed_at: z.nullish(z.string()),
  payment_settled_at: z.nullish(z.string()),
  payment_note: z.nullish(z.string()),
  receipt_name: z.nullish(z.string()),
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
  return z.catch(z.string(), '').parse(unwrap(answer, copy.notRead));
}

/** It never changes. */
export function referenceQueryOptions(agentId: string) {
  return queryOptions({
    queryKey: onboardingKeys.reference(agentId),
    queryFn: ({ signal }) => fetchReference(signal),
    staleTime: Infinity,
  });
}
