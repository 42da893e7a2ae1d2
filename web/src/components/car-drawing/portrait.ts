/**
 * A car as every picture of this product shows it that is no photo: painted, from the side, on a dim quay. The colours
 * are fixed and neither white nor black, so that a list of them glares in no theme. The sample cars' files are made of it.
 */
import { bodies, contour } from './bodies';
import type { CarBody } from './body-of';

interface Shape {
  d: string;
  fill: string;
  stroke?: string;
  width?: number;
}

/** What a car is painted in. The dull blue is for cars that are blue: the bright one belongs to verification. */
export const paints = {
  pearl: '#c9cfc8',
  garnet: '#a5473f',
  sand: '#c2984f',
  moss: '#5b8f74',
  plum: '#8b6079',
  graphite: '#79837f',
  navy: '#5a6984',
  black: '#323b38',
} as const;
export type Paint = keyof typeof paints;

/** What a car is painted in whose colour does not matter. */
export const usualPaints = ['pearl', 'garnet', 'sand', 'moss', 'plum'] as const satisfies readonly Paint[];

const LINE = '#18211e';
const GLASS = '#2a3833';
const QUAY = 171;

export function portrait(body: CarBody, paint: Paint): Shape[] {
  const { glass, lines, wheels, radius } = bodies[body];
  const line = { stroke: LINE, width: 2 };
  return [
    { d: 'M0 0H320V240H0Z', fill: '#465650' },
    { d: `M0 ${QUAY}H320V240H0Z`, fill: '#37443f' },
    { d: `M0 ${QUAY}H320`, fill: 'none', stroke: '#5d6e67', width: 1.5 },
    { d: ellipse(160, QUAY + 3, 138, 7), fill: '#2b3632' },
    { d: contour(bodies[body]), fill: paints[paint], ...line },
    { d: glass, fill: GLASS, stroke: LINE, width: 1.5 },
    { d: lines, fill: 'none', stroke: LINE, width: 1.5 },
    ...wheels.flatMap((x) => [
      { d: ellipse(x, 170 - radius, radius, radius), fill: '#1d2723', ...line },
      { d: ellipse(x, 170 - radius, radius * 0.55, radius * 0.55), fill: '#9aa6a0' },
      { d: ellipse(x, 170 - radius, radius * 0.16, radius * 0.16), fill: '#1d2723' },
    ]),
  ];
}

function ellipse(x: number, y: number, width: number, height: number): string {
  const [rx, ry] = [round(width), round(height)];
  return `M${round(x - rx)} ${y}a${rx} ${ry} 0 1 0 ${round(2 * rx)} 0a${rx} ${ry} 0 1 0 ${round(-2 * rx)} 0Z`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The picture as a file of its own. */
export function portraitFile(title: string, body: CarBody, paint: Paint): string {
  const shapes = portrait(body, paint).map(
    ({ d, fill, stroke, width }) =>
      `<path d="${d}" fill="${fill}"${stroke ? ` stroke="${stroke}" stroke-width="${width}"` : ''}/>`,
  );
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600" viewBox="0 0 320 240" role="img" aria-labelledby="title">',
    `<title id="title">${title}, a drawing</title>`,
    '<g stroke-linejoin="round" stroke-linecap="round">',
    ...shapes,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}
