import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { extendTailwindMerge } from 'tailwind-merge';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { cn } from './class-names';

/** With the library's own list and the sizes of this app's texts. */
const whole = extendTailwindMerge({
  extend: { classGroups: { 'font-size': [{ text: ['display', 'h1', 'h2', 'h3', 'small', 'label'] }] } },
});

const SOURCE = join(import.meta.dirname, '..');

/** Every word of the screens' literals that the library knows as a class. */
function classesOfTheSource(): string[] {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' });
  const screens = files.filter((name) => name.endsWith('.tsx') && !name.includes('.test.'));
  const words = new Set(screens.flatMap((name) => wordsOf(join(SOURCE, name))));
  return [...words].filter((word) => whole(`${word} ${word}`) === word);
}

function wordsOf(file: string): string[] {
  const words: string[] = [];
  const look = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      words.push(...node.text.split(/\s+/).filter(Boolean));
    ts.forEachChild(node, look);
  };
  look(
    ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, false, ts.ScriptKind.TSX),
  );
  return words;
}

/** Without `hover:` and the like, which both treat alike: `aria-selected:p-2` is a `p-2`. */
function plain(name: string): string {
  const outside = name.replace(/\[[^\]]*\]|\([^)]*\)/g, (inside) => '_'.repeat(inside.length));
  return name.slice(outside.lastIndexOf(':') + 1);
}

type Merge = (classes: string) => string;
const overrides = (merge: Merge, second: string, first: string) => merge(`${first} ${second}`) === second;
const areAlike = (merge: Merge, one: string, other: string) =>
  overrides(merge, one, other) && overrides(merge, other, one);

/** One class of each kind, with all that are of its kind. */
function kindsOf(classes: string[]): Map<string, string[]> {
  const kinds = new Map<string, string[]>();
  for (const name of classes) {
    const kind = [...kinds.keys()].find((known) => areAlike(whole, known, name));
    kinds.set(kind ?? name, [...(kinds.get(kind ?? name) ?? []), name]);
  }
  return kinds;
}

describe('joined class names', () => {
  const classes = classesOfTheSource();
  const kinds = kindsOf([...new Set(classes.map(plain))]);
  const pairs = [...kinds.keys()].flatMap((first) =>
    [...kinds.keys()].map((second) => [first, second] as const),
  );

  it('are those of the source', () => {
    const some = [
      'min-h-11',
      'text-h1',
      'aria-selected:border-primary',
      '-mb-px',
      'w-(--radix-popover-trigger-width)',
    ];
    expect(classes).toEqual(expect.arrayContaining(some));
    expect(classes.length).toBeGreaterThan(500);
  });

  it('lose what comes twice, whatever it depends on', () => {
    expect(classes.filter((name) => cn(name, name) !== name)).toEqual([]);
  });

  it.each([...kinds])('keep the later one of the kind of %s', (kind, alike) => {
    expect(alike.filter((name) => !areAlike(cn, kind, name))).toEqual([]);
  });

  it('keep of every two kinds what the whole library keeps', () => {
    const others = pairs.filter(([first, second]) => cn(first, second) !== whole(`${first} ${second}`));
    expect(others).toEqual([]);
  });
});
