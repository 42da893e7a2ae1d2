/** The documents of a submission, and which of them, as they are now, the administrator has opened: nobody is approved unseen. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { adminAgents } from '@/copy/back-office';
import { administrationKeys } from '@/features/administration/records/data/record-list';
import { messageOf, toAppError, unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { toastError } from '@/lib/toast';
import { documentNames, type DocumentName, type Submission } from './agent-row';

const BUCKET = 'verification-documents';
const SECONDS = 300;

/** An address of a document that works for five minutes; the bucket itself is closed. */
export function documentQueryOptions(path: string) {
  return queryOptions({
    queryKey: administrationKeys.document(path),
    // a new address before the old one ends
    staleTime: (SECONDS - 30) * 1000,
    queryFn: async () => {
      const answer = await supabase.storage.from(BUCKET).createSignedUrl(path, SECONDS);
      return unwrap(answer, adminAgents.sheet.documentFailed).signedUrl;
    },
  });
}

/** The record keeps each opening, and the database holds the approval to it. */
function openedQueryOptions(submission: string) {
  return queryOptions({
    queryKey: administrationKeys.openedDocuments(submission),
    queryFn: async ({ signal }) => {
      const call = supabase.rpc('admin_opened_documents', { p_submission: submission });
      return unwrap(await call.abortSignal(signal), adminAgents.sheet.openedFailed);
    },
  });
}

/** The documents that were handed in. */
export function submittedDocuments(submission: Submission): DocumentName[] {
  return documentNames.filter((name) => submission[`${name}_path`] !== null);
}

export function useOpenedDocuments(submission: Submission | null) {
  const queryClient = useQueryClient();
  const options = openedQueryOptions(submission?.id ?? '');
  const { data } = useQuery({ ...options, enabled: submission !== null });
  const note = async (name: DocumentName) => {
    const path = submission?.[`${name}_path`];
    if (!submission || !path) return;
    queryClient.setQueryData(options.queryKey, (before: string[] | undefined) => [...(before ?? []), name]);
    const { error, status } = await supabase.rpc('admin_open_document', {
      p_submission: submission.id,
      p_document: name,
      p_path: path,
    });
    if (error) {
      const failure = toAppError(error, adminAgents.sheet.openedFailed, status);
      toastError(adminAgents.sheet.openedFailed, messageOf(failure));
    }
    // where it was replaced meanwhile, the new one is shown
    await queryClient.invalidateQueries({ queryKey: error ? administrationKeys.all : options.queryKey });
  };
  const unopened = submission ? submittedDocuments(submission).filter((name) => !data?.includes(name)) : [];
  return { unopened, note };
}
