/** Which of the eight drawings stands for a car whose photo is missing; decided by words in make and model. */
export const carBodies = ['kei', 'hatch', 'sedan', 'wagon', 'coupe', 'suv', 'van', 'truck'] as const;
export type CarBody = (typeof carBodies)[number];

/** In this order: a 'Carry Truck' is a truck, a 'Wagon R' no wagon. A word counts where it stands alone. */
const KEYWORDS: readonly (readonly [CarBody, string])[] = [
  [
    'kei',
    'kei, wagon r, n-box, n box, n-wgn, n-one, tanto, alto, move, spacia, dayz, roox, mira, hustler, ek, wake, cast, taft, lapin',
  ],
  [
    'truck',
    'truck, hilux, canter, elf, dyna, toyoace, forward, ranger, dutro, titan, atlas, carry, hijet, acty, sambar, pickup, triton, navara, datsun',
  ],
  [
    'van',
    'van, hiace, regiusace, caravan, nv350, nv200, vanette, bongo, townace, liteace, every, delica, alphard, vellfire, noah, voxy, esquire, serena, stepwgn, step wgn, odyssey, sienta, freed, elgrand, estima, wish, stream, minivan, bus, coaster, rosa, civilian',
  ],
  [
    'coupe',
    'coupe, gt-r, gtr, supra, 86, gr86, gt86, ae86, brz, fairlady, 350z, 370z, rx-7, rx-8, rx7, rx8, mx-5, mx5, roadster, silvia, nsx, celica, s2000, s660, copen, mr2, mr-s, integra, prelude, rc, lc',
  ],
  [
    'suv',
    'suv, land cruiser, landcruiser, prado, rav4, x-trail, xtrail, cr-v, crv, vezel, hr-v, hrv, forester, xv, crosstrek, harrier, pajero, montero, cx-3, cx-30, cx-5, cx-7, cx-8, cx-60, cx3, cx5, cx8, jimny, escudo, vitara, outlander, rvr, asx, eclipse cross, juke, kicks, murano, patrol, fj cruiser, fortuner, surf, hilux surf, rush, raize, rocky, rize, c-hr, chr, yaris cross, corolla cross, lx, lx570, lx600, gx, gx460, gx470, rx, rx300, rx350, rx450h, nx, nx200t, nx300, nx300h, nx350, ux, ux200, ux250h, qx, qx50, qx60, qx70, qx80, mdx, rdx, mu-x, zr-v, bighorn',
  ],
  [
    'wagon',
    'wagon, fielder, touring, levorg, outback, legacy, shuttle, ad, stagea, avensis, caldina, probox, succeed',
  ],
  [
    'hatch',
    'hatch, hatchback, aqua, vitz, yaris, fit, jazz, note, demio, axela, march, micra, swift, passo, boon, leaf, prius, auris, corolla sport, ractis, ist, porte, spade, roomy, tank, mazda2, mazda3, colt, mirage, impreza sport, civic type r, polo, golf',
  ],
  [
    'sedan',
    'sedan, crown, camry, corolla, axio, premio, allion, mark x, century, accord, civic, grace, insight, skyline, teana, sylphy, cima, fuga, atenza, mazda6, wrx, impreza, b4, lancer, galant, ls, ls460, ls500h, ls600h, es, es300h, gs, gs300h, gs350, is, is250, is300h, is350, q50, tlx',
  ],
];

const words = KEYWORDS.map(([body, list]) => [body, list.split(', ').map(plain)] as const);

export function bodyOf(make: string, model: string): CarBody {
  return knownBodyOf(make, model) ?? 'sedan';
}

/** Null where no word tells. */
export function knownBodyOf(make: string, model: string): CarBody | null {
  const name = ` ${plain(`${make} ${model}`)} `;
  const inName = (word: string) => name.includes(` ${word} `);
  if (inName('hilux surf')) return 'suv';
  return words.find(([, list]) => list.some(inName))?.[0] ?? null;
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join(' ');
}

const PAINTS = 5;

/** The same car always gets the same one of five paints (0 to 4). */
export function paintOf(make: string, model: string): number {
  const sum = Array.from(`${make}${model}`).reduce(
    (hash, letter) => (hash * 31 + (letter.codePointAt(0) ?? 0)) % 9973,
    7,
  );
  return sum % PAINTS;
}
