export const supportKeys = {
  all: ['support'] as const,
  tickets: (userId: string) => ['support', 'tickets', userId] as const,
  ticket: (ticketId: string) => ['support', 'ticket', ticketId] as const,
};
