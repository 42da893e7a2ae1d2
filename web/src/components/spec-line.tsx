/** The facts of a car in one line. What is not known is named at its end, once: a missing fact is information. */
import { specLine as copy } from '@/copy/posts';
import { cn } from '@/lib/class-names';
import { specRows, type CarFacts } from './spec-strip';

export function SpecLine({ facts, className }: { facts: CarFacts; className?: string }) {
  const rows = specRows(facts);
  const known = rows.filter(([, value]) => value !== null);
  const gaps = rows.filter(([, value]) => value === null).map(([label]) => label.toLowerCase());
  return (
    <dl className={cn('dotted [&_dd]:inline [&_dt]:inline', className)}>
      {known.map(([label, value]) => (
        <div key={label} className="min-w-0 break-words">
          <dt className="sr-only">{label} </dt>
          <dd dir="auto" className="figures">
            {value}
          </dd>
        </div>
      ))}
      {gaps.length > 0 && (
        <div className="text-muted-foreground only:first-letter:uppercase">
          <dt>{copy.notGiven}</dt> <dd>{gaps.join(', ')}</dd>
        </div>
      )}
    </dl>
  );
}
