/** Which of the caller's own invitations a list holds: those of a state, those about a request, or all. */
export interface InvitationSearch {
  readonly status?: string;
  readonly request?: string;
}

export const invitationKeys = {
  all: ['invitations'] as const,
  lists: ['invitations', 'list'] as const,
  list: (userId: string, search: InvitationSearch, size: number) =>
    ['invitations', 'list', userId, search, size] as const,
  counts: (userId: string) => ['invitations', 'counts', userId] as const,
  running: (importerId: string, limit: number) => ['invitations', 'running', importerId, limit] as const,
  /** What waits for an agent, by the agent. */
  waiting: (agentId: string) => ['invitations', 'waiting', agentId] as const,
};
