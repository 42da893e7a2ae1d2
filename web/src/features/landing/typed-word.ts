/** The rhythm of the headline: words typed letter by letter, held, deleted, for ever. */
import { useEffect, useState } from 'react';

const TYPE_MS = 100;
const HOLD_MS = 2_000;
const DELETE_MS = 50;

export interface Typing {
  word: number;
  letters: number;
  isDeleting: boolean;
}

export const START: Typing = { word: 0, letters: 0, isDeleting: false };

/** How long this state stays on screen. */
export function durationOf({ word, letters, isDeleting }: Typing, words: readonly string[]): number {
  if (isDeleting) return letters === 0 ? TYPE_MS : DELETE_MS;
  return letters === words[word]?.length ? HOLD_MS : TYPE_MS;
}

export function nextTyping({ word, letters, isDeleting }: Typing, words: readonly string[]): Typing {
  if (isDeleting && letters === 0) return { word: (word + 1) % words.length, letters: 1, isDeleting: false };
  if (isDeleting || letters === words[word]?.length) return { word, letters: letters - 1, isDeleting: true };
  return { word, letters: letters + 1, isDeleting: false };
}

/** The letters to show now; stands still while not running. */
export function useTypedWord(words: readonly string[], isRunning: boolean): string {
  const [typing, setTyping] = useState(START);
  useEffect(() => {
    if (!isRunning) return;
    const timer = setTimeout(() => setTyping(nextTyping(typing, words)), durationOf(typing, words));
    return () => clearTimeout(timer);
  }, [typing, words, isRunning]);
  return words[typing.word]?.slice(0, typing.letters) ?? '';
}
