export const invitationKeys = {
  all: ['invitations'] as const,
  own: (userId: string) => ['invitations', 'own', userId] as const,
  assigned: (agentId: string) => ['invitations', 'assigned', agentId] as const,
  acceptedCount: (userId: string) => ['invitations', 'accepted-count', userId] as const,
};
