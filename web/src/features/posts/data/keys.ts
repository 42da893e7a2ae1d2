/** `['posts', …]` and `['saved-posts', …]`: a change of a table makes everything below its stem stale. */
export const postKeys = {
  all: ['posts'] as const,
  list: ['posts', 'list'] as const,
  latest: (limit: number) => ['posts', 'latest', limit] as const,
  one: (id: string) => ['posts', 'one', id] as const,
  ofAgent: (agentId: string) => ['posts', 'of-agent', agentId] as const,
  ownCount: (userId: string) => ['posts', 'own-count', userId] as const,
};

export const savedPostKeys = {
  all: ['saved-posts'] as const,
  list: (userId: string) => ['saved-posts', 'list', userId] as const,
  ids: (userId: string) => ['saved-posts', 'ids', userId] as const,
  count: (userId: string) => ['saved-posts', 'count', userId] as const,
  lost: (userId: string) => ['saved-posts', 'lost', userId] as const,
};
