import type { ReactNode } from 'react';

interface SectionProps {
  id: string;
  title: string;
  lead?: string;
  children: ReactNode;
}

export function Section({ id, title, lead, children }: SectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="container-page py-8 sm:py-14">
      <div className="mb-6 max-w-[68ch] sm:mb-8">
        <h2 id={`${id}-title`} className="text-h1 text-balance">
          {title}
        </h2>
        {lead && <p className="mt-2 text-lg text-pretty text-muted-foreground">{lead}</p>}
      </div>
      {children}
    </section>
  );
}
