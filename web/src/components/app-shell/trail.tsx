/** Where one is: the area, which leads to its first screen, and the screen. */
import { ChevronRight } from 'lucide-react';
import { Link, useLocation } from 'react-router-dom';
import { navigation } from '@/copy/navigation';
import type { NavigationEntry } from './side-navigation';

interface TrailProps {
  label: string;
  entries: readonly NavigationEntry[];
}

export function Trail({ label, entries }: TrailProps) {
  const { pathname } = useLocation();
  const current = entries.find(
    ({ to, end = false }) => pathname === to || (!end && pathname.startsWith(`${to}/`)),
  );
  const first = entries[0];
  return (
    <nav aria-label={navigation.trail} className="hidden lg:block">
      <ol className="flex items-center gap-2 text-small text-muted-foreground">
        {first && (
          <li>
            <Link to={first.to} className="rounded-control hover:text-foreground hover:underline">
              {label}
            </Link>
          </li>
        )}
        {current && (
          <li aria-current="page" className="flex items-center gap-2 font-semibold text-foreground">
            <ChevronRight aria-hidden className="size-4 text-muted-foreground" />
            {current.label}
          </li>
        )}
      </ol>
    </nav>
  );
}
