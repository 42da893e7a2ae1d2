/** Who a conversation is with. */
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Avatar } from '@/components/ui/avatar';
import { Button } from '@/components/ui/button';
import { messages as copy } from '@/copy/messages';
import type { Counterpart } from '../conversations';

interface ThreadHeaderProps {
  counterpart: Counterpart;
  profilePath: (id: string) => string;
  onBack: () => void;
  /** What speaks for them: seal, company, rating. */
  credentials: ReactNode;
  /** What else can be done, at the end of the line. */
  children?: ReactNode;
}

export function ThreadHeader({ counterpart, profilePath, onBack, credentials, children }: ThreadHeaderProps) {
  const { id, name, country, avatarUrl } = counterpart;
  return (
    <header className="flex items-center gap-3 border-b px-3 py-2.5">
      <Button variant="ghost" size="icon" aria-label={copy.back} onClick={onBack} className="lg:hidden">
        <ArrowLeft aria-hidden />
      </Button>
      <Avatar name={name} src={avatarUrl} />
      <div className="min-w-0 flex-1 leading-snug">
        <h2 dir="auto" className="truncate text-left font-semibold">
          {id === null ? (
            name
          ) : (
            <Link to={profilePath(id)} className="touch-target hover:underline hover:underline-offset-4">
              {name}
            </Link>
          )}
        </h2>
        <p dir="auto" className="truncate text-left text-small text-muted-foreground">
          {country} · <span className="sr-only">{copy.lastSeenLabel}: </span>
          {copy.lastSeen}
        </p>
        {credentials}
      </div>
      {children}
    </header>
  );
}
