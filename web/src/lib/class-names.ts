/** Joins class names; a later one wins over an earlier one of the same kind. */
import { clsx, type ClassValue } from 'clsx';
import { createTailwindMerge } from 'tailwind-merge';

/**
 * The kinds of classes this app uses, for `cn`: of two of a kind the later one stays. The library's own list knows all
 * of Tailwind and would be 6 kB more on every page; class-names.test.ts compares both for every class of the source, so
 * a class of a kind that is missing here fails there.
 */
type Config = ReturnType<Parameters<typeof createTailwindMerge>[0]>;
type Groups = Config['classGroups'];

/** Kinds with one beginning, whatever follows: `gap-2`, `gap-px`. */
const ONE_BEGINNING =
  'p px py pt pr pb pl m mx my mt mr mb ml gap gap-x gap-y space-y divide-x divide-y size w h min-w min-h max-w max-h ' +
  'basis grow shrink inset inset-x inset-y top right bottom left z order col col-start row row-start grid-cols ' +
  'grid-rows grid-flow auto-cols justify justify-items items self place-items place-content overflow overflow-x ' +
  'overflow-y overscroll opacity leading tracking line-clamp underline-offset decoration whitespace break wrap align ' +
  'list object aspect fill stroke bg rounded shadow animate transition rotate translate-x translate-y cursor ' +
  'pointer-events select resize appearance scroll-mt scroll-pt field-sizing outline-offset @container';

/** The sides a border may have, all of them first. */
const BORDERS = ['border', 'border-x', 'border-y', 'border-t', 'border-r', 'border-b', 'border-l'];

const SIDES = { x: ['l', 'r'], y: ['t', 'b'], all: ['x', 'y', 't', 'r', 'b', 'l'] };

const any = () => true;
const isLength = (value: string) => /^[\d[]/.test(value);
const isTextSize = (value: string) =>
  /^(?:display|h\d|small|label|base|\d?(?:xs|sm|lg|xl)|\[.*)$/.test(value);

const words: Groups = {
  display: ['block', 'inline-block', 'inline', 'flex', 'inline-flex', 'grid', 'table', 'hidden', 'contents'],
  position: ['static', 'fixed', 'absolute', 'relative', 'sticky'],
  visibility: ['visible', 'invisible'],
  isolation: ['isolate'],
  sr: ['sr-only', 'not-sr-only'],
  underline: ['underline', 'no-underline', 'line-through'],
  case: ['uppercase', 'lowercase', 'capitalize', 'normal-case'],
  truncate: ['truncate'],
};

/** What follows decides which kind it is; the last one takes the rest. */
const severalKinds: Groups = {
  direction: [{ flex: ['row', 'row-reverse', 'col', 'col-reverse'] }],
  'flex-wrap': [{ flex: ['wrap', 'nowrap', 'wrap-reverse'] }],
  flex: [{ flex: [any] }],
  'font-family': [{ font: ['sans', 'heading'] }],
  'font-weight': [{ font: [any] }],
  'text-align': [{ text: ['left', 'center', 'right'] }],
  'text-wrap': [{ text: ['wrap', 'nowrap', 'balance', 'pretty'] }],
  'text-size': [{ text: [isTextSize] }],
  'text-color': [{ text: [any] }],
  'outline-style': [{ outline: ['none', 'solid', 'dashed'] }],
  'outline-width': [{ outline: ['', isLength] }],
  'outline-color': [{ outline: [any] }],
  'ring-offset-width': [{ 'ring-offset': [isLength] }],
  'ring-offset-color': [{ 'ring-offset': [any] }],
  'ring-width': [{ ring: ['', isLength] }],
  'ring-color': [{ ring: [any] }],
  'border-collapse': [{ border: ['collapse', 'separate'] }],
  'border-style': [{ border: ['solid', 'dashed', 'dotted', 'none'] }],
};

/** A kind overrides those it contains, and not the other way round. */
const contained: Config['conflictingClassGroups'] = {
  ...sidesOf('p', ''),
  ...sidesOf('m', ''),
  ...sidesOf('border', '-'),
  ...sidesOf('border', '-', '-color'),
  inset: ['inset-x', 'inset-y', 'top', 'right', 'bottom', 'left'],
  'inset-x': ['right', 'left'],
  'inset-y': ['top', 'bottom'],
  gap: ['gap-x', 'gap-y'],
  flex: ['basis', 'grow', 'shrink'],
  size: ['w', 'h'],
  overflow: ['overflow-x', 'overflow-y'],
  'line-clamp': ['display', 'overflow'],
  'text-size': ['leading'],
};

const classGroups = (): Config => ({
  cacheSize: 500,
  theme: {},
  classGroups: { ...words, ...severalKinds, ...borders(), ...oneBeginning() },
  conflictingClassGroups: contained,
  conflictingClassGroupModifiers: {},
  orderSensitiveModifiers: [
    '*',
    '**',
    'after',
    'backdrop',
    'before',
    'file',
    'marker',
    'placeholder',
    'selection',
  ],
});

function oneBeginning(): Groups {
  return Object.fromEntries(ONE_BEGINNING.split(' ').map((name) => [name, [{ [name]: ['', any] }]]));
}

function borders(): Groups {
  return Object.fromEntries(
    BORDERS.flatMap((name) => [
      [name, [{ [name]: ['', isLength] }]],
      [`${name}-color`, [{ [name]: [any] }]],
    ]),
  );
}

/** `px` contains `pl` and `pr`, and `p` all of them. */
function sidesOf(name: string, joint: string, kind = ''): Record<string, string[]> {
  const named = (sides: string[]) => sides.map((side) => name + joint + side + kind);
  return {
    [name + kind]: named(SIDES.all),
    [`${name}${joint}x${kind}`]: named(SIDES.x),
    [`${name}${joint}y${kind}`]: named(SIDES.y),
  };
}

const merge = createTailwindMerge(classGroups);

export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes));
}
