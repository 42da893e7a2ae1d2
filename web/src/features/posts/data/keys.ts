/** `['posts', …]`, `['offers', …]` and `['saved-posts', …]`: a change of a table makes everything below its stem stale. */
import type { OfferSearch } from '../offer-search';

export const postKeys = {
  all: ['posts'] as const,
  latest: (limit: number) => ['posts', 'latest', limit] as const,
  one: (id: string) => ['posts', 'one', id] as const,
  ofAgent: (agentId: string) => ['posts', 'of-agent', agentId] as const,
  ownCount: (userId: string) => ['posts', 'own-count', userId] as const,
};

/** Lists that are told what changes: what invalidates the offers of `postKeys` does not have them read again. */
export const offerKeys = {
  all: ['offers'] as const,
  lists: ['offers', 'list'] as const,
  list: (search: OfferSearch) => ['offers', 'list', search] as const,
  counts: (search: OfferSearch) => ['offers', 'counts', search] as const,
};

export const savedPostKeys = {
  all: ['saved-posts'] as const,
  list: (userId: string) => ['saved-posts', 'list', userId] as const,
  count: (userId: string) => ['saved-posts', 'count', userId] as const,
  lost: (userId: string) => ['saved-posts', 'lost', userId] as const,
};
