/** Leads to the viewer's own messages; who came to write finds the focus here. */
import { MessageCircle } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { Button } from '@/components/ui/button';
import { paths } from '@/config/paths';
import { publicProfile as copy } from '@/copy/profiles';
import { useAuth, isSuspended, type Profile } from '@/lib/auth/auth-context';
import { cn } from '@/lib/class-names';

interface MessageLinkProps {
  member: Profile;
  className?: string;
}

// PUA-008
export function MessageLink({ member, className }: MessageLinkProps) {
  const { profile: viewer } = useAuth();
  const link = useRef<HTMLAnchorElement>(null);
  const wantsToWrite = useSearchParams()[0].get('intent') === 'message';
  useEffect(() => {
    if (wantsToWrite) link.current?.focus();
  }, [wantsToWrite]);
  if (!viewer) return null;
  const to =
    viewer.user_type === 'agent'
      ? `${paths.agent.messages}?importer=${member.user_id}`
      : `${paths.importer.messages}?agent=${member.user_id}`;
  return (
    <Button asChild className={cn('w-full', className)}>
      <Link ref={link} to={to}>
        <MessageCircle aria-hidden />
        {copy.message}
      </Link>
    </Button>
  );
}

/** On a phone it stays in reach below whatever is read. Nobody writes to themselves. */
export function MessageBar({ member }: { member: Profile }) {
  const { user } = useAuth();
  if (user?.id === member.user_id || isSuspended(member)) return null;
  return (
    <div className="sticky bottom-0 z-10 -mx-4 mt-6 -mb-6 border-t bg-background px-4 py-3 sm:hidden">
      <MessageLink member={member} />
    </div>
  );
}
