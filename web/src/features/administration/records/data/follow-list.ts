/** What a change does to a list of the back office that is shown: one small read tells all that was missed. */
import type { QueryClient } from '@tanstack/react-query';
import type { Pages } from '@/lib/lists/pages';
import { dropRow, noteArrival, noteRight, patchRow } from '@/lib/lists/patches';
import type { OfficeChanges } from '../use-office-changes';
import type { ListChanges, Told } from './answers';
import {
  administrationKeys,
  listOptions,
  readChanges,
  type Entry,
  type ListAsk,
  type ListSource,
} from './record-list';

/** Whoever has scrolled no further sees the top of the list. */
const SCROLLED_PX = 160;
/** More the service does not look after. */
const MOST_SHOWN = 1000;

/** Answers whether the list is right now. */
export async function followList<Row extends Listed, Listed>(
  client: QueryClient,
  source: ListSource<Row, Listed>,
  ask: ListAsk,
  changes: OfficeChanges,
): Promise<boolean> {
  const list = await readList(client, source, ask);
  if (!list) return false;
  const rightAt = list.pages[0]?.rightAt ?? 0;
  if (changes.ids?.size === 0 && rightAt >= changes.heardSince) return true;
  const shown = shownOf(list, changes, rightAt);
  const key = administrationKeys.list(source.name, ask);
  const now = Date.now();
  const seconds = Math.ceil((now - rightAt) / 1000);
  const until = list.pages.at(-1)?.next ?? null;
  const told =
    shown.length <= MOST_SHOWN
      ? await readChanges(source, ask, { seconds, shown, until }).catch(() => null)
      : 'too much';
  // Not read: the list is as right as it was, and the next change, or the line when it is back, asks for all of it.
  if (!told) return false;
  if (told === 'too much' || told.is_more) {
    await client.invalidateQueries({ queryKey: key, exact: true });
    return true;
  }
  const isNew = show(client, source, ask, told, list);
  noteRight(client, key, now);
  if (isNew && window.scrollY <= SCROLLED_PX && list.pages.length === 1) await readAnew(client, source, ask);
  return true;
}

/** Only the order of the server tells where a new row stands, so its first page is read. */
export async function readAnew<Row extends Listed, Listed>(
  client: QueryClient,
  { name }: ListSource<Row, Listed>,
  ask: ListAsk,
): Promise<void> {
  const queryKey = administrationKeys.list(name, ask);
  client.setQueryData<Pages<Entry<Listed>>>(queryKey, (list) =>
    list ? { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) } : undefined,
  );
  await client.invalidateQueries({ queryKey, exact: true });
}

/** The list may still be on its way when its channels join. */
async function readList<Row extends Listed, Listed>(
  client: QueryClient,
  source: ListSource<Row, Listed>,
  ask: ListAsk,
): Promise<Pages<Entry<Listed>> | null> {
  try {
    return await client.infiniteQuery({ ...listOptions(client, source, ask), staleTime: 'static' });
  } catch {
    return null;
  }
}

/** In a gap any of them may have changed, and where a change does not say which. */
function shownOf<Listed>(
  list: Pages<Entry<Listed>>,
  { ids, heardSince }: OfficeChanges,
  rightAt: number,
): string[] {
  const known = knownOf(list).map(({ id }) => id);
  return ids === null || rightAt < heardSince ? known : known.filter((id) => ids.has(id));
}

function knownOf<Listed>({ pages }: Pages<Entry<Listed>>): Entry<Listed>[] {
  return pages.flatMap(({ rows, arrived }) => [...rows, ...arrived]);
}

/** A changed row changes where it stands, one that fits no longer leaves, a new one waits; answers whether one does. */
function show<Row extends Listed, Listed>(
  client: QueryClient,
  { name, idOf }: ListSource<Row, Listed>,
  ask: ListAsk,
  { rows, gone, total, counts }: ListChanges<Listed>,
  list: Pages<Entry<Listed>>,
): boolean {
  const key = administrationKeys.list(name, ask);
  const known = new Set(knownOf(list).map(({ id }) => id));
  const entries = rows.map((row) => ({ id: idOf(row), row }));
  for (const entry of entries) patchRow<Entry<Listed>>(client, key, entry.id, () => entry);
  for (const id of gone) dropRow(client, key, id);
  const added = entries.filter(({ id }) => !known.has(id));
  noteArrival(client, key, added);
  client.setQueryData<Told>(administrationKeys.told(name, ask), (before) => ({ ...before, total, counts }));
  return added.length > 0;
}
