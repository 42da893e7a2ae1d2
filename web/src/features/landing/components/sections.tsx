/** The sections of the landing page that are a title and a list. */
import type { ReactNode } from 'react';
import { landing } from '@/copy/landing';

interface SectionProps {
  id: string;
  title: string;
  lead?: string;
  children: ReactNode;
}

function Section({ id, title, lead, children }: SectionProps) {
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

export function HowItWorks() {
  return (
    <Section id="how-it-works" title={landing.how.title}>
      <ol className="grid gap-px overflow-hidden rounded-card border bg-border md:grid-cols-3">
        {landing.how.steps.map(([title, text], index) => (
          <li key={title} className="bg-card p-5 sm:p-6">
            <span aria-hidden className="text-label text-muted-foreground">
              {landing.how.step} {index + 1}
            </span>
            <h3 className="mt-3 text-balance text-h3">{title}</h3>
            <p className="mt-2 text-muted-foreground">{text}</p>
          </li>
        ))}
      </ol>
    </Section>
  );
}

export function WhyChoose() {
  return (
    <Section id="why-choose" title={landing.why.title}>
      <dl className="border-t">
        {landing.why.benefits.map(([title, text, evidence, tag]) => (
          <div
            key={title}
            className="grid items-center gap-x-8 gap-y-1 border-b py-5 md:grid-cols-[minmax(0,18rem)_minmax(0,1fr)_17rem]"
          >
            <dt className="text-h3">{title}</dt>
            <dd className="max-w-[60ch] text-muted-foreground">{text}</dd>
            <dd className="mt-2 flex items-center justify-between gap-3 rounded-control border bg-card px-3 py-2 text-small font-semibold figures md:mt-0">
              {evidence}
              <span className="text-label text-muted-foreground">{tag}</span>
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

export function GlobalReach() {
  return (
    <Section id="global-reach" title={landing.reach.title} lead={landing.reach.text}>
      <ul className="grid grid-cols-3 gap-px overflow-hidden rounded-card border bg-border sm:grid-cols-4 lg:grid-cols-6">
        {landing.reach.countries.map(([code, name]) => (
          <li key={code} className="flex flex-col items-center gap-2 bg-card px-2 py-5 text-center">
            <img
              src={`/flags/${code}.svg`}
              alt=""
              width={48}
              height={36}
              loading="lazy"
              className="border object-cover"
            />
            <span className="text-small sm:text-base">{name}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
