import type { RequestSearch } from '../request-search';

export const requestKeys = {
  all: ['requests'] as const,
  importer: (requestId: string) => ['requests', 'importer', requestId] as const,
  own: (importerId: string, id: string) => ['requests', 'own', importerId, id] as const,
  ownOpen: (importerId: string) => ['requests', 'own-open', importerId] as const,
};

/** Lists that are told what changes: what invalidates the requests of `requestKeys` does not have them read again. */
export const requestListKeys = {
  all: ['request-lists'] as const,
  lists: ['request-lists', 'list'] as const,
  list: (search: RequestSearch) => ['request-lists', 'list', search] as const,
  counts: (search: RequestSearch) => ['request-lists', 'counts', search] as const,
};
