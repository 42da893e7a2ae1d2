/** A photo at another site: the drawing and a button until somebody asks for it, then the photo or why there is none. */
import { Image } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { carPhoto as copy } from '@/copy/posts';
import { cn } from '@/lib/class-names';

export interface PictureElsewhereProps {
  address: URL;
  alt: string;
  /** Too small for the site's name beside the button's words. */
  isTile: boolean;
  className?: string | undefined;
  /** What stands in for the photo. */
  children: ReactNode;
}

export function PictureElsewhere({ address, alt, isTile, className, children }: PictureElsewhereProps) {
  const [state, setState] = useState<'unasked' | 'asked' | 'failed'>('unasked');
  const frame = useRef<HTMLDivElement>(null);
  const ask = () => {
    setState('asked');
    // The button goes; whoever pressed it by keyboard goes on from here.
    frame.current?.focus({ preventScroll: true });
  };
  return (
    <div
      ref={frame}
      tabIndex={-1}
      className={cn('relative isolate overflow-hidden focus-visible:-outline-offset-2', className)}
    >
      {state === 'asked' ? (
        <img
          src={address.href}
          alt={alt}
          width={800}
          height={600}
          decoding="async"
          referrerPolicy="no-referrer"
          onError={() => setState('failed')}
          className="aspect-4/3 h-auto w-full bg-muted object-cover"
        />
      ) : (
        children
      )}
      {state === 'unasked' && <AskButton host={address.host} isTile={isTile} onAsk={ask} />}
      <Failure message={state === 'failed' && copy.failed(address.host)} isTile={isTile} />
    </div>
  );
}

function AskButton({ host, isTile, onAsk }: { host: string; isTile: boolean; onAsk: () => void }) {
  return (
    <Button
      variant={isTile ? 'ghost' : 'outline'}
      size="small"
      aria-label={copy.show(host)}
      title={isTile ? copy.show(host) : undefined}
      onClick={onAsk}
      className={cn(
        'absolute whitespace-normal',
        isTile
          ? 'inset-0 min-h-0 flex-col gap-1 rounded-none px-1 text-center leading-tight hover:bg-border focus-visible:-outline-offset-2'
          : 'bottom-2 left-2 max-w-[calc(100%-1rem)] text-left leading-snug wrap-anywhere',
      )}
    >
      <Image aria-hidden className="shrink-0" />
      {isTile ? copy.showShort : copy.show(host)}
    </Button>
  );
}

/** Is there before it has something to say: what appears together with its words is not read out. */
function Failure({ message, isTile }: { message: string | false; isTile: boolean }) {
  return (
    <p
      role="status"
      className={cn(
        'absolute bottom-0 left-0 max-w-full wrap-anywhere',
        message && 'bg-card px-3 py-1.5 text-small text-muted-foreground',
        message && isTile && 'inset-0 grid place-items-center px-1 py-0 text-center leading-tight',
      )}
    >
      {message && (isTile ? copy.failedShort : message)}
    </p>
  );
}
