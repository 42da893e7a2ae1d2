import { Section } from './section';
import { landing } from '@/copy/landing';

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
