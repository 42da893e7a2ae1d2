/** Says that the line is gone, or that live changes do not arrive. It hangs below the top bar and moves nothing. */
import { CloudOff, LoaderCircle } from 'lucide-react';
import { app } from '@/copy/app';
import { useConnection } from '@/hooks/use-online';

const copy = app.connection;

export function ConnectionBanner() {
  const connection = useConnection();
  const isOffline = connection === 'offline';
  const Icon = isOffline ? CloudOff : LoaderCircle;
  return (
    <div
      aria-live="polite"
      className="pointer-events-none absolute inset-x-0 top-full flex justify-center print:hidden"
    >
      {connection !== 'online' && (
        <p className="flex items-center gap-2 rounded-b-card border border-t-0 bg-card px-3 text-small shadow-overlay">
          <Icon
            aria-hidden
            className={isOffline ? 'size-4 text-destructive' : 'size-4 motion-safe:animate-spin'}
          />
          <span className="font-semibold">{copy[connection]}</span>
          <span className="text-muted-foreground max-sm:sr-only">{copy[`${connection}More`]}</span>
        </p>
      )}
    </div>
  );
}
