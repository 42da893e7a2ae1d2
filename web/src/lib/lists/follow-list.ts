/** What a change does to a list that is shown: one small read tells all that was missed, and it is patched with it. */
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { Json } from '@/lib/database.types';
import { listOf, objectOf, textOf } from '@/lib/json-fields';
import type { RowChange } from '@/lib/realtime/channel-registry';
import type { RowChanges } from '@/lib/realtime/use-row-changes';
import type { Pages, PagesOptions, Row } from './pages';
import { dropRow, noteArrival, noteRight, patchRow, placeRow, showArrivals } from './patches';
import { isPageAtTop } from './seen-rows';

/** More the service does not look after. */
export const MOST_SHOWN = 1000;

interface DatedRow extends Row {
  created_at: string;
}

/** What a list missed. */
export interface Missed<Item> {
  /** Rows as they are now; one that the list has not is new to it. */
  rows: readonly Item[];
  /** Of those shown: no longer there, or they fit no longer. */
  gone: readonly string[];
  /** More changed than is told. */
  isMore: boolean;
}

export function missedOf<Item>(json: Json, rowOf: (row: Json) => Item): Missed<Item> {
  const { rows, gone, is_more: isMore } = objectOf(json);
  return {
    rows: listOf(rows).map(rowOf),
    gone: listOf(gone).flatMap((id) => textOf(id) ?? []),
    isMore: isMore === true,
  };
}

/** A list, newest first. */
export interface FollowedList<Item extends DatedRow, Told extends Missed<Item>> {
  options: PagesOptions<Item>;
  /** What changed in the last seconds, and of the rows that are shown. */
  ask: (seconds: number, shown: readonly string[]) => Promise<Told>;
  /** What else was told, such as counts. */
  onTold: (told: Told) => void;
  /** Whether a change may be about the list; else each may be. */
  mayConcern?: (change: RowChange, list: Pages<Item>) => boolean;
  /** The rows of the list that a change is about, where it is not the one with its id. */
  idsOf?: (change: RowChange, list: Pages<Item>) => readonly string[];
  /** Whether a changed row that the list has not comes into it; else it does. */
  fits?: (row: Item) => boolean;
  /** How a row is shown in place of the one before; else as it was told. */
  merge?: (row: Item, before: Item) => Item;
  /** Where the row stands besides. */
  alsoIn?: QueryKey;
  /** Whether the reader sees the beginning of the list: what arrives then shows at once. */
  isAtTop?: () => boolean;
}

export async function followList<Item extends DatedRow, Told extends Missed<Item>>(
  client: QueryClient,
  followed: FollowedList<Item, Told>,
  changes: RowChanges,
): Promise<void> {
  const list = await readList(client, followed.options);
  if (!list) return;
  const rightAt = list.pages[0]?.rightAt ?? 0;
  const changed = changes.changed.filter((change) => followed.mayConcern?.(change, list) ?? true);
  if (changed.length === 0 && (!changes.isGap || rightAt >= changes.heardSince)) return;
  const shown = shownOf(list, followed, changed, changes.isGap);
  if (shown.length > MOST_SHOWN) return readAgain(client, followed.options);
  const now = Date.now();
  const told = await followed.ask(Math.ceil((now - rightAt) / 1000), shown).catch(() => null);
  // Not read: the list is as right as it was, and the next change, or the line when it is back, asks for all of it.
  if (!told) return;
  followed.onTold(told);
  if (told.isMore) return readAgain(client, followed.options);
  show(client, followed, told);
  noteRight(client, followed.options.queryKey, now);
}

/** Follows it whatever was heard: for what the reader wrote shows without waiting to be told. */
export const anyChange: RowChanges = { changed: [], isGap: true, heardSince: Infinity };

/** The list may still be on its way when the channel joins. */
async function readList<Item extends Row>(
  client: QueryClient,
  options: PagesOptions<Item>,
): Promise<Pages<Item> | null> {
  try {
    return await client.infiniteQuery({ ...options, staleTime: 'static' });
  } catch {
    return null;
  }
}

/** In a gap any of them may have changed. */
function shownOf<Item extends DatedRow, Told extends Missed<Item>>(
  list: Pages<Item>,
  { idsOf }: FollowedList<Item, Told>,
  changed: readonly RowChange[],
  isGap: boolean,
): string[] {
  const ids = knownOf(list).map(({ id }) => id);
  const touched = new Set(changed.flatMap((change) => idsOf?.(change, list) ?? [String(change.row.id)]));
  return isGap ? ids : ids.filter((id) => touched.has(id));
}

export function knownOf<Item extends Row>({ pages }: Pages<Item>): Item[] {
  return pages.flatMap(({ rows, arrived }) => [...rows, ...arrived]);
}

function readAgain<Item extends Row>(client: QueryClient, { queryKey }: PagesOptions<Item>): Promise<void> {
  return client.invalidateQueries({ queryKey, exact: true });
}

function show<Item extends DatedRow, Told extends Missed<Item>>(
  client: QueryClient,
  followed: FollowedList<Item, Told>,
  { rows, gone }: Told,
): void {
  const { queryKey } = followed.options;
  const { merge, fits, alsoIn = queryKey, isAtTop = isPageAtTop } = followed;
  const known = knownOf(client.getQueryData<Pages<Item>>(queryKey) ?? { pages: [], pageParams: [] });
  const ids = new Set(known.map(({ id }) => id));
  for (const row of rows) patchRow<Item>(client, alsoIn, row.id, (before) => merge?.(row, before) ?? row);
  for (const id of gone) dropRow(client, alsoIn, id);
  const added = rows.filter((row) => !ids.has(row.id) && (fits?.(row) ?? true));
  const newest = known.reduce((latest, { created_at: at }) => (at > latest ? at : latest), '');
  const isNew = ({ created_at: at }: Item) => at > newest;
  noteArrival(client, queryKey, added.filter(isNew));
  // Back in reach of the search, or changed on a page that was not read.
  for (const row of added.filter((each) => !isNew(each)))
    placeRow<Item>(client, queryKey, row, (other) => other.created_at < row.created_at);
  if (isAtTop()) showArrivals(client, queryKey);
}
