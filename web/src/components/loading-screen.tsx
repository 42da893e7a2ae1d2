import { LoaderCircle } from 'lucide-react';
import { useEffect, useState } from 'react';
import { app } from '@/copy/app';

/** After this long a person wants to know why. */
const SLOW_MS = 5_000;

export function LoadingScreen({ text = app.loading }: { text?: string }) {
  const isSlow = useIsSlow();
  return (
    <div
      role="status"
      className="grid min-h-[60vh] place-content-center justify-items-center gap-3 px-4 text-center text-muted-foreground"
    >
      <LoaderCircle aria-hidden className="size-6 animate-spin" />
      <span>{text}</span>
      {isSlow && <span className="max-w-[40ch] text-small">{app.slow}</span>}
    </div>
  );
}

function useIsSlow(): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return isSlow;
}
