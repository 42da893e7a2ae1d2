import { useEffect, useState } from 'react';
import { durationOf, nextTyping, START } from './typed-words';

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
