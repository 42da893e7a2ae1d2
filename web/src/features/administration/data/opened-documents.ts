/** Which documents of a submission the administrator has opened: nobody is approved unseen. The record keeps each opening. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { adminAgents } from '@/copy/back-office';
import { unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { documentNames, type DocumentName, type Submission } from './agent-row';
import { administrationKeys } from './keys';

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
    if (!submission) return;
    queryClient.setQueryData(options.queryKey, (before: string[] | undefined) => [...(before ?? []), name]);
    await supabase.rpc('admin_open_document', { p_submission: submission.id, p_document: name });
    await queryClient.invalidateQueries({ queryKey: options.queryKey });
  };
  const unopened = submission ? submittedDocuments(submission).filter((name) => !data?.includes(name)) : [];
  return { unopened, note };
}
