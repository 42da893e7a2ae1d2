/** The marks of the offers that are shown, as they are now: they may have been set on another device. */
import type { QueryClient } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { unwrap } from '@/lib/errors';
import { listOf, objectOf } from '@/lib/json-fields';
import { knownOf, MOST_SHOWN } from '@/lib/lists/follow-list';
import type { Pages } from '@/lib/lists/pages';
import { patchRows } from '@/lib/lists/patches';
import { supabase } from '@/lib/supabase';
import type { OfferSearch } from '../offer-search';
import { offerKeys } from './keys';
import type { Offer } from './offer-answers';
import { withOwnMarks } from './saves';

/** What could not be read is asked for the next time. */
export async function readMarksAgain(client: QueryClient, search: OfferSearch): Promise<void> {
  const list = client.getQueryData<Pages<Offer>>(offerKeys.list(search));
  const shown = (list ? knownOf(list) : []).slice(0, MOST_SHOWN).map(({ id }) => id);
  // A list that is not shown is read when it is.
  void client.invalidateQueries({ queryKey: offerKeys.lists, type: 'inactive', refetchType: 'none' });
  const askedAt = Date.now();
  const marks = shown.length > 0 && (await readMarks(shown).catch(() => null));
  if (!marks) return;
  const asked = new Set(shown);
  patchRows<Offer>(client, offerKeys.list(search), (row) => {
    if (!asked.has(row.id)) return row;
    const is = { is_saved: marks.saved.has(row.id), is_followed: marks.followed.has(row.agent_id) };
    const now = withOwnMarks(client, askedAt, { ...row, ...is });
    return now.is_saved === row.is_saved && now.is_followed === row.is_followed ? row : now;
  });
}

async function readMarks(shown: readonly string[]) {
  const answer = await supabase.rpc('offer_marks', { p_shown: [...shown] });
  const { saved, followed } = objectOf(unwrap(answer, errors.fetch.posts));
  return { saved: new Set<unknown>(listOf(saved)), followed: new Set<unknown>(listOf(followed)) };
}
