/**
 * Submits a profile. The documented part always happens: a delay, a record in this browser. For a signed-in agent the
 * documents are uploaded and the submission is stored besides; the delay is then the least it takes.
 */
import { onboarding } from '@/copy/onboarding';
import { toAppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import { storeAgentData, type Submission } from '../agent-data';
import type { DocumentKind, Documents } from '../files';
import { uploadDocument } from './document-upload';

export const PROFILE_DELAY_MS = 1_500;
export const PAYMENT_DELAY_MS = 2_000;

export type OnKindProgress = (kind: DocumentKind, part: number) => void;

/** `agentId` is null where no agent is signed in: then nothing leaves the browser. */
export function useSubmission(agentId: string | null, onProgress: OnKindProgress) {
  return useMutation({
    mutationFn: async (submission: Submission) => {
      const delay = submission.paymentMethod ? PAYMENT_DELAY_MS : PROFILE_DELAY_MS;
      await Promise.all([wait(delay), agentId && store(agentId, submission, onProgress)]);
      storeAgentData(submission, new Date());
    },
  });
}

async function store(agentId: string, submission: Submission, onProgress: OnKindProgress): Promise<void> {
  const { profile, documents, paymentMethod } = submission;
  const paths = await uploadAll(agentId, documents, onProgress);
  const { error, status } = await supabase.rpc('submit_agent_verification', {
    p: {
      bio: profile.bio,
      company_name: profile.companyName,
      experience: profile.experience,
      languages: profile.languages,
      identity_document_path: paths.identity,
      company_proof_path: paths.company,
      ...(paths.picture && { picture_path: paths.picture }),
      ...(paymentMethod && { payment_method: paymentMethod }),
    },
  });
  if (error) throw toAppError(error, onboarding.failed.text, status);
}

type Paths = Partial<Record<DocumentKind, string>>;

/** One after the other, so that a slow line shows one bar moving. */
async function uploadAll(agentId: string, documents: Documents, onProgress: OnKindProgress): Promise<Paths> {
  const paths: Paths = {};
  for (const kind of ['identity', 'company', 'picture'] as const) {
    const file = documents[kind];
    if (file) paths[kind] = await uploadDocument(agentId, kind, file, (part) => onProgress(kind, part));
  }
  return paths;
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
