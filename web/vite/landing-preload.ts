/**
 * Most people meet the site at its landing page: there, its chunks are fetched beside the app and not after it. A
 * script of its own, because the page is the same file for every address and inline scripts are not allowed.
 */
import type { Plugin, Rolldown } from 'vite';

const LANDING = '/routes/landing.tsx';
const FILE = 'assets/landing-preload.js';

export function landingPreload(): Plugin {
  return {
    name: 'landing-preload',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const landing = chunks.find((chunk) => chunk.facadeModuleId?.endsWith(LANDING));
      const entry = chunks.find((chunk) => chunk.isEntry);
      if (!landing || !entry) throw new Error('The landing page has no chunk of its own.');
      const known = withImports(entry, bundle);
      const missing = [...withImports(landing, bundle)].filter((file) => !known.has(file));
      this.emitFile({ type: 'asset', fileName: FILE, source: script(missing) });
    },
    transformIndexHtml: {
      order: 'post',
      handler: () => [{ tag: 'script', attrs: { src: `/${FILE}` }, injectTo: 'head' }],
    },
  };
}

function withImports(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle, found = new Set<string>()) {
  found.add(chunk.fileName);
  for (const name of chunk.imports) {
    const file = bundle[name];
    if (file?.type === 'chunk' && !found.has(name)) withImports(file, bundle, found);
  }
  return found;
}

function script(files: string[]): string {
  return `if (location.pathname === '/')
  for (const file of ${JSON.stringify(files)}) {
    const link = document.createElement('link');
    Object.assign(link, { rel: 'modulepreload', href: '/' + file });
    document.head.append(link);
  }
`;
}
