/** The way of a car: where it stands, a line with a ship, where it goes. */
import { Ship } from 'lucide-react';
import { route } from '@/copy/posts';
import { cn } from '@/lib/class-names';
import { countryName } from '@/lib/country';
import { CountryFlag } from './country-flag';

interface RouteLineProps {
  /** Country the car leaves from, by code or name. */
  from: string | null | undefined;
  /** Port or town within it. */
  place?: string | null | undefined;
  /** The port; without one it is the reader's, whichever that is. */
  to?: string | undefined;
  className?: string;
}

export function RouteLine({ from, place, to = route.destination, className }: RouteLineProps) {
  return (
    <p className={cn('flex items-center gap-3 text-small', className)}>
      <span className="sr-only">{route.from}</span>
      <span className="inline-flex max-w-1/2 shrink-0 items-center gap-1.5">
        <CountryFlag country={from} />
        <span className="truncate">
          <bdi>{place ?? countryName(from)}</bdi>
        </span>
      </span>
      <span aria-hidden className="flex min-w-8 flex-1 items-center gap-2 text-muted-foreground">
        <span className="h-px flex-1 bg-input" />
        <Ship className="size-4" />
        <span className="h-px flex-1 bg-input" />
        <span className="-ml-2 size-1.5 rotate-45 border-t border-r border-input" />
      </span>
      <span className="sr-only">{route.to}</span>
      <span className="min-w-0 truncate text-muted-foreground">
        <bdi>{to}</bdi>
      </span>
    </p>
  );
}
