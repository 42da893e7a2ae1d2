/** Conversations and threads as a screen shows them, told what changes. */
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { rowsOf } from '@/lib/lists/pages';
import { useRowChanges } from '@/lib/realtime/use-row-changes';
import { tableChanges } from '@/lib/realtime/table-changes';
import type { Conversation } from './conversations';
import { conversationsOptions } from './data/conversations-query';
import { followMessages, followReads } from './data/follow-messages';
import { threadOptions, type Message } from './data/thread-query';

export interface Part<Item> {
  /** Undefined until the first page is here. */
  data: Item[] | undefined;
  error: Error | null;
  refetch: () => unknown;
  hasMore: boolean;
  isReadingMore: boolean;
  /** Why reading on failed; what is here stays. */
  moreError: Error | null;
  readMore: () => void;
}

// IMM-019
export function useLiveMessages(userId: string): void {
  const client = useQueryClient();
  useRowChanges(tableChanges.messages, userId, (changes) => followMessages(client, userId, changes));
  useRowChanges(tableChanges.messageReads, userId, (changes) => {
    followReads(client, userId, changes);
    return Promise.resolve();
  });
}

/** Those in which the other side's name or the last message has the text; all for none. */
export function useConversations(userId: string, search: string): Part<Conversation> {
  const query = useInfiniteQuery({
    placeholderData: keepPreviousData,
    ...conversationsOptions(userId, search),
  });
  const rows = useMemo(() => query.data && rowsOf(query.data), [query.data]);
  return partOf(query, rows);
}

/** Oldest first; what is read on comes before it. */
export function useThread(userId: string, key: string): Part<Message> {
  const query = useInfiniteQuery(threadOptions(userId, key));
  const rows = useMemo(() => query.data && rowsOf(query.data).reverse(), [query.data]);
  return partOf(query, rows);
}

interface Query {
  error: Error | null;
  refetch: () => unknown;
  hasNextPage: boolean;
  isFetching: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => unknown;
}

function partOf<Item>(query: Query, data: Item[] | undefined): Part<Item> {
  const { error, refetch, hasNextPage, isFetching, isFetchingNextPage, isFetchNextPageError, fetchNextPage } =
    query;
  return {
    data,
    error: isFetchNextPageError ? null : error,
    refetch,
    hasMore: hasNextPage,
    isReadingMore: isFetchingNextPage,
    moreError: isFetchNextPageError ? error : null,
    readMore: () => {
      // A second press would break off what the first one began to read.
      if (!isFetching) void fetchNextPage();
    },
  };
}
