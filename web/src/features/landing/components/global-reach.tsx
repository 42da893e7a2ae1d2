import { landing } from '@/copy/landing';
import { Section } from './section';

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
