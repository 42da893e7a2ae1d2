/** One figure, one label, one line below. */
import type { ReactNode } from 'react';
import { Skeleton } from './ui/skeleton';

interface StatTileProps {
  label: string;
  /** `undefined` while it is on its way, `null` when it could not be read. */
  value: number | null | undefined;
  hint: ReactNode;
}

export function StatTile({ label, value, hint }: StatTileProps) {
  return (
    <div className="min-w-0 bg-card px-4 py-4 sm:px-5">
      <dt className="text-label text-muted-foreground">{label}</dt>
      <dd className="mt-1">
        <span
          className="block h-10 font-heading text-[2rem] leading-10 font-[650] figures"
          aria-busy={value === undefined}
        >
          {value === undefined ? <Skeleton className="h-8 w-12" /> : (value?.toLocaleString('en-US') ?? '—')}
        </span>
        <span className="block text-small text-balance text-muted-foreground">{hint}</span>
      </dd>
    </div>
  );
}

/** Up to four tiles as one ruled band. */
export function StatTiles({ children }: { children: ReactNode }) {
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-card border bg-border lg:grid-cols-4">
      {children}
    </dl>
  );
}
