/**
 * Writes `routes.json` beside the page: every address the router knows, and the files its screen will ask for. The
 * server tells the browser of them with the page itself, so that they come at once and not one after the other, and
 * answers 404 for every other address. It also learns which of them take a POST.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin, Rolldown } from 'vite';
import { paths } from '../src/config/paths.ts';
import { postedCalls, type PostedCall } from './posted-calls.ts';

const SOURCE = fileURLToPath(new URL('../src/', import.meta.url));
const ROUTER = `${SOURCE}app/router.tsx`;
/** `page(paths.home, () => import('./routes/landing'))`; a `screen` stands in the frame of its area. */
const SCREEN =
  /(page|screen)\(\s*(paths\.[^(),]+(?:\('[^']*'\))?|'\*'),\s*\(\) =>\s*import\('\.\/([^']+)'\)/g;
const AREA = /path: (paths\.\w+\.root),\s*lazy: lazyScreen\(\(\) => import\('\.\/([^']+)'\)/g;
const IMPORTED = /import\('\.\/routes\//g;

interface Route {
  path: string;
  preload: string[];
  post?: PostedCall;
}

export function routeFiles(): Plugin {
  return {
    name: 'route-files',
    apply: 'build',
    generateBundle(_options, bundle) {
      const routes = routesOf(readFileSync(ROUTER, 'utf8'), bundle);
      this.emitFile({ type: 'asset', fileName: 'routes.json', source: JSON.stringify(routes) });
    },
  };
}

function routesOf(router: string, bundle: Rolldown.OutputBundle): Route[] {
  const areas = [...router.matchAll(AREA)].map(([, path = '', file = '']) => ({
    path: addressOf(path),
    file,
  }));
  const screens = [...router.matchAll(SCREEN)];
  if (areas.length + screens.length !== [...router.matchAll(IMPORTED)].length)
    throw new Error('router.tsx has a screen that vite/route-files.ts cannot read.');
  const known = filesBehind(bundle, 'main');
  const routeOf = (path: string, ...modules: string[]): Route => {
    const files = new Set(modules.flatMap((module) => [...filesBehind(bundle, `app/${module}`)]));
    return { path, preload: [...files].filter((file) => !known.has(file)).map((file) => `/${file}`) };
  };
  const frames = areas.map(({ path, file }) => routeOf(path, file));
  const pages = screens.map(([, kind, expression = '', file = '']) => {
    const path = addressOf(expression);
    const frame = kind === 'screen' && areas.find((area) => path.startsWith(`${area.path}/`));
    return frame ? routeOf(path, frame.file, file) : routeOf(path, file);
  });
  return [...pages, ...frames].filter(({ path }) => path !== '*').map(withCall);
}

function withCall(route: Route): Route {
  const post = postedCalls[route.path];
  return post ? { ...route, post } : route;
}

/** `paths.agent.chat(':requestId')` is the address '/agent/chat/:requestId'. */
function addressOf(expression: string): string {
  const [, names, argument = ''] = /^paths\.([\w.]+)(?:\('([^']*)'\))?$/.exec(expression) ?? [];
  if (names === undefined) return '*';
  const found = names
    .split('.')
    .reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], paths);
  return typeof found === 'function' ? (found as (text: string) => string)(argument) : String(found);
}

function filesBehind(bundle: Rolldown.OutputBundle, module: string): Set<string> {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const chunk = chunks.find(({ facadeModuleId: id }) => id === `${SOURCE}${module}.tsx`);
  const entry = module === 'main' ? chunks.find(({ isEntry }) => isEntry) : chunk;
  if (!entry) throw new Error(`${module} has no file of its own.`);
  return withImports(entry, bundle);
}

function withImports(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle, found = new Set<string>()) {
  found.add(chunk.fileName);
  for (const name of chunk.imports) {
    const file = bundle[name];
    if (file?.type === 'chunk' && !found.has(name)) withImports(file, bundle, found);
  }
  return found;
}
