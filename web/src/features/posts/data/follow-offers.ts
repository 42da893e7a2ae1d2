/** What a change of the table does to a list of offers that is shown: one small read tells all that was missed. */
import type { QueryClient } from '@tanstack/react-query';
import type { Pages } from '@/lib/lists/pages';
import { dropRow, noteArrival, noteRight, patchRow, placeRow, showArrivals } from '@/lib/lists/patches';
import type { RowChanges } from '@/lib/realtime/use-row-changes';
import type { OfferSearch } from '../offer-search';
import { offerKeys } from './keys';
import type { Offer, OfferChanges } from './offer-answers';
import { offerListOptions, readOfferChanges } from './offers-query';
import { withOwnMarks } from './saves';

/** Whoever has scrolled no further sees the top of the list. */
const SCROLLED_PX = 160;
/** More the service does not look after. */
const MOST_SHOWN = 1000;

export async function followOffers(
  client: QueryClient,
  search: OfferSearch,
  changes: RowChanges,
): Promise<void> {
  const list = await readList(client, search);
  if (!list) return;
  const rightAt = list.pages[0]?.rightAt ?? 0;
  if (changes.changed.length === 0 && rightAt >= changes.heardSince) return;
  const shown = shownOf(list, changes);
  if (shown.length > MOST_SHOWN) return readAgain(client, search);
  const now = Date.now();
  const told = await readOfferChanges(search, Math.ceil((now - rightAt) / 1000), shown).catch(() => null);
  // Not read: the list is as right as it was, and the next change, or the line when it is back, asks for all of it.
  if (!told) return;
  if (told.isMore) return readAgain(client, search);
  const rows = told.rows.map((row) => ({ ...row, offer: withOwnMarks(client, now, row.offer) }));
  show(client, search, { ...told, rows }, list);
  noteRight(client, offerKeys.list(search), now);
}

/** The list may still be on its way when the channel joins. */
async function readList(client: QueryClient, search: OfferSearch): Promise<Pages<Offer> | null> {
  try {
    return await client.infiniteQuery({ ...offerListOptions(client, search), staleTime: 'static' });
  } catch {
    return null;
  }
}

/** In a gap any of them may have changed. */
function shownOf(list: Pages<Offer>, { changed, isGap }: RowChanges): string[] {
  const ids = list.pages.flatMap(({ rows, arrived }) => [...rows, ...arrived]).map(({ id }) => id);
  const touched = new Set(changed.map(({ row }) => row.id));
  return isGap ? ids : ids.filter((id) => touched.has(id));
}

function readAgain(client: QueryClient, search: OfferSearch): Promise<void> {
  return client.invalidateQueries({ queryKey: offerKeys.list(search), exact: true });
}

function show(client: QueryClient, search: OfferSearch, told: OfferChanges, list: Pages<Offer>): void {
  const key = offerKeys.list(search);
  const known = list.pages.flatMap(({ rows, arrived }) => [...rows, ...arrived]);
  const ids = new Set(known.map(({ id }) => id));
  for (const { offer } of told.rows)
    patchRow<Offer>(client, offerKeys.lists, offer.id, ({ cursor }) => ({ ...offer, cursor }));
  for (const id of told.gone) dropRow(client, offerKeys.lists, id);
  const added = told.rows.filter(({ offer, fits }) => fits && !ids.has(offer.id)).map(({ offer }) => offer);
  const newest = known.reduce((latest, { created_at: at }) => (at > latest ? at : latest), '');
  const isNew = ({ created_at: at }: Offer) => at > newest;
  noteArrival(client, key, added.filter(isNew));
  // Offered again, or back in reach of the search.
  for (const row of added.filter((offer) => !isNew(offer)))
    placeRow<Offer>(client, key, row, (other) => other.created_at < row.created_at);
  client.setQueryData(offerKeys.counts(search), told.counts);
  if (window.scrollY <= SCROLLED_PX) showArrivals(client, key);
}
