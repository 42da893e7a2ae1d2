import js from '@eslint/js';
import tanstackQuery from '@tanstack/eslint-plugin-query';
import prettier from 'eslint-config-prettier';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import checkFile from 'eslint-plugin-check-file';
import importX from 'eslint-plugin-import-x';
import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig, globalIgnores } from 'eslint/config';
import globals from 'globals';
import tseslint from 'typescript-eslint';
import { checkedByOxlint } from './eslint/checked-by-oxlint.js';
import { importZones } from './eslint/import-zones.js';
import { ownWords } from './eslint/own-words.js';

const unguardedMutation = {
  name: '@tanstack/react-query',
  importNames: ['useMutation', 'MutationObserver'],
  message: "Import useMutation from '@/lib/use-mutation': it acts once however often a button is pressed.",
};

const strayNavigation = {
  name: 'react-router-dom',
  importNames: ['useNavigate'],
  message: "Import useNavigate from '@/lib/navigation/use-navigate': a late answer moves nobody who went on.",
};

const strayLazy = {
  name: 'react',
  importNames: ['lazy'],
  message:
    "Use lazyPart of '@/app/late-screen' or '@/hooks/use-late': what fails without a line must come with it.",
};

export default defineConfig(
  globalIgnores(['dist', 'node_modules', 'test-results', 'playwright-report', 'src/lib/database.types.ts']),
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // An empty text counts as missing, so `||` is meant.
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
    },
  },
  {
    files: ['**/*.{ts,tsx,js,mjs}'],
    plugins: { 'import-x': importX, 'check-file': checkFile },
    settings: {
      'import-x/resolver-next': [createTypeScriptImportResolver({ project: 'tsconfig.app.json' })],
    },
    languageOptions: { globals: { ...globals.node } },
    rules: {
      'max-lines': ['error', { max: 250, skipBlankLines: false }],
      'no-console': ['error', { allow: ['warn'] }],
      'import-x/no-cycle': 'error',
      'import-x/no-restricted-paths': ['error', { zones: importZones() }],
      'check-file/filename-naming-convention': [
        'error',
        { '**/*.{ts,tsx,js,mjs}': 'KEBAB_CASE' },
        { ignoreMiddleExtensions: true },
      ],
      'check-file/folder-naming-convention': ['error', { '{src,console}/**/': 'KEBAB_CASE' }],
    },
  },
  {
    files: ['console/src/**/*.{ts,tsx}'],
    extends: [reactHooks.configs.flat['recommended-latest'], tanstackQuery.configs['flat/recommended']],
    languageOptions: { globals: { ...globals.browser } },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    extends: [reactHooks.configs.flat['recommended-latest'], tanstackQuery.configs['flat/recommended']],
    plugins: { minato: { rules: { 'own-words': ownWords } } },
    languageOptions: { globals: { ...globals.browser } },
    rules: {
      'no-restricted-imports': ['error', { paths: [unguardedMutation, strayNavigation, strayLazy] }],
      'minato/own-words': 'error',
      // Nothing is compiled by React's compiler.
      'react-hooks/incompatible-library': 'off',
    },
  },
  {
    files: [
      'src/app/late-screen.tsx',
      'src/lib/use-mutation.ts',
      'src/lib/navigation/use-navigate.ts',
      'src/lib/search-params.ts',
    ],
    rules: { 'no-restricted-imports': 'off' },
  },
  { files: ['public/**/*.js'], languageOptions: { globals: { ...globals.browser } } },
  {
    files: ['scripts/**/*.mjs'],
    languageOptions: { globals: globals.browser },
    rules: { 'no-console': 'off' },
  },
  {
    files: ['src/lib/database.types.ts'],
    rules: {
      'max-lines': 'off',
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/no-generated-empty-object-type': 'off',
    },
  },
  { files: ['src/lib/error-report.ts'], rules: { 'no-console': 'off' } },
  { files: ['src/data/**'], rules: { 'max-lines': 'off' } },
  prettier,
  ...checkedByOxlint(),
);
