/** Stands in for a missing photo: the car painted on a dim quay, told apart by body and paint. No network involved. */
import { app } from '@/copy/app';
import { cn } from '@/lib/class-names';
import { bodies, contour } from './bodies';
import { bodyOf, carBodies, paintOf, type CarBody } from './body-of';
import { portrait, usualPaints } from './portrait';

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
      <svg viewBox="0 0 320 240" aria-hidden className="absolute inset-0 size-full">
        <g strokeLinejoin="round" strokeLinecap="round">
          {portrait(shape, paint).map(({ d, fill, stroke, width }, index) => (
            <path key={index} d={d} fill={fill} stroke={stroke} strokeWidth={width} />
          ))}
        </g>
      </svg>
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

/** The bare outline, in the colour of the text around it, for pages that are not about one car. */
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
