/** How an invitation stands, and who made it. */
import { Badge } from '@/components/ui/badge';
import type { UserType } from '@/config/paths';
import { invitationStatus } from '@/copy/dashboards';
import { assigned as copy } from '@/copy/invitations';
import type { Invitation } from '../data/invitation-answers';

interface AssignedNoteProps {
  invitation: Invitation;
  /** Who reads it. */
  side: UserType;
}

/** Says that the team brought the two together, and that the agent did not write first. */
export function AssignedNote({ invitation, side }: AssignedNoteProps) {
  if (!invitation.is_assigned) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-muted-foreground">
      <Badge>{copy.badge}</Badge>
      {invitation.status === 'sent' && copy[side]}
    </p>
  );
}

/** How the state of an invitation is shown; what was sent reads as pending. */
const TONES = { sent: 'warning', accepted: 'success', declined: 'neutral' } as const;

type Status = keyof typeof TONES;

export function invitationTone(status: string): { tone: (typeof TONES)[Status]; text: string } {
  const known = status in TONES ? (status as Status) : 'sent';
  return { tone: TONES[known], text: invitationStatus[known] };
}
