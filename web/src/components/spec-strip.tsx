/** The facts of a car in a fixed order. What is not known is shown as a gap: a missing fact is information. */
import { spec } from '@/copy/posts';
import { cn } from '@/lib/class-names';

export interface CarFacts {
  year: number | null;
  engine_size: string | null;
  mileage_km: number | null;
  transmission: string | null;
  fuel_type: string | null;
  drivetrain: string | null;
}

export function SpecStrip({ facts, className }: { facts: CarFacts; className?: string }) {
  return (
    <dl className={cn('grid grid-cols-3 gap-px overflow-hidden rounded-control border bg-border', className)}>
      {specRows(facts).map(([label, value]) => (
        <div key={label} className="min-w-0 bg-card px-3 py-2">
          <dt className="text-label text-muted-foreground">{label}</dt>
          <dd className="break-words figures">{value ?? <Gap />}</dd>
        </div>
      ))}
    </dl>
  );
}

export function specRows(facts: CarFacts): [string, string | null][] {
  const mileage = facts.mileage_km === null ? null : `${facts.mileage_km.toLocaleString('en-US')} km`;
  return [
    [spec.year, facts.year === null ? null : String(facts.year)],
    [spec.engine, facts.engine_size],
    [spec.mileage, mileage],
    [spec.gearbox, facts.transmission],
    [spec.fuel, facts.fuel_type],
    [spec.drive, facts.drivetrain],
  ];
}

function Gap() {
  return (
    <span className="text-muted-foreground">
      <span aria-hidden>{spec.unknown}</span>
      <span className="sr-only">{spec.unknownSpoken}</span>
    </span>
  );
}
