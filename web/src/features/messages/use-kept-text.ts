/** A text that is being written, kept over a reload until it is sent or emptied. */
import { useState } from 'react';

interface KeptText {
  text: string;
  setText: (text: string) => void;
  /** A reload no longer brings it back; on the screen it stays. */
  letGo: () => void;
  /** It was sent: it goes from the screen. What was begun elsewhere meanwhile stays kept. */
  sent: () => void;
  /** It was not sent after all, and is kept again unless another one was begun meanwhile. */
  takeBack: (text: string) => void;
}

export function useKeptText(key: string): KeptText {
  const [text, show] = useState(() => localStorage.getItem(key) ?? '');
  const setText = (next: string) => {
    show(next);
    keep(key, next);
  };
  const takeBack = (unsent: string) => {
    if (!localStorage.getItem(key)) setText(unsent);
  };
  return { text, setText, letGo: () => keep(key, ''), sent: () => show(''), takeBack };
}

function keep(key: string, text: string): void {
  try {
    if (text === '') localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // Where the browser keeps nothing, the text lives as long as the page.
  }
}
