/** Preloads the two latin font files, so that text settles before the first paint instead of shifting after it. */
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
    attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href },
    injectTo: 'head-prepend',
  };
}
