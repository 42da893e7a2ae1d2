import { NavLink } from 'react-router-dom';
import { cn } from '@/lib/class-names';
import { searchOf, useBranch } from '../dev/use-branch';
import { VIEWS } from '../views';

/** At the left; below on a phone. */
export function Rail() {
  const search = searchOf(useBranch());
  return (
    <nav
      aria-label="Views"
      className="flex gap-1 border-t bg-card p-1.5 max-md:row-start-3 max-md:overflow-x-auto md:w-40 md:flex-col md:border-t-0 md:border-r"
    >
      {VIEWS.map(({ path, name, icon: Icon }) => (
        <NavLink
          key={path}
          to={{ pathname: `/${path}`, search }}
          className={({ isActive }) =>
            cn(
              'flex min-h-11 items-center gap-2 rounded-control px-2.5 whitespace-nowrap hover:bg-muted md:min-h-8',
              isActive ? 'bg-secondary font-semibold text-secondary-foreground' : 'text-muted-foreground',
            )
          }
        >
          <Icon aria-hidden className="size-4" />
          {name}
        </NavLink>
      ))}
    </nav>
  );
}
