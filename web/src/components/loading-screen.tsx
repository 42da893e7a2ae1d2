import { LoaderCircle } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { app } from '@/copy/app';

/** After this long a person wants to know why. */
const SLOW_MS = 5_000;

/** A page of its own, of one line. */
export function LoadingScreen({ text = app.loading }: { text?: string }) {
  return (
    <main aria-busy>
      <Waiting>
        <h1 className="font-sans text-base font-normal">{text}</h1>
      </Waiting>
    </main>
  );
}

/** The same where a page stands already. */
export function LoadingPart() {
  return (
    <Waiting>
      <span>{app.loading}</span>
    </Waiting>
  );
}

function Waiting({ children }: { children: ReactNode }) {
  const isSlow = useIsSlow();
  return (
    <div
      role="status"
      className="grid min-h-[60vh] place-content-center justify-items-center gap-3 px-4 text-center text-muted-foreground"
    >
      <LoaderCircle aria-hidden className="size-6 animate-spin" />
      {children}
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
