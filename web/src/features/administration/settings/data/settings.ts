/** The platform's settings: rows only the administrator may read and change. */
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { adminSettings as copy } from '@/copy/back-office-settings';
import { administrationKeys } from '@/features/administration/records/data/record-list';
import type { Json } from '@/lib/database.types';
import { NotFoundError, toAppError, unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import { z } from '@/lib/zod';

const text = z.catch(z.string(), '');
const settingsSchema = z.object({
  review_new_requests: z.catch(z.boolean(), false),
  require_verified_to_post: z.catch(z.boolean(), false),
  fee_pkr: z.catch(z.number(), 0),
  payment_instructions: z.object({
    easypaisa: z.object({ number: text }),
    bank: z.object({ title: text, account: text, iban: text }),
  }),
});

export type Settings = z.infer<typeof settingsSchema>;

export function settingsQueryOptions() {
  return queryOptions({
    queryKey: administrationKeys.settings,
    queryFn: async ({ signal }) => {
      const answer = await supabase.from('app_settings').select('*').abortSignal(signal);
      const rows = unwrap(answer, copy.failed);
      return settingsSchema.parse(Object.fromEntries(rows.map(({ key, value }) => [key, value])));
    },
  });
}

interface Change {
  key: keyof Settings;
  value: NonNullable<Json>;
}

/** Asks for the row back: a row that may not be changed is no error to the server, only absent. */
async function saveSetting({ key, value }: Change): Promise<void> {
  const answer = await supabase.from('app_settings').update({ value }).eq('key', key).select('key');
  if (answer.error) throw toAppError(answer.error, copy.notSaved, answer.status);
  if (answer.data.length === 0) throw new NotFoundError(copy.notSaved);
}

export function useSaveSettings() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (changes: Change[]) => Promise.all(changes.map(saveSetting)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: administrationKeys.all }),
  });
}
