/** Says that the team brought the two together, and that the agent did not write first. */
import { Badge } from '@/components/ui/badge';
import type { UserType } from '@/config/paths';
import { assigned as copy } from '@/copy/invitations';
import type { Invitation } from '../data/invitations-query';

interface AssignedNoteProps {
  invitation: Invitation;
  /** Who reads it. */
  side: UserType;
}

export function AssignedNote({ invitation, side }: AssignedNoteProps) {
  if (!invitation.is_assigned) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-muted-foreground">
      <Badge>{copy.badge}</Badge>
      {invitation.status === 'sent' && copy[side]}
    </p>
  );
}
