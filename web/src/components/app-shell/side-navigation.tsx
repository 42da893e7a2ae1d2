import { LogOut, type LucideIcon } from 'lucide-react';
import { NavLink } from 'react-router-dom';
import { app } from '@/copy/app';
import { cn } from '@/lib/class-names';
import { Badge } from '../ui/badge';

export interface NavigationEntry {
  to: string;
  label: string;
  icon: LucideIcon;
  /** Whether what lies below its address is another place: below one's own profile are those of others. */
  end?: boolean;
  /** What waits behind the entry; nothing is said of none. */
  waiting?: { count: number; label: string } | undefined;
}

interface SideNavigationProps {
  label: string;
  entries: readonly NavigationEntry[];
  onSignOut: () => void;
}

const entryClasses =
  'flex min-h-11 w-full items-center gap-3 rounded-control px-3 font-semibold text-muted-foreground transition-colors hover:bg-muted hover:text-foreground [&_svg]:size-4.5';

export function SideNavigation({ label, entries, onSignOut }: SideNavigationProps) {
  return (
    <>
      <nav aria-label={label} className="flex-1 p-3">
        <ul className="space-y-0.5">
          {entries.map(({ to, label: text, icon: Icon, end = false, waiting }) => (
            <li key={to}>
              <NavLink
                to={to}
                end={end}
                className={({ isActive }) =>
                  cn(entryClasses, isActive && 'bg-secondary text-secondary-foreground hover:bg-secondary')
                }
              >
                <Icon aria-hidden />
                {text}
                {waiting && waiting.count > 0 && <Waiting {...waiting} />}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <div className="border-t p-3">
        <button type="button" onClick={onSignOut} className={entryClasses}>
          <LogOut aria-hidden />
          {app.signOut}
        </button>
      </div>
    </>
  );
}

function Waiting({ count, label }: { count: number; label: string }) {
  return (
    <Badge tone="tag" className="ml-auto figures">
      {count} <span className="sr-only">{label}</span>
    </Badge>
  );
}
