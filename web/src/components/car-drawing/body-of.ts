/** Which of the eight drawings stands for a car whose photo is missing; decided by words in make and model. */
export type CarBody = 'kei' | 'hatch' | 'sedan' | 'wagon' | 'coupe' | 'suv' | 'van' | 'truck';

const KEYWORDS: readonly (readonly [CarBody, readonly string[]])[] = [
  ['truck', ['truck', 'hilux', 'canter', 'elf', 'dyna', 'forward', 'carry', 'hijet', 'pickup', 'triton']],
  [
    'van',
    [
      'van',
      'hiace',
      'caravan',
      'alphard',
      'vellfire',
      'noah',
      'voxy',
      'serena',
      'stepwgn',
      'odyssey',
      'sienta',
      'elgrand',
    ],
  ],
  [
    'suv',
    [
      'suv',
      'land cruiser',
      'prado',
      'rav4',
      'x-trail',
      'cr-v',
      'vezel',
      'hr-v',
      'forester',
      'harrier',
      'pajero',
      'cx-',
      'jimny',
      'outlander',
      'juke',
      'lx',
      'rx',
      'nx',
      'qx',
      'mdx',
      'mu-x',
    ],
  ],
  [
    'kei',
    ['kei', 'wagon r', 'n-box', 'n box', 'tanto', 'alto', 'move', 'spacia', 'dayz', 'mira', 'hustler', 'ek '],
  ],
  ['wagon', ['wagon', 'fielder', 'touring', 'levorg', 'outback', 'legacy', 'shuttle', 'ad ']],
  [
    'coupe',
    ['coupe', 'gt-r', 'supra', '86', 'brz', 'fairlady', '370z', 'rx-', 'roadster', 'silvia', 'nsx', 'celica'],
  ],
  [
    'hatch',
    [
      'hatch',
      'aqua',
      'vitz',
      'yaris',
      'fit',
      'note',
      'demio',
      'march',
      'swift',
      'passo',
      'leaf',
      'prius',
      'auris',
      'mazda2',
      'mazda3',
    ],
  ],
];

export function bodyOf(make: string, model: string): CarBody {
  const name = `${make} ${model} `.toLowerCase();
  return KEYWORDS.find(([, words]) => words.some((word) => name.includes(word)))?.[0] ?? 'sedan';
}

const TINTS = 4;

/** The same car always gets the same one of four tints (0 to 3). */
export function tintOf(make: string, model: string): number {
  const sum = Array.from(`${make}${model}`).reduce(
    (hash, letter) => (hash * 31 + (letter.codePointAt(0) ?? 0)) % 9973,
    7,
  );
  return sum % TINTS;
}
