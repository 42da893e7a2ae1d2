/** Stands in for a missing photo: the car painted on a dim quay, told apart by body and paint. No network involved. */
import { app } from '@/copy/app';
import { cn } from '@/lib/class-names';
import { bodyOf, carBodies, paintOf, type CarBody } from './body-of';
import { CarPortrait } from './car-figures';
import { usualPaints } from './portrait';

interface CarDrawingProps {
  make: string;
  model: string;
  /** The shape somebody named; the name decides where it is none of the drawn ones. */
  body?: string | null | undefined;
  /** The sheet's caption; null leaves it out. */
  caption?: string | null;
  className?: string;
}

export function CarDrawing({ make, model, body, caption = app.notSupplied, className }: CarDrawingProps) {
  const shape = drawnBody(body) ?? bodyOf(make, model);
  const paint = usualPaints[paintOf(make, model)] ?? 'pearl';
  return (
    <div
      role="img"
      aria-label={`${make} ${model}`.trim() || app.carDrawing}
      className={cn('relative aspect-4/3 overflow-hidden bg-muted', className)}
    >
      <CarPortrait body={shape} paint={paint} />
      {caption && (
        <span className="absolute bottom-0 left-0 bg-card px-3 py-1.5 text-label text-muted-foreground">
          {caption}
        </span>
      )}
    </div>
  );
}

function drawnBody(body: string | null | undefined): CarBody | null {
  return body === 'bus' ? 'van' : (carBodies.find((name) => name === body) ?? null);
}
