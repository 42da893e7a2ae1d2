export const messageKeys = {
  all: ['messages'] as const,
  own: (userId: string) => ['messages', 'own', userId] as const,
  thread: (userId: string, counterpartKey: string) => ['messages', 'thread', userId, counterpartKey] as const,
  received: (userId: string) => ['messages', 'received-count', userId] as const,
  unread: (userId: string) => ['messages', 'unread-count', userId] as const,
  lastWords: (userId: string) => ['messages', 'last-words', userId] as const,
};
