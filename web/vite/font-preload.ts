/** Preloads the two latin font files behind the app: text stands in its fallback until then, and nothing moves. */
import type { HtmlTagDescriptor, Plugin } from 'vite';

const PRELOADED = /(archivo-latin-wdth|source-sans-3-latin-wght)-normal-[\w-]+\.woff2$/;

export function fontPreload(): Plugin {
  return {
    name: 'font-preload',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        return Object.keys(bundle)
          .filter((file) => PRELOADED.test(file))
          .map((file) => preloadTag(`/${file}`));
      },
    },
  };
}

function preloadTag(href: string): HtmlTagDescriptor {
  return {
    tag: 'link',
    attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, fetchpriority: 'low', href },
    injectTo: 'head-prepend',
  };
}
