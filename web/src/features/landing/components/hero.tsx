import { ArrowRight } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Button } from '@/components/ui/button';
import { paths } from '@/config/paths';
import { landing } from '@/copy/landing';
import { Headline } from './headline';
import { SampleSheet } from './sample-sheet';

export function Hero() {
  return (
    <section className="container-page grid items-center gap-10 pt-24 pb-10 sm:pt-28 lg:grid-cols-[minmax(0,1.25fr)_minmax(0,1fr)] lg:gap-16 lg:pt-36 lg:pb-16">
      <div>
        <Headline />
        <p className="mt-6 max-w-[52ch] text-lg text-pretty text-muted-foreground">{landing.hero.lead}</p>
        <Button size="large" asChild className="mt-8 w-full sm:w-auto">
          <Link to={paths.auth}>
            {landing.hero.start}
            <ArrowRight aria-hidden />
          </Link>
        </Button>
      </div>
      <SampleSheet />
    </section>
  );
}

export function Figures() {
  return (
    <section aria-label={landing.figuresLabel} className="container-page">
      <dl className="grid divide-y border-y sm:grid-cols-3 sm:divide-x sm:divide-y-0">
        {landing.figures.map(([figure, label]) => (
          <div key={label} className="flex items-baseline gap-3 py-4 sm:justify-center sm:py-6">
            <dd className="order-first font-heading text-[2rem] leading-10 font-[650] figures">{figure}</dd>
            <dt className="text-label text-muted-foreground">{label}</dt>
          </div>
        ))}
      </dl>
    </section>
  );
}
