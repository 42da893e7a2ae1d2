/** A long list as a screen shows it: the rows that were read, what arrived since, and how to read on. */
import { hashKey, keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { keepPlace, placeOf } from './list-places';
import { rowsOf, type PagesOptions, type Row } from './pages';
import { showArrivals } from './patches';
import { foundAgain } from './seen-rows';
import { useKeptScroll } from './use-kept-scroll';

export interface PagedList<Item extends Row> {
  /** Names the list at this entry of the history. */
  name: string;
  /** Names it wherever it stands in the history. */
  key: string;
  /** Undefined until the first page is here, or those that were read before a reload. */
  data: Item[] | undefined;
  error: Error | null;
  refetch: () => unknown;
  /** Whether the rows are those of the search before, while the new ones are read. */
  isPrevious: boolean;
  /** Whether there are more rows than those that were read. */
  hasMore: boolean;
  isReadingMore: boolean;
  /** Why reading on failed; what is here stays. */
  moreError: Error | null;
  readMore: () => void;
  /** How many rows came that are not shown yet. */
  arrivals: number;
  showArrivals: () => void;
}

export function usePagedList<Item extends Row>(options: PagesOptions<Item>): PagedList<Item> {
  const client = useQueryClient();
  const query = useInfiniteQuery({ placeholderData: keepPreviousData, ...options });
  const { data: pages, fetchNextPage, hasNextPage, isFetchingNextPage, isFetchNextPageError, error } = query;
  const key = hashKey(options.queryKey);
  const name = `${useLocation().key} ${key}`;
  const read = query.isPlaceholderData ? 0 : (pages?.pages.length ?? 0);
  const rows = useMemo(() => pages && rowsOf(pages), [pages]);
  const isOnTheWay = usePagesAgain(name, read, rows, query);
  const want = useWantedPage(name, read, query);
  useKeptScroll(rows !== undefined && !isOnTheWay);
  return {
    name,
    key,
    data: isOnTheWay ? undefined : rows,
    error: isFetchNextPageError ? null : error,
    refetch: query.refetch,
    isPrevious: query.isPlaceholderData,
    hasMore: hasNextPage,
    isReadingMore: isFetchingNextPage,
    moreError: isFetchNextPageError ? error : null,
    readMore: () => {
      want();
      // Nothing that is being read is broken off, also before it is drawn: neither a page nor the whole list.
      if (client.getQueryState(options.queryKey)?.fetchStatus !== 'fetching') void fetchNextPage();
    },
    arrivals: pages?.pages[0]?.arrived.length ?? 0,
    showArrivals: () => showArrivals(client, options.queryKey),
  };
}

interface ReadOn {
  hasNextPage: boolean;
  isFetching: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => unknown;
}

/** A page that somebody asked for is asked for again where the list was read anew meanwhile, which breaks it off. */
function useWantedPage(name: string, read: number, query: ReadOn): () => void {
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query;
  const [wanted, setWanted] = useState({ name, pages: 0 });
  // Once it is here nobody waits for it: a list may begin anew with fewer pages.
  if (wanted.pages > 0 && read >= wanted.pages) setWanted({ name, pages: 0 });
  const isMissing = wanted.name === name && read > 0 && read < wanted.pages && hasNextPage;
  useEffect(() => {
    if (isMissing && !isFetching && !isFetchNextPageError) void fetchNextPage();
  }, [isMissing, isFetching, isFetchNextPageError, fetchNextPage]);
  return () => setWanted({ name, pages: read + 1 });
}

/** Where rows came above, the row that was read may stand behind the pages that were read. */
const PAGES_MORE = 2;

/** Reads as many pages as were read before a reload; answers whether that is still going on. */
function usePagesAgain(name: string, read: number, rows: readonly Row[] | undefined, query: ReadOn): boolean {
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query;
  const [kept, setKept] = useState(() => keptPages(name));
  if (kept.name !== name) setKept(keptPages(name));
  const isSought =
    kept.seen.length > 0 && read < kept.pages + PAGES_MORE && !foundAgain(kept.seen, rows ?? []);
  const isOnTheWay = read > 0 && (read < kept.pages || isSought) && hasNextPage && !isFetchNextPageError;
  // Rows that leave later are not looked for.
  if (read > 0 && !isOnTheWay && kept.seen.length > 0) setKept({ ...kept, seen: [] });
  useEffect(() => {
    if (isOnTheWay && !isFetching) void fetchNextPage();
  }, [isOnTheWay, isFetching, fetchNextPage]);
  useEffect(() => {
    if (read > 0 && !isOnTheWay) keepPlace(name, { pages: read });
  }, [name, read, isOnTheWay]);
  return isOnTheWay;
}

function keptPages(name: string) {
  const { pages = 1, rows: seen = [] } = placeOf(name) ?? {};
  return { name, pages, seen };
}
