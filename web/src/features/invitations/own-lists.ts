/** The lists of invitations that screens show: what of them, and how many at first. */
import { oneOf } from '@/lib/search-params';
import type { InvitationSearch } from './data/keys';

export interface OwnList {
  search: InvitationSearch;
  size: number;
}

export const invitationStates = ['total', 'sent', 'accepted', 'declined'] as const;
export type InvitationState = (typeof invitationStates)[number];

/** What the address of My Invitations says. */
export const sentFilter = { status: oneOf(invitationStates, 'total') };

export function sentInvitations(state: InvitationState): OwnList {
  return { search: state === 'total' ? {} : { status: state }, size: 24 };
}

export const recentInvitations: OwnList = { search: {}, size: 3 };
export const openInvitations: OwnList = { search: { status: 'sent' }, size: 10 };

export function responsesTo(requestId: string): OwnList {
  return { search: { request: requestId }, size: 20 };
}
