/** The mark that saves an offer or lets it go; each row of a list tells whether it is set. */
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { toAppError } from '@/lib/errors';
import { patchRow, patchRows } from '@/lib/lists/patches';
import { markSince, useMark, type Mark } from '@/lib/optimistic-marks';
import { supabase } from '@/lib/supabase';
import { offerKeys, savedPostKeys } from './keys';
import type { Offer } from './offer-answers';

/** Saving what is saved already is no error. The screen has the words where the service has none. */
async function writeSaved(userId: string, { id, isSet }: Mark): Promise<void> {
  const row = { user_id: userId, post_id: id };
  const table = supabase.from('saved_posts');
  const { error, status } = await (isSet
    ? table.upsert(row, { onConflict: 'user_id,post_id', ignoreDuplicates: true })
    : table.delete().match(row));
  if (error) throw toAppError(error, '', status);
}

export function useSavePost(userId: string) {
  const client = useQueryClient();
  return useMark({
    kind: 'saved',
    show: ({ id, isSet }) =>
      void patchRow<Offer>(client, offerKeys.lists, id, (row) => ({ ...row, is_saved: isSet })),
    alsoStale: [savedPostKeys.count(userId), savedPostKeys.list(userId)],
    write: (mark) => writeSaved(userId, mark),
  });
}

/** An agent who is followed, or no more, is so at each of their offers. */
export function useShowFollowed(): (mark: Mark) => void {
  const client = useQueryClient();
  return ({ id, isSet }) =>
    patchRows<Offer>(client, offerKeys.lists, (row) =>
      row.agent_id === id && row.is_followed !== isSet ? { ...row, is_followed: isSet } : row,
    );
}

/** What was read of an offer, with the marks that the person has set since it was asked for at `askedAt`. */
export function withOwnMarks(client: QueryClient, askedAt: number, offer: Offer): Offer {
  return {
    ...offer,
    is_saved: markSince(client, 'saved', offer.id, askedAt) ?? offer.is_saved,
    is_followed: markSince(client, 'followed', offer.agent_id, askedAt) ?? offer.is_followed,
  };
}
