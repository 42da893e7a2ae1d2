/** What can be done about the person a conversation is with, in a menu at the end of its header. */
import { EllipsisVertical, UserRound } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Button } from '@/components/ui/button';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu';
import { paths, type UserType } from '@/config/paths';
import { messages as copy } from '@/copy/messages';
import type { PresentCounterpart } from '@/features/messages/conversations';

interface ThreadActionsProps {
  counterpart: PresentCounterpart;
  /** The kind of member the counterpart is. */
  kind: UserType;
}

export function ThreadActions({ counterpart, kind }: ThreadActionsProps) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="icon" aria-label={copy.actions(counterpart.name)}>
          <EllipsisVertical aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuItem asChild>
          <Link to={paths[kind].publicProfile(counterpart.id)}>
            <UserRound aria-hidden />
            {copy.viewProfile}
          </Link>
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
