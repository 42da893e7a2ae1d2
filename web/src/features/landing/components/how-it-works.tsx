import { landing } from '@/copy/landing';
import { Section } from './section';

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
