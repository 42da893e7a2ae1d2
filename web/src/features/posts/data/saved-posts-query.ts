/** The offers a person keeps, each with its agent, the latest saved first. */
import type { QueryClient } from '@tanstack/react-query';
import { savedCars } from '@/copy/cars';
import { tablePages, type Pages } from '@/lib/lists/pages';
import { noteRight, patchRows } from '@/lib/lists/patches';
import type { RowChanges } from '@/lib/realtime/use-row-changes';
import { supabase } from '@/lib/supabase';
import { ANY_STATE } from '../offer-search';
import { savedPostKeys } from './keys';
import type { Offer } from './offer-answers';
import { readOfferChanges } from './offers-query';
import { POST_SELECT, type Post } from './posts-query';

/** The offer of an agent who is suspended is there, but nobody sees it. */
export interface SavedPost {
  id: string;
  post_id: string;
  created_at: string;
  post: Post | null;
}

const PAGE = 24;

// IMSV-008, DA2-018
/** The first page leaves in the cache how many there are. */
export function savedPostsOptions(client: QueryClient, userId: string) {
  // It is told what changes of the offers, not what the same person saves elsewhere: so it grows old like any other.
  return tablePages<SavedPost>({
    queryKey: savedPostKeys.list(userId),
    size: PAGE,
    fallback: savedCars.failed,
    by: 'created_at',
    noteCount: (count) => client.setQueryData(savedPostKeys.count(userId), count),
    ask: (signal) =>
      supabase
        .from('saved_posts')
        .select(`id, post_id, created_at, post:agent_posts!saved_posts_post_id_fkey(${POST_SELECT})`, {
          count: 'exact',
        })
        .eq('user_id', userId)
        .abortSignal(signal),
  });
}

const SAVED = { status: ANY_STATE, saved: '1' } as const;

/** What changed of offers: shown where they stand. One that is gone may be deleted or hidden, which the list says. */
export async function followSaved(
  client: QueryClient,
  userId: string,
  { changed, isGap, heardSince }: RowChanges,
): Promise<void> {
  const list = await readList(client, userId);
  if (!list) return;
  const rightAt = list.pages[0]?.rightAt ?? 0;
  const kept = list.pages.flatMap(({ rows }) => rows);
  const touched = new Set(changed.map(({ row }) => row.id));
  const shown = kept.map(({ post_id: id }) => id).filter((id) => isGap || touched.has(id));
  if (shown.length === 0 || (changed.length === 0 && rightAt >= heardSince)) return;
  const now = Date.now();
  const told = await readOfferChanges(SAVED, Math.ceil((now - rightAt) / 1000), shown).catch(() => null);
  if (!told) return;
  const isHidden = new Set(kept.filter(({ post }) => post === null).map(({ post_id: id }) => id));
  if (
    told.isMore ||
    told.gone.some((id) => !isHidden.has(id)) ||
    told.rows.some(({ offer }) => isHidden.has(offer.id))
  )
    return client.invalidateQueries({ queryKey: savedPostKeys.all });
  for (const { offer } of told.rows) showChanged(client, userId, offer);
  noteRight(client, savedPostKeys.list(userId), now);
}

/** The list may still be on its way when the channel joins. */
async function readList(client: QueryClient, userId: string): Promise<Pages<SavedPost> | null> {
  try {
    return await client.infiniteQuery({ ...savedPostsOptions(client, userId), staleTime: 'static' });
  } catch {
    return null;
  }
}

/** Lists tell no more than the beginning of a description. */
function showChanged(client: QueryClient, userId: string, offer: Offer): void {
  patchRows<SavedPost>(client, savedPostKeys.list(userId), (entry) =>
    entry.post?.id === offer.id
      ? { ...entry, post: { ...entry.post, ...offer, description: entry.post.description } }
      : entry,
  );
}
