/** The documented sample card, laid out like the form it stands for: an offer, who makes it, and the figures. */
import { CarPortrait } from '@/components/car-drawing/car-figures';
import { SealMark } from '@/components/seal-mark';
import { Badge } from '@/components/ui/badge';
import { landing } from '@/copy/landing';

const { sheet } = landing;

export function SampleSheet() {
  return (
    <figure className="overflow-hidden rounded-card border border-input bg-card">
      <div className="flex items-center justify-between border-b border-input pl-4 sm:pl-5">
        <span className="text-label text-muted-foreground">{sheet.title}</span>
        <Badge tone="tag" className="min-h-10 px-4">
          {sheet.tag}
        </Badge>
      </div>
      <SampleOffer />
      <SampleAgent />
      <dl className="grid grid-cols-2 gap-px border-y border-input bg-input">
        {sheet.figures.map(([figure, label]) => (
          <div key={label} className="flex flex-col-reverse bg-card px-4 py-2.5 sm:px-5">
            <dt className="text-label text-muted-foreground">{label}</dt>
            <dd className="font-heading text-[1.75rem] leading-9 font-[650] figures">{figure}</dd>
          </div>
        ))}
      </dl>
      <figcaption className="px-4 py-2.5 text-small text-muted-foreground sm:px-5">{sheet.note}</figcaption>
    </figure>
  );
}

function SampleOffer() {
  const { car, facts, basis, price, port } = sheet.offer;
  return (
    <div className="border-b border-input">
      <div className="relative aspect-2/1 border-b border-input bg-muted">
        <CarPortrait body="suv" paint="garnet" />
      </div>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-1 px-4 py-3 sm:px-5">
        <div>
          <p className="text-h3">{car}</p>
          <p className="dotted text-small text-muted-foreground">
            {facts.map((fact) => (
              <span key={fact}>{fact}</span>
            ))}
          </p>
        </div>
        <p className="flex items-baseline gap-1.5">
          <span className="text-label text-muted-foreground">{basis}</span>
          <span className="font-heading text-2xl leading-8 font-[650] figures">{price}</span>
          <span className="text-small text-muted-foreground">{port}</span>
        </p>
      </div>
    </div>
  );
}

function SampleAgent() {
  const { initials, name, verified, company } = sheet.agent;
  return (
    <div className="flex items-center gap-3 px-4 py-3 sm:px-5">
      <span
        aria-hidden
        className="grid size-10 shrink-0 place-items-center rounded-control bg-secondary font-heading text-small font-semibold text-secondary-foreground"
      >
        {initials}
      </span>
      <div className="min-w-0 leading-snug">
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="font-semibold">{name}</span>
          <span className="inline-flex items-center gap-1 text-small font-semibold text-verified">
            <SealMark className="size-4" />
            {verified}
          </span>
        </p>
        <p className="text-small text-muted-foreground">{company}</p>
      </div>
    </div>
  );
}
