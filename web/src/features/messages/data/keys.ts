export const messageKeys = {
  all: ['messages'] as const,
  conversations: (userId: string) => ['messages', 'conversations', userId] as const,
  found: (userId: string, search: string) => ['messages', 'conversations', userId, search] as const,
  threads: (userId: string) => ['messages', 'thread', userId] as const,
  thread: (userId: string, counterpartKey: string) => ['messages', 'thread', userId, counterpartKey] as const,
  received: (userId: string) => ['messages', 'received-count', userId] as const,
  unread: (userId: string) => ['messages', 'unread-count', userId] as const,
  lastWords: (userId: string) => ['messages', 'last-words', userId] as const,
};
