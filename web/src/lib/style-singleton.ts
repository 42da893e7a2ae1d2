/**
 * Stands in for react-style-singleton, which the dialogs' scroll lock uses: it writes a <style> element, and the site's
 * Content-Security-Policy allows none. A constructed sheet does the same. vite.config.ts puts it in its place.
 */
import { useEffect } from 'react';

interface SheetProps {
  styles: string;
  dynamic?: boolean;
}

/** A component whose styles hold from its first use on the page until its last has gone. */
export function styleSingleton() {
  const sheet = sharedSheet();
  return function Sheet({ styles, dynamic }: SheetProps) {
    const changes = dynamic ? styles : null;
    useEffect(() => {
      sheet.add(styles);
      return () => sheet.remove();
      // Only styles that say so change while they are in use.
      // eslint-disable-next-line react-hooks/exhaustive-deps
    }, [changes]);
    return null;
  };
}

function sharedSheet() {
  let uses = 0;
  let sheet: CSSStyleSheet | null = null;
  return {
    add(styles: string) {
      uses += 1;
      if (sheet) return;
      sheet = new CSSStyleSheet();
      sheet.replaceSync(styles);
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    },
    remove() {
      uses -= 1;
      if (uses > 0) return;
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
      sheet = null;
    },
  };
}
