/**
 * Submits a profile. The documented part always happens: a delay, a record in this browser. For a signed-in agent the
 * documents are uploaded and the submission is stored besides; the delay is then the least it takes.
 */
import { useQueryClient } from '@tanstack/react-query';
import { onboarding } from '@/copy/onboarding';
import { toAppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import { storeAgentData, type Submission } from '../agent-data';
import type { Documents } from '../files';
import { uploadAll, type OnKindProgress, type Places } from './document-upload';
import { onboardingKeys } from './verification-query';

export const PROFILE_DELAY_MS = 1_500;
export const PAYMENT_DELAY_MS = 2_000;

/** `agentId` is null where no agent is signed in: then nothing leaves the browser. */
export function useSubmission(agentId: string | null, onProgress: OnKindProgress) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (submission: Submission) => {
      const delay = submission.payment ? PAYMENT_DELAY_MS : PROFILE_DELAY_MS;
      await Promise.all([wait(delay), agentId && store(agentId, submission, onProgress)]);
      storeAgentData(submission, new Date());
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: onboardingKeys.submission(agentId ?? '') }),
  });
}

async function store(agentId: string, submission: Submission, onProgress: OnKindProgress): Promise<void> {
  const places = await uploadAll(agentId, submission.documents, onProgress);
  if (places.picture) await showPicture(agentId, places.picture);
  const { error, status } = await supabase.rpc('submit_agent_verification', {
    p: submissionOf(submission, places),
  });
  if (error) throw toAppError(error, onboarding.failed.text, status);
}

function submissionOf({ profile, documents, payment }: Submission, places: Places) {
  return {
    bio: profile.bio,
    company_name: profile.companyName,
    experience: profile.experience,
    languages: profile.languages,
    ...paper('identity_document', places.identity, documents.identity),
    ...paper('company_proof', places.company, documents.company),
    ...(payment && {
      payment_method: payment.method,
      payment_claimed: payment.isPaid,
      ...(payment.isPaid && payment.transaction && { payment_reference: payment.transaction }),
      ...(payment.isPaid && paper('receipt', places.receipt, documents.receipt)),
    }),
  };
}

/** What is not named was handed in before and stays. */
function paper(name: string, path: string | undefined, file: Documents[keyof Documents]) {
  return path && file ? { [`${name}_path`]: path, [`${name}_name`]: file.name } : {};
}

async function showPicture(agentId: string, url: string): Promise<void> {
  const { error, status } = await supabase
    .from('profiles')
    .update({ avatar_url: url })
    .eq('user_id', agentId);
  if (error) throw toAppError(error, onboarding.failed.text, status);
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
