import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');
const themes = { light: readTheme(':root'), dark: readTheme('.dark') };

function readTheme(selector: string): Map<string, string> {
  const block = css.slice(css.indexOf(`${selector} {`)).split('}')[0] ?? '';
  return new Map(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map(([, name, hex]) => [name ?? '', hex ?? '']),
  );
}

/** Relative luminance of WCAG 2.2. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const channel = parseInt(hex.slice(start, start + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(theme: Map<string, string>, one: string, other: string): number {
  const [light = 0, dark = 0] = [one, other]
    .map((token) => luminance(theme.get(token) ?? '#000000'))
    .sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const TEXT: [text: string, ground: string][] = [
  ['foreground', 'background'],
  ['foreground', 'card'],
  ['foreground', 'muted'],
  ['muted-foreground', 'background'],
  ['muted-foreground', 'card'],
  ['muted-foreground', 'muted'],
  ['primary', 'background'],
  ['primary', 'card'],
  ['primary-foreground', 'primary'],
  ['secondary-foreground', 'secondary'],
  ['muted-foreground', 'secondary'],
  ['accent-foreground', 'accent'],
  ['verified', 'verified-tint'],
  ['verified', 'card'],
  ['destructive', 'card'],
  ['destructive', 'background'],
  ['destructive-foreground', 'destructive'],
  ['success', 'success-tint'],
  ['warning', 'warning-tint'],
];

const GRAPHICS: [mark: string, ground: string][] = [
  ['input', 'card'],
  ['input', 'background'],
  ['primary', 'card'],
  ['primary', 'background'],
  ['urgency-high', 'card'],
  ['urgency-medium', 'card'],
  ['urgency-low', 'card'],
  ['urgency-standard', 'card'],
];

describe.each(Object.entries(themes))('the %s theme', (_name, theme) => {
  it.each(TEXT)('reads %s on %s at 4.5:1 or better', (text, ground) => {
    expect(contrast(theme, text, ground)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(GRAPHICS)('shows %s on %s at 3:1 or better', (mark, ground) => {
    expect(contrast(theme, mark, ground)).toBeGreaterThanOrEqual(3);
  });

  it.each([1, 2, 3, 4, 5])('shows chart colour %i on a card at 3.5:1 or better', (index) => {
    expect(contrast(theme, `chart-${index}`, 'card')).toBeGreaterThanOrEqual(3.5);
  });
});

it('defines the same tokens in both themes', () => {
  expect([...themes.dark.keys()].sort()).toEqual([...themes.light.keys()].sort());
});
