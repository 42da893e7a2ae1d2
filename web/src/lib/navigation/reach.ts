/** Tells of a page of ours that somebody reaches for: the pointer rests on its link, the focus stays there, a finger comes down. */
import type { Destination } from './navigation';

/** Who only passes by is not meant. */
const REST_MS = 80;

export function onReach(tell: (to: Destination) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const pass = () => clearTimeout(timer);
  const reach = (event: Event) => {
    pass();
    const to = linkOf(event.target);
    if (!to || isSparing()) return;
    if (event.type === 'touchstart') tell(to);
    else timer = setTimeout(() => tell(to), REST_MS);
  };
  const listeners = [
    ['pointerover', reach],
    ['pointerout', pass],
    ['focusin', reach],
    ['focusout', pass],
    ['touchstart', reach],
  ] as const;
  for (const [name, listen] of listeners) document.addEventListener(name, listen, { passive: true });
  return () => {
    pass();
    for (const [name, listen] of listeners) document.removeEventListener(name, listen);
  };
}

/** Where it leads, if that is another page of this site in this tab. */
function linkOf(target: EventTarget | null): Destination | null {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
  if (link?.origin !== location.origin || link.pathname === location.pathname) return null;
  if (link.hasAttribute('download') || (link.target !== '' && link.target !== '_self')) return null;
  return { pathname: link.pathname, search: link.search };
}

/** Whoever counts their megabytes, or has no line, is asked for nothing that may not be wanted. */
function isSparing(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true || !navigator.onLine;
}
