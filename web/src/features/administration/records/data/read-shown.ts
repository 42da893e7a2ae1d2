/** Reading a list again after a change: all that is shown of it in one request, however many pages it was read in. */
import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';
import { LONG_PAGE, type ListPage } from './answers';

type ListPages<Row> = InfiniteData<ListPage<Row>, string | null>;

/** `read` answers the first rows of the list. A list that is not long is read as it always is. */
export async function readShown<Row>(
  client: QueryClient,
  queryKey: QueryKey,
  read: (limit: number) => Promise<ListPage<Row>>,
): Promise<void> {
  const before = client.getQueryData<ListPages<Row>>(queryKey);
  const shown = before?.pages.reduce((sum, { rows }) => sum + rows.length, 0) ?? 0;
  if (before && before.pages.length > 1 && shown <= LONG_PAGE) {
    const page = await read(shown).catch(() => null);
    // Where more was read meanwhile, this is not all of it.
    if (page && client.getQueryData(queryKey) === before) {
      client.setQueryData<ListPages<Row>>(queryKey, { pages: [page], pageParams: [null] });
      return;
    }
  }
  await client.invalidateQueries({ queryKey, exact: true });
}
