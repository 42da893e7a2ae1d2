/** Puts a value on the clipboard and says so; where pages may not, the value itself can be selected. */
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { app } from '@/copy/app';
import { Button } from './ui/button';

const SAID_MS = 2_000;

/** `label` names what is copied, for those who do not see where the button stands. */
export function CopyButton({ label, value }: { label: string; value: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  if (!('clipboard' in navigator) || value === '') return null;
  const copy = () => {
    void navigator.clipboard.writeText(value).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  const Icon = isCopied ? Check : Copy;
  return (
    <Button variant="ghost" size="small" className="text-primary" onClick={copy}>
      <Icon aria-hidden />
      <span aria-live="polite">{isCopied ? app.copied : app.copy}</span>
      <span className="sr-only">: {label}</span>
    </Button>
  );
}
