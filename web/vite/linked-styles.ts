/**
 * Toasts bring their styles as text and write them into the page, which its Content-Security-Policy forbids. The build
 * leaves that out; src/components/ui/toaster.tsx imports the same styles as a file.
 */
import type { Plugin } from 'vite';

const TOASTS = /\/sonner\/dist\/index\.mjs$/;
const WRITES_STYLES = /^__insertCSS\(".*"\);$/m;

export function linkedStyles(): Plugin {
  return {
    name: 'linked-styles',
    apply: 'build',
    transform: {
      filter: { id: TOASTS },
      handler(code) {
        if (!WRITES_STYLES.test(code)) throw new Error('sonner no longer writes its styles as it did.');
        return { code: code.replace(WRITES_STYLES, ''), map: null };
      },
    },
  };
}
