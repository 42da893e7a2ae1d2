/** The documented sample card, laid out like the form it stands for. */
import { CarSilhouette } from '@/components/car-drawing/car-drawing';
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
      <div aria-hidden className="relative aspect-16/9 ruled text-chart-1">
        <CarSilhouette body="suv" />
      </div>
      <dl className="grid grid-cols-2 gap-px border-y border-input bg-input">
        {sheet.figures.map(([figure, label]) => (
          <div key={label} className="flex flex-col-reverse bg-card px-4 py-3 sm:px-5 sm:py-4">
            <dt className="text-label text-muted-foreground">{label}</dt>
            <dd className="font-heading text-[1.75rem] leading-9 font-[650] figures sm:text-[2.25rem] sm:leading-11">
              {figure}
            </dd>
          </div>
        ))}
      </dl>
      <figcaption className="px-4 py-2.5 text-small text-muted-foreground sm:px-5">{sheet.note}</figcaption>
    </figure>
  );
}
