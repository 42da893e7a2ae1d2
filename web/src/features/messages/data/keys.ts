export const messageKeys = {
  all: ['messages'] as const,
  received: (userId: string) => ['messages', 'received-count', userId] as const,
  unread: (userId: string) => ['messages', 'unread-count', userId] as const,
};
