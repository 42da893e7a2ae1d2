/** What an importer does with requests: post, edit, delete. */
import { useQueryClient } from '@tanstack/react-query';
import { myRequests, postRequest } from '@/copy/requests';
import { errors } from '@/copy/errors';
import { ConflictError, ForbiddenError, toAppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import type { RequestFields } from '../request-schema';
import { followOwnRequest } from './follow-requests';
import { requestKeys } from './keys';

/** Brings its id: where the answer to the first try was lost, the second one finds the request there. */
async function createRequest(importerId: string, id: string, fields: RequestFields): Promise<void> {
  const { error, status } = await supabase
    .from('car_requests')
    .insert({ id, importer_id: importerId, ...fields });
  if (!error) return;
  const failure = toAppError(error, errors.generic, status);
  if (!(failure instanceof ConflictError)) throw failure;
}

async function updateRequest(id: string, fields: RequestFields): Promise<void> {
  const { error, status } = await supabase.from('car_requests').update(fields).eq('id', id);
  if (error) throw toAppError(error, postRequest.editFailed, status);
}

/** Deleting what is not one's own is no error of the service: it just deletes nothing. */
async function deleteRequest(id: string): Promise<void> {
  const { error, status, count } = await supabase
    .from('car_requests')
    .delete({ count: 'exact' })
    .eq('id', id);
  if (error) throw toAppError(error, myRequests.deleteFailed.text, status);
  if (count === 0) throw new ForbiddenError(myRequests.deleteFailed.text);
}

function useRequestMutation<Variables>(
  write: (variables: Variables) => Promise<void>,
  idOf: (variables: Variables) => string,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: write,
    onSuccess: (_, variables) => {
      void followOwnRequest(client, idOf(variables));
      return client.invalidateQueries({ queryKey: requestKeys.all });
    },
  });
}

export const useCreateRequest = (importerId: string, id: string) =>
  useRequestMutation(
    (fields: RequestFields) => createRequest(importerId, id, fields),
    () => id,
  );
export const useUpdateRequest = (id: string) =>
  useRequestMutation(
    (fields: RequestFields) => updateRequest(id, fields),
    () => id,
  );
export const useDeleteRequest = () => useRequestMutation(deleteRequest, (id) => id);
