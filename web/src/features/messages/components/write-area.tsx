/** Where the next message is written, or why there is none to write: nobody writes while either side is suspended. */
import { Link } from 'react-router-dom';
import { isUserType, paths } from '@/config/paths';
import { standing as copy } from '@/copy/standing';
import { useAuth, useIsSuspended } from '@/lib/auth/auth-context';
import { useIsMemberSuspended } from '@/lib/auth/standing';
import type { PresentCounterpart } from '../conversations';
import { Composer } from './composer';

interface WriteAreaProps {
  userId: string;
  counterpart: PresentCounterpart;
}

export function WriteArea({ userId, counterpart: { id, name } }: WriteAreaProps) {
  const isSuspended = useIsSuspended();
  const isOtherSuspended = useIsMemberSuspended(id);
  if (isSuspended) return <OwnSuspension />;
  if (isOtherSuspended)
    return <p className="border-t p-4 text-muted-foreground">{copy.thread.other(name)}</p>;
  return <Composer userId={userId} receiverId={id} />;
}

function OwnSuspension() {
  const type = useAuth().profile?.user_type;
  return (
    <p className="border-t p-4 text-muted-foreground">
      {copy.thread.self}{' '}
      {isUserType(type) && (
        <Link to={paths[type].support} className="font-semibold text-primary underline underline-offset-4">
          {copy.thread.toTeam}
        </Link>
      )}
    </p>
  );
}
