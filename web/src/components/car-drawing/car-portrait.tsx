/** The painted car on its quay; a flatter frame cuts the sky and the ground, never the car. */
import type { CarBody } from './body-of';
import { portrait, type Paint } from './portrait';

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
