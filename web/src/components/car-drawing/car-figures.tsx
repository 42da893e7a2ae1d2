import { cn } from '@/lib/class-names';
import { bodies, contour } from './bodies';
import type { CarBody } from './body-of';
import { portrait, type Paint } from './portrait';

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

/** The painted car on its quay; a flatter frame cuts the sky and the ground, never the car. */
export function CarPortrait({ body, paint }: { body: CarBody; paint: Paint }) {
  return (
    <svg
      viewBox="0 0 320 240"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden
      className="absolute inset-0 size-full"
    >
      <g strokeLinejoin="round" strokeLinecap="round">
        {portrait(body, paint).map(({ d, fill, stroke, width }, index) => (
          <path key={index} d={d} fill={fill} stroke={stroke} strokeWidth={width} />
        ))}
      </g>
    </svg>
  );
}
