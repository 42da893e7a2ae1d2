/** The channels, by their documented names. */
import type { TableChanges } from './channel-registry';

export const tableChanges = {
  carRequests: { name: 'car_requests_changes', event: '*', table: 'car_requests' },
  agentPosts: { name: 'agent_posts_changes', event: '*', table: 'agent_posts' },
  invitations: { name: 'invitations_changes', event: '*', table: 'invitations' },
  messages: { name: 'messages_changes', event: 'INSERT', table: 'messages' },
  standing: { name: 'member_standing_changes', event: '*', table: 'member_standing', key: 'user_id' },
  tickets: { name: 'support_tickets_changes', event: '*', table: 'support_tickets' },
  ticketMessages: { name: 'ticket_messages_changes', event: 'INSERT', table: 'ticket_messages' },
  disputes: { name: 'disputes_changes', event: '*', table: 'disputes' },
  disputeStatements: { name: 'dispute_statements_changes', event: 'INSERT', table: 'dispute_statements' },
  /** Ours: the documented channel above tells of new messages alone, not of those that were read. */
  messageReads: { name: 'messages_reads', event: 'UPDATE', table: 'messages' },
  /** Ours too: a review that is written while its list is read. */
  reviews: { name: 'reviews_changes', event: '*', table: 'reviews' },
  agentVerifications: { name: 'agent_verifications_changes', event: '*', table: 'agent_verifications' },
} as const satisfies Record<string, TableChanges>;
