export const followKeys = {
  all: ['follows'] as const,
  ids: (userId: string) => ['follows', 'ids', userId] as const,
  count: (userId: string) => ['follows', 'count', userId] as const,
};
