import { Section } from './section';
import { landing } from '@/copy/landing';

export function WhyChoose() {
  return (
    <Section id="why-choose" title={landing.why.title}>
      <dl className="border-t">
        {landing.why.benefits.map(([title, text]) => (
          <div key={title} className="grid gap-1 border-b py-5 md:grid-cols-[20rem_1fr] md:gap-8">
            <dt className="text-h3">{title}</dt>
            <dd className="max-w-[60ch] text-muted-foreground">{text}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
