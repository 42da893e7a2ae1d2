/** Stands in for a missing photo: a side view on ruled paper, told apart by body and tint. No network involved. */
import { app } from '@/copy/app';
import { cn } from '@/lib/class-names';
import { bodies, contour } from './bodies';
import { bodyOf, tintOf, type CarBody } from './body-of';

interface CarDrawingProps {
  make: string;
  model: string;
  /** The sheet's caption; null leaves it out. */
  caption?: string | null;
  className?: string;
}

/** No tint comes near blue: that colour belongs to verification. */
const TINTS = ['text-chart-1', 'text-chart-2', 'text-chart-4', 'text-chart-5'];

export function CarDrawing({ make, model, caption = app.notSupplied, className }: CarDrawingProps) {
  return (
    <div
      role="img"
      aria-label={`${make} ${model}`.trim() || app.carDrawing}
      className={cn(
        'relative aspect-4/3 overflow-hidden bg-card ruled',
        TINTS[tintOf(make, model)],
        className,
      )}
    >
      <CarSilhouette body={bodyOf(make, model)} />
      {caption && (
        <span className="absolute bottom-0 left-0 bg-card px-3 py-1.5 text-label text-muted-foreground">
          {caption}
        </span>
      )}
    </div>
  );
}

export function CarSilhouette({ body, className }: { body: CarBody; className?: string }) {
  const drawing = bodies[body];
  return (
    <svg viewBox="0 0 320 240" aria-hidden className={cn('absolute inset-0 size-full', className)}>
      <path d="M16 171 H304" stroke="currentColor" strokeWidth="1.5" />
      <g stroke="currentColor" strokeWidth="2" strokeLinejoin="round" strokeLinecap="round">
        <path d={contour(drawing)} className="fill-card" />
        <path d={contour(drawing)} fill="currentColor" fillOpacity="0.14" stroke="none" />
        <path d={drawing.glass} className="fill-card" strokeWidth="1.5" />
        <path d={drawing.lines} fill="none" strokeWidth="1.5" />
        {drawing.wheels.map((x) => (
          <g key={x}>
            <circle cx={x} cy={170 - drawing.radius} r={drawing.radius} className="fill-card" />
            <circle
              cx={x}
              cy={170 - drawing.radius}
              r={drawing.radius * 0.55}
              fill="currentColor"
              fillOpacity="0.14"
              strokeWidth="1.5"
            />
          </g>
        ))}
      </g>
    </svg>
  );
}
