/** Writes `third-party-licenses.txt` beside the app: the licences of the packages that are really built into it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const NAME = 'third-party-licenses.txt';
const FOLDER = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//;

export function licenceTexts(): Plugin {
  return {
    name: 'licence-texts',
    apply: 'build',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((file) =>
        file.type === 'chunk' ? file.moduleIds : file.originalFileNames,
      );
      const folders = new Set(modules.flatMap((id) => FOLDER.exec(id.replace(/^\0/, ''))?.[1] ?? []));
      const source = [...folders].sort().map(textOf).join('\n');
      this.emitFile({ type: 'asset', fileName: NAME, source });
    },
  };
}

function textOf(folder: string): string {
  const path = join(folder, 'package.json');
  if (!existsSync(path)) return '';
  const known = JSON.parse(readFileSync(path, 'utf8')) as { name: string; version: string; license?: string };
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)/i.test(name));
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : '';
  return `${known.name} ${known.version} (${known.license ?? 'see its text'})\n\n${text}\n\n${'-'.repeat(80)}\n`;
}
