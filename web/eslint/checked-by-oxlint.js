/**
 * What `.oxlintrc.json` has, ESLint need not check again: rules that know types and those of React's compiler cost it
 * most of its time. What a new version of their presets adds stays with ESLint until it is written there.
 */
import { readFileSync } from 'node:fs';

const PLUGINS = { typescript: '@typescript-eslint', react: 'react-hooks' };

/** oxlint has no use for them: they check how React's compiler is set up, and nothing is compiled by it. */
const COMPILER_SETTINGS = ['react-hooks/config', 'react-hooks/gating'];

export function checkedByOxlint() {
  const { overrides } = JSON.parse(readFileSync(new URL('../.oxlintrc.json', import.meta.url), 'utf8'));
  const rules = overrides.flatMap((override) => Object.keys(override.rules)).map(nameInEslint);
  return [{ rules: Object.fromEntries([...rules, ...COMPILER_SETTINGS].map((rule) => [rule, 'off'])) }];
}

function nameInEslint(rule) {
  const [plugin, name] = rule.split('/');
  return `${PLUGINS[plugin]}/${name}`;
}
