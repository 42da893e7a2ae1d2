/** Importers and agents as two forms with a shared spine. */
import { Check } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Button } from '@/components/ui/button';
import { paths } from '@/config/paths';
import { landing } from '@/copy/landing';

export function TwoSides() {
  return (
    <div className="container-page py-8 sm:py-14">
      <div className="grid overflow-hidden rounded-card border bg-card max-md:divide-y md:grid-cols-2 md:divide-x">
        <Side id="for-importers" text={landing.importers} to={paths.importer.signUp} />
        <Side id="for-agents" text={landing.agents} to={paths.agent.signUp} />
      </div>
    </div>
  );
}

interface SideProps {
  id: string;
  text: (typeof landing)['importers' | 'agents'];
  to: string;
}

function Side({ id, text, to }: SideProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="flex flex-col p-5 sm:p-8">
      <h2 id={`${id}-title`} className="text-h1">
        {text.title}
      </h2>
      <p className="mt-1 text-lg text-muted-foreground">{text.lead}</p>
      <ul className="my-6 flex-1 divide-y border-y">
        {text.points.map((point) => (
          <li key={point} className="flex gap-3 py-3">
            <Check aria-hidden className="mt-1 size-4 text-primary" strokeWidth={2.5} />
            {point}
          </li>
        ))}
      </ul>
      <Button size="large" asChild className="sm:self-start">
        <Link to={to}>{text.join}</Link>
      </Button>
    </section>
  );
}
