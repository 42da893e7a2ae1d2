/** What an importer does with requests: post, edit, delete. */
import { useQueryClient } from '@tanstack/react-query';
import { myRequests, postRequest } from '@/copy/requests';
import { errors } from '@/copy/errors';
import { ForbiddenError, toAppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import type { RequestFields } from '../request-schema';
import { requestKeys } from './keys';

async function createRequest(importerId: string, fields: RequestFields): Promise<void> {
  const { error, status } = await supabase
    .from('car_requests')
    .insert({ importer_id: importerId, ...fields });
  if (error) throw toAppError(error, errors.generic, status);
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

function useRequestMutation<Variables>(write: (variables: Variables) => Promise<void>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: write,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: requestKeys.all }),
  });
}

export const useCreateRequest = (importerId: string) =>
  useRequestMutation((fields: RequestFields) => createRequest(importerId, fields));
export const useUpdateRequest = (id: string) =>
  useRequestMutation((fields: RequestFields) => updateRequest(id, fields));
export const useDeleteRequest = () => useRequestMutation(deleteRequest);
