/** Puts a text on the clipboard, fetched first where it has to be, and says so. */
import { Check, Copy as CopyIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button';

const SAID_MS = 2_000;

export function Copy({ name, text }: { name: string; text: string | (() => Promise<string>) }) {
  const [said, setSaid] = useState<'copied' | 'failed'>();
  useEffect(() => {
    if (!said) return;
    const timer = setTimeout(() => setSaid(undefined), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text());
      setSaid('copied');
    } catch {
      setSaid('failed');
    }
  };
  const Icon = said === 'copied' ? Check : CopyIcon;
  const word = said === 'failed' ? 'Not copied' : said === 'copied' ? 'Copied' : name;
  return (
    <Button onClick={() => void copy()} aria-label={name}>
      <Icon aria-hidden />
      <span aria-live="polite">{word}</span>
    </Button>
  );
}
