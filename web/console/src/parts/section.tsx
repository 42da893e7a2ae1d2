import type { ReactNode } from 'react';

/** A part of a page that is read downwards; `beside` stands at the right of its name. */
export function Section({
  title,
  beside,
  children,
}: {
  title: string;
  beside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section aria-label={title} className="border-t px-4 py-3">
      <div className="mb-2 flex min-h-7 flex-wrap items-center justify-between gap-2">
        <h2 className="text-label text-muted-foreground">{title}</h2>
        {beside}
      </div>
      {children}
    </section>
  );
}

/** Names and values below each other. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[minmax(4.5rem,auto)_1fr] gap-x-4 gap-y-1">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted-foreground">{name}</dt>
          <dd className="code min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
