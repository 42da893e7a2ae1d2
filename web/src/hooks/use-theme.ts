/** Light, dark or the system's choice, remembered in this browser. public/theme.js applies it before the first paint. */
import { useEffect, useSyncExternalStore } from 'react';
import { useMediaQuery } from './use-media-query';

export type ThemeChoice = 'light' | 'dark' | 'system';

const KEY = 'theme';
const CHANGED = 'themechange';

function readChoice(): ThemeChoice {
  const stored = localStorage.getItem(KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

function writeChoice(choice: ThemeChoice): void {
  if (choice === 'system') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, choice);
  window.dispatchEvent(new Event(CHANGED));
}

/** `storage` brings the choice made in another tab, our own event the one made here. */
function subscribe(onChange: () => void): () => void {
  window.addEventListener('storage', onChange);
  window.addEventListener(CHANGED, onChange);
  return () => {
    window.removeEventListener('storage', onChange);
    window.removeEventListener(CHANGED, onChange);
  };
}

export function useTheme() {
  const choice = useSyncExternalStore(subscribe, readChoice);
  const systemIsDark = useMediaQuery('(prefers-color-scheme: dark)');
  const isDark = choice === 'dark' || (choice === 'system' && systemIsDark);
  useEffect(() => {
    document.documentElement.classList.toggle('dark', isDark);
  }, [isDark]);
  return { choice, isDark, setChoice: writeChoice };
}
