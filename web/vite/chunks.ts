/**
 * Which files the build makes: what a screen needs comes in a few of them, and what only other screens need stays out.
 * Libraries go by what they are for. Of our own, `base` is on every page, `area` around every screen of a signed-in
 * person; `offers` is behind the feeds, `forms` behind the doors, and the rest goes by feature. What comes first takes
 * what it needs along, so that no two files need each other.
 */
import { fileURLToPath } from 'node:url';
import type { Rolldown } from 'vite';

type Options = Exclude<NonNullable<Rolldown.OutputOptions['codeSplitting']>, boolean>;
type Group = NonNullable<Options['groups']>[number];
type Context = Rolldown.ChunkingContext;

const SOURCE = fileURLToPath(new URL('../src/', import.meta.url));
const ROUTES = 'app/routes/';

/** Whose modules, down to the last, belong together; one that is in several is in the first. */
const TOGETHER = {
  start: ['main.tsx'],
  landing: [`${ROUTES}landing.tsx`],
  area: [`${ROUTES}agent/layout.tsx`, `${ROUTES}importer/layout.tsx`, 'app/guards/signed-in-guard.tsx'],
  offers: [`${ROUTES}agent/feed.tsx`, `${ROUTES}importer/feed.tsx`],
  doors: ['auth', 'sign-in', 'agent/sign-up', 'importer/sign-up'].map((name) => `${ROUTES}${name}.tsx`),
} as const;
type Together = keyof typeof TOGETHER;

const ENTRIES = /\/src\/(?:main\.tsx|app\/(?:routes|guards)\/)/;
/** What the overlays and the plain controls of the library have in common. */
const PARTS = [
  '@radix-ui/primitive',
  '@radix-ui/react-(?:primitive|context|id|direction|presence|collection|roving-focus)',
  '@radix-ui/react-use-(?:controllable-state|layout-effect|callback-ref|effect-event|size|previous|is-hydrated)',
];
const OVERLAYS = [
  '@floating-ui',
  'react-remove-scroll[a-z-]*',
  'use-sidecar',
  'use-callback-ref',
  'aria-hidden',
  '@radix-ui/react-(?:menu|popover|popper|dialog|dropdown-menu|focus-scope|focus-guards|dismissable-layer|alert-dialog|arrow|portal)',
];

/** The client comes with its library: forms are there before it. */
const SERVICE =
  /\/node_modules\/(?:@supabase|iceberg-js|tslib)\/|\/src\/lib\/(?:supabase|auth\/passing-client)\.ts/;

/** Only one of the feeds has them. */
const TABS = /\/src\/components\/ui\/tabs\.tsx/;

export const codeSplitting: Options = {
  groups: [
    library(
      'react',
      10,
      'react',
      'react-dom',
      'scheduler',
      'react-router(?:-dom)?',
      'cookie',
      '@tanstack/(?:react-query|query-core)',
    ),
    // Lists that have grown long.
    library('virtual', 10, '@tanstack/(?:react-virtual|virtual-core)'),
    { name: 'supabase', priority: 9, test: SERVICE, includeDependenciesRecursively: false },
    library('schemas', 9, 'react-hook-form', '@hookform', 'zod'),
    library(
      'base',
      9,
      'clsx',
      'class-variance-authority',
      'tailwind-merge',
      '@radix-ui/react-(?:slot|compose-refs)',
    ),
    library('parts', 9, ...PARTS),
    library('overlays', 8, ...OVERLAYS),
    library('toasts', 8, 'sonner'),
    { name: 'tabs', priority: 8, test: TABS, includeDependenciesRecursively: false },
    library('choices', 8, '@radix-ui/react-(?:checkbox|radio-group|switch|progress|use-previous|use-size)'),
    library('controls', 7, '@radix-ui'),
    ours('base', 7, ['start'], 1),
    ours('base', 7, ['landing'], 2),
    ours('session', 6, ['area', 'doors'], 2),
    ours('area', 6, ['area'], 1),
    ours('controls', 5, ['offers', 'doors'], 2),
    ours('offers', 4, ['offers'], 2),
    ours('forms', 4, ['doors'], 2),
    { name: roomOf, priority: 3, minShareCount: 2, test: isPart, includeDependenciesRecursively: false },
  ],
};

function library(name: string, priority: number, ...packages: string[]): Group {
  return { name, priority, test: new RegExp(`/node_modules/(?:${packages.join('|')})/`) };
}

function ours(name: string, priority: number, sets: Together[], minShareCount: number): Group {
  const nameOf = (id: string, context: Context) =>
    sets.every((set) => belongs(id, set, context)) ? name : null;
  return { name: nameOf, priority, minShareCount, test: isPart };
}

const ROOMS: [RegExp, string][] = [
  [/\/src\/features\/administration\/analytics\/components\/bar-figure/, 'charts'],
  [/\/src\/(?:features\/(?:administration\/|accounts\/.*admin)|copy\/(?:admin|back-office))/, 'office'],
  [/\/src\/(?:features|widgets|app)\/([a-z-]+)\//, '$1'],
  [/\/src\/components\/form\//, 'fields'],
  [/\/src\/|\/node_modules\/lucide-react\//, 'common'],
];

/** What two screens share and nothing above has taken. */
function roomOf(id: string): string | null {
  const room = ROOMS.find(([pattern]) => pattern.test(id));
  return room ? room[1].replace('$1', room[0].exec(id)?.[1] ?? '') : null;
}

/** A screen is a file of its own. */
function isPart(id: string): boolean {
  return !ENTRIES.test(id);
}

const ICON = /\/node_modules\/lucide-react\/dist\/esm\/icons\/([a-z0-9-]+)\./;
const ICONS = /import {([^}]+)} from ["']lucide-react["']/g;
const found: Partial<Record<Together, Set<string>>> = {};

/** Looked up once for each set: the graph is whole by the time anybody asks. */
function belongs(id: string, set: Together, context: Context): boolean {
  const members = (found[set] ??= membersOf(TOGETHER[set], context));
  return members.has(ICON.exec(id)?.[1]?.replaceAll('-', '') ?? id);
}

/** Our own modules behind these, and the names of their icons: the library's list of them tells nothing. */
function membersOf(entries: readonly string[], context: Context): Set<string> {
  const members = new Set<string>();
  const queue = entries.map((entry) => `${SOURCE}${entry}`);
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (members.has(id) || !id.startsWith(SOURCE)) continue;
    members.add(id);
    const module = context.getModuleInfo(id);
    queue.push(...(module?.importedIds ?? []));
    for (const name of iconsOf(module?.code ?? '')) members.add(name);
  }
  return members;
}

/** As their files are called, without the hyphens. */
function iconsOf(code: string): string[] {
  const lists = [...code.matchAll(ICONS)].map(([, names = '']) => names.split(','));
  return lists.flat().map((name) => (name.trim().split(' ')[0] ?? '').toLowerCase());
}
